/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* rotation.c - groups of counters that do not fit beside each other count one after the other. */
#include "collect/rotation.h"

/* A tenth of a second is long enough that the 50 us or so in which no group counts are nothing,
 * short enough that a load which changes from second to second is seen by all. */
#define STEP_NS CTD_ROTATION_STEP_NS

uint64_t ctd_rotation_step_ns(uint64_t interval_ns, uint64_t groups_count)
{
	uint64_t rotations = interval_ns / (groups_count * STEP_NS);

	if (interval_ns < groups_count * CTD_ROTATION_STEP_LEAST_NS)
		return interval_ns;
	/* Without an end, as with a command. */
	if (interval_ns > 3600 * 1000000000ull)
		return STEP_NS;
	return interval_ns / (groups_count * (rotations ? rotations : 1)) + 1;
}

static int next_step(const struct ctd_counters *counters)
{
	return (counters->step + 1) % counters->groups_count;
}

/* Not where the core type has one group, which goes on counting. But also where there are no
 * counters just now: they may be renewed, or the CPU come, between two steps. */
static bool rotates(const struct ctd_counters *counters, const struct ctd_cpu_set *cpus, int cpu)
{
	return ctd_counters_group_of(counters, cpu, next_step(counters)) !=
		       ctd_counters_group_of(counters, cpu, counters->step) &&
	       !cpus->fenced[cpu];
}

void ctd_rotation_end_step(const struct ctd_counters *counters, const struct ctd_cpu_set *cpus,
			   struct ctd_kern *kern)
{
	for (int cpu = 0; cpu < cpus->count; cpu++) {
		if (rotates(counters, cpus, cpu))
			ctd_kern_end_step(kern, cpu);
	}
}

void ctd_rotation_begin_step(struct ctd_counters *counters, const struct ctd_cpu_set *cpus,
			     struct ctd_kern *kern)
{
	int step = next_step(counters);

	for (int cpu = 0; cpu < cpus->count; cpu++) {
		if (rotates(counters, cpus, cpu))
			ctd_kern_begin_step(kern, counters, cpu, step);
	}
	counters->step = step;
}
