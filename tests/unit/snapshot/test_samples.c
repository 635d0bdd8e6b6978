/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_samples.c - samples of equal stacks are added up, and none is lost for want of room. */
#include <cgtopdown/samples.h>

#include <cgtopdown/snapshot.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const uint64_t frames[] = {0xffffffff81000010, 0x1000000401000, 0x1000000401100};

static const struct ctd_sample one = {
	.cgroup_id = 7,
	.kind = CTD_ROW_CGROUP,
	.tgid = 42,
	.incarnation = 5,
	.kernel_frames = 1,
	.user_frames = 2,
	.user_end = CTD_STACK_BROKEN,
	.begin_frame = 0x1000000401000,
	.samples = 2,
	.windows = 1,
	.windows_ns = 50000,
	.count = {100, 20},
};

static void equal_stacks_are_one_with_the_sums_of_both(void **state)
{
	struct ctd_samples samples = {0};
	const struct ctd_sample *sum;

	(void)state;
	assert_int_equal(ctd_samples_add(&samples, &one, frames), 0);
	assert_int_equal(ctd_samples_add(&samples, &one, frames), 0);
	assert_int_equal(samples.samples_count, 1);
	assert_int_equal(samples.frames_count, 3);
	sum = &samples.samples[0];
	assert_int_equal(sum->samples, 4);
	assert_int_equal(sum->windows, 2);
	assert_int_equal(sum->windows_ns, 100000);
	assert_int_equal(sum->count[0], 200);
	assert_int_equal(sum->count[1], 40);
	assert_int_equal(sum->cgroup_id, 7);
	assert_int_equal(sum->tgid, 42);
	assert_int_equal(sum->user_end, CTD_STACK_BROKEN);
	assert_memory_equal(&samples.frames[sum->first_frame], frames, sizeof(frames));
	ctd_samples_clear(&samples);
}

static void what_differs_in_any_part_of_the_key_stays_apart(void **state)
{
	struct ctd_samples samples = {0};
	const uint64_t other_frames[] = {frames[0], frames[1], frames[2] + 1};
	struct ctd_sample changed[12];

	(void)state;
	for (size_t i = 0; i < 12; i++)
		changed[i] = one;
	changed[1].cgroup_id++;
	changed[2].kind = CTD_ROW_KERNEL;
	changed[3].core_type++;
	changed[4].group++;
	changed[5].tgid++;
	changed[6].incarnation++;
	changed[7].kernel_frames++, changed[7].user_frames--;
	changed[8].kernel_end = CTD_STACK_TRUNCATED;
	changed[9].user_end = CTD_STACK_COMPLETE;
	changed[10].begin_frame++;
	changed[11].other = true;
	for (int twice = 0; twice < 2; twice++) {
		for (size_t i = 0; i < 12; i++)
			assert_int_equal(ctd_samples_add(&samples, &changed[i], frames), 0);
		assert_int_equal(ctd_samples_add(&samples, &one, other_frames), 0);
	}
	assert_int_equal(samples.samples_count, 13);
	for (size_t i = 0; i < 13; i++)
		assert_int_equal(samples.samples[i].samples, 4);
	ctd_samples_clear(&samples);
}

static void without_room_stacks_are_added_to_one_of_their_cgroup_and_keep_their_sums(void **state)
{
	struct ctd_samples samples = {.samples_max = 100};
	uint64_t all = 0, kept = 0, others = 0;

	(void)state;
	for (uint64_t i = 0; i < 1000; i++) {
		struct ctd_sample sample = one;

		sample.cgroup_id = i % 3;
		sample.begin_frame = i;
		assert_int_equal(ctd_samples_add(&samples, &sample, frames), 0);
		all += sample.count[0];
	}
	assert_int_equal(samples.samples_count, 103);
	for (size_t i = 0; i < samples.samples_count; i++) {
		kept += samples.samples[i].count[0];
		others += samples.samples[i].other;
		if (samples.samples[i].other) {
			assert_int_equal(samples.samples[i].samples, 600);
			assert_int_equal(samples.samples[i].user_frames, 0);
			assert_int_equal(samples.samples[i].tgid, 0);
		}
	}
	assert_int_equal(others, 3);
	assert_int_equal(kept, all);
	ctd_samples_clear(&samples);
}

static void samples_that_were_cleared_are_none_and_take_new_ones(void **state)
{
	struct ctd_samples samples = {.period_ns = 20000000, .samples_max = 5};

	(void)state;
	ctd_samples_clear(&samples);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(ctd_samples_add(&samples, &one, frames), 0);
		assert_int_equal(samples.samples_count, 1);
		assert_int_equal(samples.samples[0].samples, 2);
		ctd_samples_clear(&samples);
		assert_int_equal(samples.samples_count, 0);
		assert_int_equal(samples.period_ns, 20000000);
		assert_int_equal(samples.samples_max, 5);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_stacks_are_one_with_the_sums_of_both),
		cmocka_unit_test(what_differs_in_any_part_of_the_key_stays_apart),
		cmocka_unit_test(
			without_room_stacks_are_added_to_one_of_their_cgroup_and_keep_their_sums),
		cmocka_unit_test(samples_that_were_cleared_are_none_and_take_new_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
