/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* trial.h - what open counters did while they were let run for a moment. */
#ifndef COLLECT_TRIAL_H
#define COLLECT_TRIAL_H

#include <cgtopdown/counters.h>

#include "collect/cpu_set.h"

struct ctd_trial {
	bool done; /* there was a group to try */
	int error; /* of opening, starting or reading it; 0: none on any CPU */
	int cpus; /* that have the group */
	int full; /* of these, CPUs on which it ran all the time, */
	int part; /* part of the time, */
	int never; /* not at all although it was opened, */
	int pushed_off; /* or not as its pinned leader found no free counter */
	bool slots; /* the leader counted */
	char lie[160]; /* what is wrong with the counts of the CPU that was kept busy; "": nothing */
	double level1_sum_over_slots; /* NaN: the source cannot know it */
};

/*
 * Keeps one CPU busy for @p duration_ns, and reads the running counters of @p plan on all that have
 * them. The busy CPU is the current one if it has the counters, else one that may be disturbed.
 * Silent.
 */
void ctd_trial_run(const struct ctd_counter_plan *plan, const struct ctd_counters *counters,
		   const struct ctd_cpu_set *cpus, uint64_t duration_ns, struct ctd_trial *trial);

#endif
