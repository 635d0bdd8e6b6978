/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* interval.h - the difference of two snapshots, with the quality of each row and the totals of the
 * whole. */
#ifndef CGTOPDOWN_INTERVAL_H
#define CGTOPDOWN_INTERVAL_H

#include <cgtopdown/cpu.h>
#include <cgtopdown/snapshot.h>
#include <cgtopdown/value.h>
#include <cgtopdown/waits.h>
#include <stdbool.h>
#include <stdint.h>

/* The part of a row in which the core's other hardware thread was in one state. */
struct ctd_interval_sibling {
	uint64_t cpu_ns;
	uint64_t counted_ns; /* of cpu_ns: of rows whose counts are known, scaled or not */
	uint64_t leader_count; /* of all groups, scaled as the row's */
	uint64_t count[CTD_COUNTERS_MAX]; /* the same of the first group */
};

struct ctd_interval_row {
	uint64_t cgroup_id;
	uint32_t pid;
	enum ctd_row_kind kind;
	uint32_t core_type; /* index of the core type it ran on */
	uint64_t oncpu_ns, running_ns, slices, switches;
	/* In the interval's counts, groups_count * counters_count each; those of a group begin at
	 * group * counters_count. */
	uint64_t *raw; /* as counted */
	uint64_t *count; /* scaled by oncpu_ns / running_ns; equal to raw where quality is CTD_OK */
	/* In the interval's counts, too, one for each group. */
	uint64_t *group_ns; /* of oncpu_ns: while it counted */
	/* The time that its count stands for: where the count is scaled up, group_ns plus the time
	 * that others had the PMU. */
	uint64_t *count_ns;
	enum ctd_quality quality; /* of the counts; CTD_UNSUPPORTED without counters */
	struct ctd_waits *waits; /* in the interval's waits; NULL: not counted */
	struct ctd_interval_sibling
		*siblings; /* CTD_SIBLINGS in the interval's; NULL: not told apart */
	/* In the interval's: of oncpu_ns, by the caches of the CPUs, and what is not known; they
	 * come to oncpu_ns. NULL: not told apart. */
	uint64_t *cache_ns;
};

/* total = sum over rows' raw + unattributed + residual, per counter, in raw counts. Those of each
 * are in the interval's total_counts, laid out as a row's. */
struct ctd_interval_totals {
	uint32_t cpus_online;
	uint64_t empty_ns; /* as in health */
	uint64_t *total, *unattributed;
	int64_t *residual;
};

struct ctd_interval_health {
	uint64_t count[CTD_HEALTH_COUNTERS];
	/* CPU time, idle left aside, of rows whose first counter was on the PMU and counted
	 * nothing: a CPU that runs cannot do that. */
	uint64_t empty_ns;
	struct ctd_value l1_sum_over_slots; /* of the first core type; about 1, not clamped;
					       NO_DATA without slots */
	double ns_per_switch; /* NaN: no sample in this interval */
	struct ctd_budget_state budget; /* as of its end */
	struct ctd_latencies latencies; /* as of its end */
};

struct ctd_interval {
	uint64_t realtime_ns; /* end of the window */
	uint64_t window_ns;
	uint64_t sequence;
	uint32_t counters_count; /* of each group */
	uint32_t groups_count;
	uint32_t cpus_online;
	struct ctd_interval_row
		*rows; /* owned; rows that ran in the window, idle always; order of the snapshot */
	size_t rows_count;
	uint64_t *counts; /* owned; what counts and times of the rows point to */
	struct ctd_waits *waits; /* owned; what those of the rows point to; NULL: not counted */
	bool has_waits;
	struct ctd_interval_sibling *siblings; /* owned; as waits */
	bool has_siblings;
	struct ctd_caches caches; /* of both snapshots; none: not told apart */
	uint64_t *cache_ns; /* owned; as waits; ctd_caches_parts() of each row */
	struct ctd_throttlings throttlings; /* owned; of the cgroups that have limits */
	struct ctd_pairs pairs; /* owned; those that grew; none where waits were not counted */
	/* Time in no row: of slices with lost switches. */
	uint64_t unattributed_ns;
	struct ctd_interval_totals totals[CTD_CORE_TYPES_MAX]; /* of each core type */
	uint64_t *total_counts; /* owned; what counts of the totals point to */
	struct ctd_interval_health health;
};

/*
 * @p before must be older and of the same collector. A row that is only in @p after counts from 0,
 * and so does a row or CPU of which a total shrank: it began anew in between, which is counted in
 * health. Where only a figure of its health shrank, a CPU's counts go on. A row that is only in
 * @p before is left out (rows are removed when they have stood still for an interval).
 * @p l1_counters: from the model of the first core type, four indices; 0: none; NULL: none.
 * @return 0, -ENOMEM, or -EBADMSG: @p after is not the later one, or of another plan of counters.
 */
int ctd_interval_make(const struct ctd_snapshot *before, const struct ctd_snapshot *after,
		      const int *l1_counters, struct ctd_interval *ret_interval);

/*
 * Adds @p later, which begins where @p interval ends, to it. Each group of counters keeps its own
 * counts: nothing is extrapolated from the time of one to that of another. An interval without
 * groups (all 0) becomes a copy of the later one. @return 0; -ENOMEM, or -EBADMSG: other counters;
 * nothing was added then.
 */
int ctd_interval_add(struct ctd_interval *interval, const struct ctd_interval *later);
void ctd_interval_free(struct ctd_interval *interval);

/* Where the counts of a group of an interval go in another one. */
struct ctd_group_place {
	uint32_t group; /* there; several may have one, whose counts are their sums */
	uint32_t counters_count; /* the first so many of its counters; 0: nothing of it goes there */
};
/*
 * Makes of @p interval one with other groups: @p places says for each of its groups where the
 * counts go. The result has all rows in their order, and their CPU times stay those of all groups.
 * @p whole: waits, siblings, cache parts, throttling and pairs, which belong to no group, are
 * copied, and counts are scaled up; else the result has none of them, and its counts are as they
 * were counted. A row's quality is that of its groups. @return 0 or -ENOMEM.
 */
int ctd_interval_place_groups(const struct ctd_interval *interval,
			      const struct ctd_group_place *places, uint32_t groups_count,
			      uint32_t counters_count, bool whole,
			      struct ctd_interval *ret_interval);
/* The interval is of a step of a group that is not the model's, nor has its leader: what is known
 * of the other hardware threads then has no slots. */
void ctd_interval_forget_sibling_counts(struct ctd_interval *interval);
void ctd_interval_siblings_add(struct ctd_interval_sibling to[CTD_SIBLINGS],
			       const struct ctd_interval_sibling from[CTD_SIBLINGS]);

#endif
