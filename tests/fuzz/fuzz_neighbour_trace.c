/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_neighbour_trace.c - no trace breaks its reader, and what it takes the detector can judge. */
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "neighbour/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void check_batch(struct ctd_neighbours *neighbours, const struct ctd_neighbour_batch *batch)
{
	if (!batch)
		return;
	assert(batch->samples_count && batch->window_ns);
	for (size_t i = 0; i < batch->pairs_count; i++)
		assert(batch->pairs[i].victim < batch->samples_count &&
		       batch->pairs[i].other < batch->samples_count);
	(void)ctd_neighbours_add(neighbours, batch);
	ctd_neighbours_judge(neighbours);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	const struct ctd_neighbours_options options = {.subjects_max = 8};
	const struct ctd_neighbour_batch *batch;
	struct ctd_neighbours *neighbours;
	struct ctd_neighbour_trace *trace;
	int error = 0;

	if (ctd_neighbours_new(&options, &neighbours) || ctd_neighbour_trace_new(&trace))
		return 0;
	while (bytes && !error) {
		const uint8_t *end = memchr(data, '\n', bytes);
		size_t line = end ? (size_t)(end - data) : bytes;
		char why[CTD_TRACE_WHY_BYTES] = "";

		error = ctd_neighbour_trace_line(trace, (const char *)data, line, &batch, why);
		assert(error != -EBADMSG || *why);
		if (!error)
			check_batch(neighbours, batch);
		line += end != NULL;
		data += line;
		bytes -= line;
	}
	check_batch(neighbours, ctd_neighbour_trace_end(trace));
	ctd_neighbour_trace_free(trace);
	ctd_neighbours_free(neighbours);
	return 0;
}
