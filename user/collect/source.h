/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* source.h - the choice of a source of counters: what was tried, what came of it, what is open. */
#ifndef COLLECT_SOURCE_H
#define COLLECT_SOURCE_H

#include <cgtopdown/collect.h>
#include <cgtopdown/counters.h>

#include "collect/cpu_set.h"
#include "collect/trial.h"

/* With "auto": PERF_METRICS, then general-purpose counters. */
#define CTD_SOURCE_ATTEMPTS_MAX 2

/* A source whose counters were opened, or were to be. */
struct ctd_source_attempt {
	struct ctd_counter_plan plan; /* as it was opened: fitted to the machine */
	bool cut; /* it has less than was planned: plan.why says what */
	char ipc_lack[160]; /* why there is no IPC group; "": there is, or none was
				   wished */
	struct ctd_trial trial;
	bool refused; /* another one, or none, took its place */
	bool held; /* refused, and did not count either when ctd_source_is_back() looked last */
};

/* What was found for one core type. */
struct ctd_source_choice {
	struct ctd_source_attempt attempts[CTD_SOURCE_ATTEMPTS_MAX];
	int attempts_count; /* 0: there was nothing to open */
	/* Names of sources that lied when one before this was opened: they are not tried again. */
	char liars[CTD_SOURCE_ATTEMPTS_MAX][24];
	int liars_count;
};

struct ctd_source {
	struct ctd_source_wishes wishes; /* strings are borrowed */
	struct ctd_machine machine;
	struct ctd_counter_plan
		plans[CTD_CORE_TYPES_MAX]; /* of each core type: what is used in the end */
	int core_types_count; /* plans; 1: for all CPUs, whatever core types there are */
	int core_types_planned; /* the same, before any was refused */
	struct ctd_source_choice choices[CTD_CORE_TYPES_MAX];
	struct ctd_sim_profiles profiles; /* owned */
	struct ctd_counters counters; /* owned */
	bool *countable; /* owned, an entry for each CPU: it has the counters of its plan */
};

/*
 * Plans the counters by what sysfs says; opens nothing. With "auto", sources that were found not to
 * count when @p before (NULL: nothing) was opened, or what was before it, are passed over, and so
 * are those that were still held when ctd_source_is_back() looked last. Logs failures. @p
 * ret_source must stay where it is. @return 0 or negative errno.
 */
int ctd_source_plan(const struct ctd_source_wishes *wishes, const struct ctd_source *before,
		    struct ctd_source *ret_source);
/*
 * Opens the planned counters and lets them count for @p trial_ns; they run after that. 0: there is
 * no trial, and they wait for ctd_counters_enable(), as others may still be on the PMU. With "auto"
 * the next best source takes the place of one that does not open or count, none in the end. CPUs
 * that perf does not have (they come or go) are taken out of cpus->online. Logs failures only: see
 * ctd_source_tell(). @return 0 or negative errno.
 */
int ctd_source_open(struct ctd_source *source, struct ctd_cpu_set *cpus, uint64_t trial_ns);
/* Why it was refused. */
enum ctd_source_lack ctd_source_lack(const struct ctd_source_attempt *attempt);
/* Is it left to us which source is used? */
bool ctd_source_is_automatic(const struct ctd_source_wishes *wishes);
/* Logs which sources were chosen and refused, and why. */
void ctd_source_tell(const struct ctd_source *source);
void ctd_source_free(struct ctd_source *source);

/* Which plan is a CPU's, as arrays are asked for; NULL: there is one. */
const uint8_t *ctd_source_core_types(const struct ctd_source *source);
const struct ctd_counter_plan *ctd_source_plan_of(const struct ctd_source *source, int cpu);
/* How many groups of counters there are, of the core type that has most. */
uint32_t ctd_source_groups(const struct ctd_source *source);
/* Does a PMU count? Not with none and sim. */
bool ctd_source_counts(const struct ctd_source *source);

/*
 * Sets `countable`: of the online CPUs those that have counters, of a core type with a source,
 * which does not rotate on a CPU that must not be disturbed.
 */
void ctd_source_find_countable(struct ctd_source *source, const struct ctd_cpu_set *cpus);

#endif
