/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pair.h - two small snapshots, for tests of their difference. */
#ifndef TESTS_UNIT_DECODE_PAIR_H
#define TESTS_UNIT_DECODE_PAIR_H

#include <cgtopdown/interval.h>

#include <string.h>

#define PAIR_COUNTERS 5
#define MS 1000000ULL

static const int pair_l1_counters[4] = {1, 2, 3, 4};

/* Two snapshots, a second apart, of two CPUs and four rows, that a test then changes. */
struct pair {
	struct ctd_snapshot_row rows[2][4];
	struct ctd_snapshot_cpu cpus[2][2];
	struct ctd_snapshot before, after;
};

static inline void pair_init(struct pair *pair)
{
	static const struct ctd_snapshot_row rows[4] = {
		{.kind = CTD_ROW_CGROUP, .cgroup_id = 5},
		{.kind = CTD_ROW_CGROUP, .cgroup_id = 9, .pid = 3},
		{.kind = CTD_ROW_IDLE},
		{.kind = CTD_ROW_OTHER},
	};

	*pair = (struct pair){
		.before = {.sequence = 1, .realtime_ns = 50, .monotonic_ns = 1000 * MS},
		.after = {.sequence = 2, .realtime_ns = 60, .monotonic_ns = 2000 * MS},
	};
	for (int i = 0; i < 2; i++) {
		struct ctd_snapshot *snapshot = i ? &pair->after : &pair->before;

		memcpy(pair->rows[i], rows, sizeof(rows));
		snapshot->counters_count = PAIR_COUNTERS;
		snapshot->rows = pair->rows[i];
		snapshot->rows_count = 4;
		pair->cpus[i][0] = (struct ctd_snapshot_cpu){.cpu = 0, .online = 1};
		pair->cpus[i][1] = (struct ctd_snapshot_cpu){.cpu = 6, .online = 1};
		snapshot->cpus = pair->cpus[i];
		snapshot->cpus_count = 2;
	}
}

/* A row that ran all the time it held a CPU. */
static inline void charge(struct ctd_snapshot_row *row, uint64_t oncpu_ns, uint64_t slots)
{
	row->oncpu_ns += oncpu_ns;
	row->running_ns += oncpu_ns;
	row->slices++;
	row->switches++;
	row->count[0] += slots;
	for (int i = 1; i < PAIR_COUNTERS; i++)
		row->count[i] += slots / 4;
}

static inline struct ctd_interval pair_make(const struct pair *pair)
{
	struct ctd_interval interval;

	assert_int_equal(
		ctd_interval_make(&pair->before, &pair->after, pair_l1_counters, &interval), 0);
	return interval;
}

static inline const struct ctd_interval_row *find_row(const struct ctd_interval *interval,
						      enum ctd_row_kind kind, uint64_t cgroup_id)
{
	for (size_t i = 0; i < interval->rows_count; i++) {
		if (interval->rows[i].kind == kind && interval->rows[i].cgroup_id == cgroup_id)
			return &interval->rows[i];
	}
	return NULL;
}

#endif
