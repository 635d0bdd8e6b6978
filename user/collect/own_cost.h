/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* own_cost.h - CPU time that the programs in the scheduler and processes of ours take. */
#ifndef COLLECT_OWN_COST_H
#define COLLECT_OWN_COST_H

#include <cgtopdown/snapshot.h>
#include <time.h>

/* Start from a zeroed struct. */
struct ctd_own_cost {
	/* Of all CPUs, in the last snapshot. */
	uint64_t switches, sampled_ns, samples;
	uint32_t plan;
	uint64_t mean_ns, mean_samples; /* of the newest calls that were timed */
	uint64_t programs_ns; /* of the programs in the scheduler, in all */
};

/* Programs time one of so many of their calls: what all took is an estimate. What a plan's programs
 * have in its first snapshot is added, too. */
void ctd_own_cost_take(struct ctd_own_cost *cost, const struct ctd_snapshot *snapshot);
/* With all threads of this process, and those of another one (0: none) as far as that may be asked.
 * A total. */
uint64_t ctd_own_cost_ns(const struct ctd_own_cost *cost, pid_t beside);

#endif
