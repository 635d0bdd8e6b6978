/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_latency_ring.c - no records in a ring buffer of the kernel's make more of samples than fits.
 */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/latencies.h"

#define RING_BYTES 128

/* Where it begins and ends, and then what is in it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct ctd_latency sum = {0};
	unsigned char *ring;
	uint64_t at[2], tail;

	if (bytes < sizeof(at))
		return 0;
	memcpy(at, data, sizeof(at));
	data += sizeof(at);
	bytes -= sizeof(at);
	/* On the heap, so that a byte more is found. */
	ring = calloc(1, RING_BYTES);
	assert(ring);
	memcpy(ring, data, bytes < RING_BYTES ? bytes : RING_BYTES);
	tail = at[0];
	ctd_latency_take_records(ring, RING_BYTES, at[0] + at[1], &tail, &sum);
	assert(tail == at[0] + at[1]);
	assert(sum.samples <= RING_BYTES / 16 && sum.cycles <= sum.samples * UINT16_MAX);
	free(ring);
	return 0;
}
