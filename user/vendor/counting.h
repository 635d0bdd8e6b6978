/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* counting.h - from a rotation to groups of events that can be opened, and what these have. */
#ifndef VENDOR_COUNTING_H
#define VENDOR_COUNTING_H

#include "vendor/rotation.h"

/* What is in the place of an event that no formula needs: a leader. */
#define CTD_VENDOR_NO_COUNT UINT32_MAX

struct ctd_vendor_group {
	uint32_t counts[CTD_COUNTERS_MAX]; /* of the set, of each event */
	size_t events_count;
	size_t *order; /* owned; metrics of the table to be computed, each after those it needs */
	size_t order_count;
	size_t *own; /* owned; indices of the counting's metrics that are of the group */
	size_t own_count;
};

/* @p pmu_type: of the core's PMU, for perf_event_open(2). The table and set of the rotation must
 * outlive it; the rotation need not. @return 0, -ENOMEM, -E2BIG: there are more than
 * CTD_ROTATION_GROUPS_MAX groups, or -ENOENT: there is none. */
int ctd_vendor_counting_make(const struct ctd_vendor_rotation *rotation, uint32_t pmu_type,
			     struct ctd_vendor_counting *ret_counting);
/* What perf_event_open(2) is to open for a count. */
void ctd_vendor_event_of(const struct ctd_vendor_count *count, uint32_t pmu_type,
			 struct ctd_event *ret_event);
/* The last step of making one, when its groups and metrics are there: what each group computes, and
 * memory for that. @return 0 or -ENOMEM. */
int ctd_vendor_counting_prepare(struct ctd_vendor_counting *counting);
/* Finds the latencies that metrics which are counted rest on. @return 0 or -ENOMEM. */
int ctd_vendor_counting_find_latencies(struct ctd_vendor_counting *counting);

#endif
