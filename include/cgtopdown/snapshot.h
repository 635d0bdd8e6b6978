/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* snapshot.h - all totals at one instant, as plain data that can be recorded and replayed without
 * privilege. */
#ifndef CGTOPDOWN_SNAPSHOT_H
#define CGTOPDOWN_SNAPSHOT_H

#include <cgtopdown/abi.h>
#include <cgtopdown/budget.h>
#include <cgtopdown/caches.h>
#include <cgtopdown/cpu.h>
#include <cgtopdown/latency.h>
#include <cgtopdown/pairs.h>
#include <cgtopdown/throttling.h>
#include <cgtopdown/waits_abi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ctd_row_kind { CTD_ROW_CGROUP, CTD_ROW_IDLE, CTD_ROW_KERNEL, CTD_ROW_OTHER, CTD_ROW_KINDS };

/* Cumulative totals of one row over all CPUs since the collector began. They only grow. */
struct ctd_snapshot_row {
	uint64_t cgroup_id; /* 0 unless kind is CTD_ROW_CGROUP */
	uint32_t pid; /* 0, or tgid/tid */
	uint32_t kind; /* enum ctd_row_kind */
	uint32_t core_type; /* index of the core type it ran on; 0 where all are alike */
	uint64_t oncpu_ns, running_ns, slices, switches;
	uint64_t count[CTD_COUNTERS_MAX]; /* the first counters_count are used */
};

/* The part of a row's totals in which its core's other hardware thread was in one state. Those of
 * all CTD_SIBLINGS states are the row's, exactly. */
struct ctd_sibling_part {
	uint64_t oncpu_ns, running_ns;
	uint64_t count[CTD_COUNTERS_MAX];
};

/* One CPU's totals. attributed + unattributed = total, exactly; an interval adds up the rows itself
 * to check it. */
struct ctd_snapshot_cpu {
	uint32_t cpu;
	uint32_t online; /* 1 or 0 */
	uint32_t fenced; /* 1: not disturbed by flushes, its last slice may be open */
	uint32_t flushed; /* 1: its open slice was closed for this snapshot */
	uint32_t core_type; /* index */
	uint64_t total[CTD_COUNTERS_MAX]; /* from the raw counters alone */
	uint64_t attributed[CTD_COUNTERS_MAX]; /* sum over the rows of this CPU, idle and removed
						  ones included */
	uint64_t unattributed[CTD_COUNTERS_MAX];
	uint64_t unattributed_ns; /* time that is in no row: of slices with a lost switch */
	uint64_t health[CTD_HEALTH_CPU_COUNTERS];
};

/* A snapshot, const once taken. Rows are sorted by (kind, cgroup_id, pid, core_type),
 * each once. */
struct ctd_snapshot {
	uint64_t sequence; /* 1, 2, ... */
	uint64_t realtime_ns; /* wall clock, since 1970 */
	uint64_t monotonic_ns; /* for windows */
	uint32_t counters_count;
	uint32_t group; /* of counters that counted since the snapshot before */
	uint32_t groups_count; /* of counters, that rotate; 0 is 1 */
	/* Of each core type: one with fewer groups repeats them, group % its own. 0 is
	 * groups_count. */
	uint32_t core_type_groups[CTD_CORE_TYPES_MAX];
	/* Number of the plan of counters; totals of different plans are not subtracted. */
	uint32_t plan;
	uint32_t in_between; /* 1: ends a rotation step, not an interval */
	uint64_t lost_events; /* cgroup events that did not fit the ring buffer, cumulative */
	struct ctd_snapshot_row *rows; /* owned */
	size_t rows_count;
	struct ctd_waits *waits; /* owned; of each row; NULL: waits were not counted */
	/* owned; CTD_SIBLINGS of each row, by enum ctd_sibling; NULL: not told apart */
	struct ctd_sibling_part *siblings;
	struct ctd_caches caches; /* of the machine */
	/* owned; of each row ctd_caches_parts(): its oncpu_ns by the cache of the CPU, which come
	 * to the row's, exactly; NULL: not told apart */
	uint64_t *cache_ns;
	/* owned; with waits only: pairs of cgroups of which one waited while the other had the CPU,
	 * or which ran on one core. A pair that has not grown for long may be missing; if it grows
	 * again, it begins at 0. */
	struct ctd_pairs pairs;
	struct ctd_throttlings throttlings; /* owned; of the cgroups that have limits */
	struct ctd_budget_state budget; /* of the measurement itself */
	struct ctd_latencies latencies; /* on which vendors' metrics rest */
	struct ctd_snapshot_cpu *cpus; /* owned; all possible CPUs, by their numbers */
	size_t cpus_count;
};

void ctd_snapshot_free(struct ctd_snapshot *snapshot);
/* The order of rows, as qsort(3) wants it. */
int ctd_snapshot_row_compare(const void *left, const void *right);
/* True if rows are in that order, CPUs in the order of their numbers, and each is there once. */
bool ctd_snapshot_is_ordered(const struct ctd_snapshot *snapshot);

#endif
