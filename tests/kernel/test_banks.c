/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_banks.c - a bank that a program still writes to is not emptied, and its samples come later. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "camera.h"

/* As a program adds one, to the bank that takes samples. */
static void add_sample(const struct camera *camera, int cpu)
{
	const struct ctd_sampler *sampler = camera->sampler;
	size_t bank_index = 2 * (size_t)cpu + (sampler->cpus[cpu].bank & 1);
	struct ctd_sampler_bank *bank = (void *)(sampler->banks + bank_index * sampler->bank_bytes);
	unsigned char *data = (unsigned char *)(bank + 1) + sampler->index_size * sizeof(uint32_t);
	struct ctd_sampler_entry *entry = (void *)(data + bank->used);

	memset(entry, 0, CTD_SAMPLER_ENTRY_BYTES(0));
	entry->samples = 1;
	entry->key.cgroup_id = 77;
	bank->used += CTD_SAMPLER_ENTRY_BYTES(0);
	bank->entries++;
}

static uint64_t samples_of(struct camera *camera)
{
	uint64_t samples = 0;

	ctd_samples_clear(&camera->samples);
	take(camera);
	for (size_t i = 0; i < camera->samples.samples_count; i++)
		if (camera->samples.samples[i].cgroup_id == 77)
			samples += camera->samples.samples[i].samples;
	return samples;
}

static void a_bank_that_is_written_to_keeps_its_samples_until_it_is_not(void **state)
{
	/* Its clocks run from the first drain on: no program is in the way before. */
	struct camera *camera = set_up(state, "none", 0);
	struct ctd_sampler_cpu *cpu = &camera->sampler->cpus[0];
	uint32_t bank = cpu->bank;

	add_sample(camera, 0);
	cpu->busy = 1;
	assert_int_equal(samples_of(camera), 0);
	assert_int_equal(cpu->bank, bank);
	cpu->busy = 0;
	add_sample(camera, 0);
	assert_int_equal(samples_of(camera), 2);
	assert_int_equal(samples_of(camera), 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(
			a_bank_that_is_written_to_keeps_its_samples_until_it_is_not, put_away),
	};

	return rig_run(tests, sizeof(tests) / sizeof(*tests), argc, argv);
}
