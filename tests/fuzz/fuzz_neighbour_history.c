/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_neighbour_history.c - no file breaks the detector, neither when it is read nor later. */
#include <cgtopdown/neighbour.h>

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	const struct ctd_neighbours_options options = {.subjects_max = 8};
	const struct ctd_neighbour_sample sample = {
		.names.key = "a",
		.known = CTD_NEIGHBOUR_SLOTS | CTD_NEIGHBOUR_MEMORY,
		.slots = 1000,
		.retired_slots = 300,
		.memory_slots = 200,
	};
	struct ctd_neighbours *neighbours;
	const char *why = NULL;
	size_t count;

	if (ctd_neighbours_new(&options, &neighbours))
		return 0;
	if (ctd_neighbours_load(neighbours, data, bytes, &why))
		assert(why);
	for (uint64_t i = 1; i < 8; i++) {
		const struct ctd_neighbour_batch batch = {.time_ns = i * 10000000000ull,
							  .window_ns = 10000000000ull,
							  .samples = &sample,
							  .samples_count = 1};

		(void)ctd_neighbours_add(neighbours, &batch);
		ctd_neighbours_judge(neighbours);
		ctd_neighbours_tags(neighbours, &count);
	}
	ctd_neighbours_free(neighbours);
	return 0;
}
