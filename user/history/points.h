/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* points.h - adds intervals up into the points of a series. */
#ifndef HISTORY_POINTS_H
#define HISTORY_POINTS_H

#include <cgtopdown/identity.h>
#include <cgtopdown/interval.h>
#include <cgtopdown/record.h>

#include "history/series.h"

/* Start from a zeroed struct with what the series starts from, and the glob. */
struct ctd_points {
	struct ctd_series series; /* owned */
	const char *cgroup_glob; /* borrowed; NULL: all rows */

	struct ctd_rollup_plan *plan; /* owned; NULL: counted by a design that is not known here */
	const struct ctd_identities *identities; /* borrowed; of the sum */
	struct ctd_interval sum; /* owned; of the point that is being added up; no groups: empty */
	size_t point; /* of the sum */
};

/* Call before the first interval and where the plan of counters changes: the intervals that follow
 * are of that plan. Those before it are put into the series. @return 0 or negative errno. */
int ctd_points_plan(struct ctd_points *points, const struct ctd_record_header *header,
		    const struct ctd_identities *identities);
/* Adds an interval to the point @p index. Intervals of one point come one after the other. Left out
 * are those of a plan that is not known, and those past the last point. @return 0 or negative
 * errno, also of ctd_series_add(). */
int ctd_points_add(struct ctd_points *points, size_t index, const struct ctd_interval *interval);
/* Call after the last interval: puts the last point into the series. */
int ctd_points_end(struct ctd_points *points);
void ctd_points_free(struct ctd_points *points);

#endif
