/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* latency.h - how long events took to retire, as samples of them told: plain data. */
#ifndef CGTOPDOWN_LATENCY_H
#define CGTOPDOWN_LATENCY_H

#include <cgtopdown/cpu.h>
#include <stdbool.h>
#include <stdint.h>

/* Of a core type; Granite Rapids has 26. What is beyond is not measured. */
#define CTD_LATENCIES_MAX 32
/* A mean of fewer is none. */
#define CTD_LATENCY_SAMPLES_LEAST 20

/* Of one event, on all CPUs of a core type. The members are 64-bit figures, as a recording has
 * them. */
struct ctd_latency {
	uint64_t samples, cycles; /* sums; of what is long ago less than there was */
};

/* As of a snapshot. */
struct ctd_latencies {
	uint32_t core_types_count;
	uint32_t count; /* of each core type, at most; 0: nothing measures them */
	struct ctd_latency of[CTD_CORE_TYPES_MAX][CTD_LATENCIES_MAX];
};

/* Where the kernel takes such samples and the core does not tell, all say 0. */
static inline bool ctd_latency_is_told(const struct ctd_latency *latencies, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (latencies[i].cycles)
			return true;
	return false;
}

#endif
