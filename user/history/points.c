/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* points.c - adds intervals up into the points of a series. */
#include "history/points.h"

#include <errno.h>

#include "base/auto.h"

/* So many rows are added up before they are evaluated: each step copies them. */
#define SUM_ROWS_MAX 4096

int ctd_points_end(struct ctd_points *points)
{
	const struct ctd_rollup_options options = {.by = points->series.by,
						   .cgroup_glob = points->cgroup_glob};
	struct ctd_rollup rollup;
	int error;

	if (!points->sum.groups_count)
		return 0;
	error = ctd_rollup_make(points->plan, &points->sum, points->identities, &options, &rollup);
	if (!error) {
		error = ctd_series_add(&points->series, points->point, &rollup);
		ctd_rollup_free(&rollup);
	}
	ctd_interval_free(&points->sum);
	/* Nonsense under a good checksum. */
	return error == -EBADMSG ? 0 : error;
}

int ctd_points_plan(struct ctd_points *points, const struct ctd_record_header *header,
		    const struct ctd_identities *identities)
{
	const char *unknown;
	int error = ctd_points_end(points);

	if (error)
		return error;
	ctd_rollup_plan_free(take_ptr(points->plan));
	points->identities = identities;
	error = ctd_rollup_plan_new(header, &points->plan, &unknown);
	return error == -EINVAL ? 0 : error;
}

int ctd_points_add(struct ctd_points *points, size_t index, const struct ctd_interval *interval)
{
	int error = 0;

	if (!points->plan || index >= points->series.points)
		return 0;
	if (index != points->point)
		error = ctd_points_end(points);
	points->point = index;
	if (!error)
		error = ctd_interval_add(&points->sum, interval);
	return !error && points->sum.rows_count > SUM_ROWS_MAX ? ctd_points_end(points) : error;
}

void ctd_points_free(struct ctd_points *points)
{
	ctd_interval_free(&points->sum);
	ctd_series_free(&points->series);
	ctd_rollup_plan_free(points->plan);
	*points = (struct ctd_points){0};
}
