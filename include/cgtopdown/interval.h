/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* interval.h - the difference of two snapshots, with the quality of each row and the books of the
 * whole. */
#ifndef CGTOPDOWN_INTERVAL_H
#define CGTOPDOWN_INTERVAL_H

#include <cgtopdown/snapshot.h>
#include <cgtopdown/value.h>
#include <stdbool.h>
#include <stdint.h>

struct ctd_interval_row {
	uint64_t cgroup_id;
	uint32_t pid;
	enum ctd_row_kind kind;
	uint64_t oncpu_ns, running_ns, slices, switches;
	uint64_t raw[CTD_COUNTERS_MAX]; /* as counted */
	uint64_t count[CTD_COUNTERS_MAX]; /* scaled by oncpu_ns / running_ns; equal to raw where
					     quality is CTD_OK */
	enum ctd_quality quality; /* of the counts; CTD_UNSUPPORTED without counters */
};

struct ctd_interval_health {
	uint64_t read_errors, read_busy, lost_rows, lost_events, switches, closed_slices,
		moves_split, skipped_busy, lost_switches;
	uint64_t restarts; /* rows and CPUs of which a total was smaller than before: they count
			      from 0 */
	bool lost_switches_known; /* false: an old recording, in which they are in some row */
	struct ctd_value l1_sum_over_slots; /* about 1; not clamped; NO_DATA without slots */
	double ns_per_switch; /* NaN: no sample in this interval */
};

struct ctd_interval {
	uint64_t realtime_ns; /* end of the window */
	uint64_t window_ns;
	uint64_t sequence;
	uint32_t counters_count;
	uint32_t cpus_online;
	struct ctd_interval_row
		*rows; /* owned; rows that ran in the window, idle always; order of the snapshot */
	size_t rows_count;
	/* Time in no row, of the slices that lost switches were in; 0 where those are not known. */
	uint64_t unattributed_ns;
	/* total = sum over rows' raw + unattributed + residual, per counter, in raw counts. */
	uint64_t total[CTD_COUNTERS_MAX];
	uint64_t unattributed[CTD_COUNTERS_MAX];
	int64_t residual[CTD_COUNTERS_MAX];
	struct ctd_interval_health health;
};

/*
 * @p before must be older and of the same collector. A row that is only in @p after counts from 0,
 * and so does a row or CPU of which a total shrank: it began anew in between, which is counted in
 * health. Where only a figure of its health shrank, a CPU's counts go on. A row that is only in
 * @p before is left out (rows are removed when they have stood still for an interval).
 * @p l1_counters: from the model, four indices or -1; NULL: none.
 * @return 0, -ENOMEM, or -EBADMSG: @p after is not the later one, or has other counters.
 */
int ctd_interval_make(const struct ctd_snapshot *before, const struct ctd_snapshot *after,
		      const int *l1_counters, struct ctd_interval *ret_interval);
void ctd_interval_free(struct ctd_interval *interval);

#endif
