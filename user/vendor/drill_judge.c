/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* drill_judge.c - tells whether a row's path holds within the errors of its figures. */
#include "vendor/drill.h"

#include <math.h>

/* How far figures of a tenth of a second of a steady load lie from their mean, twice over: a part
 * of the whole, and of the figure itself. */
#define SPREAD_WHOLE_PERCENT 2
#define SPREAD_RATIO 0.2

static bool is_counted(const struct ctd_drill_row *row, size_t index)
{
	return ctd_drill_mean_suffices(&row->nodes[index].now);
}

static const struct ctd_vendor_metric *metric_of(const struct ctd_drill *drill, size_t index)
{
	const struct ctd_vendor_counting *counting = drill->counting;

	return &counting->table->metrics[counting->metrics[index].metric];
}

static double margin(const struct ctd_drill *drill, const struct ctd_drill_row *row, size_t index)
{
	const struct ctd_vendor_metric *metric = metric_of(drill, index);
	const struct ctd_drill_mean *now = &row->nodes[index].now;
	double least = SPREAD_RATIO * fabs(now->mean);

	if (ctd_vendor_is_percent(metric) && metric->scale > 0)
		least += SPREAD_WHOLE_PERCENT / metric->scale;
	return CTD_DRILL_ERRORS * ctd_drill_mean_error(now, ctd_drill_mean_spread(now, least));
}

/* The least and the most that each metric may be, in the places of values and raised ones. */
static void fill_bounds(const struct ctd_drill *drill, const struct ctd_drill_row *row)
{
	const struct ctd_vendor_counting *counting = drill->counting;

	for (size_t i = 0; i < counting->metrics_count; i++) {
		size_t at = counting->metrics[i].metric;

		if (isnan(drill->values[at]))
			continue;
		drill->values[at] = row->nodes[i].now.mean - margin(drill, row, i);
		drill->raised[at] = row->nodes[i].now.mean + margin(drill, row, i);
	}
}

/* Is each metric on the path above its threshold, if all are as small as they may be? */
static bool is_above(const struct ctd_drill *drill, const struct ctd_drill_row *row)
{
	const struct ctd_drill_path *path = &row->path;
	bool above = true;

	for (size_t i = 0; above && i < path->steps_count; i++)
		above = is_counted(row, path->steps[i].index) &&
			ctd_drill_hot(drill, path->steps[i].index, drill->values) > 0;
	return above;
}

static double rank_in(const struct ctd_drill *drill, size_t index, const double *values)
{
	return ctd_drill_rank(drill, index, values[drill->counting->metrics[index].metric]);
}

/* Can the part be larger than the chosen one, which is at least @p least? In another unit it cannot
 * be compared, so it can. */
static bool may_exceed(const struct ctd_drill *drill, size_t index, double least)
{
	return !ctd_vendor_is_percent(metric_of(drill, index)) ||
	       rank_in(drill, index, drill->raised) > least;
}

/* Is no other part of @p parent above its threshold, if all are as large as they may be? With
 * @p chosen: or none that may be as large as that. Parts that cannot be counted may be anything. */
static bool is_alone(const struct ctd_drill *drill, const struct ctd_drill_row *row, int parent,
		     int chosen)
{
	double least = chosen < 0 ? -INFINITY : rank_in(drill, (size_t)chosen, drill->values);

	for (size_t i = 0; i < drill->counting->metrics_count; i++) {
		if ((int)i == chosen || drill->parents[i] != parent)
			continue;
		if (!is_counted(row, i) ||
		    (ctd_drill_hot(drill, i, drill->raised) != 0 && may_exceed(drill, i, least)))
			return false;
	}
	return true;
}

/* Parts of @p parent that cannot be counted, and whether others are counted too little. */
static bool lacks_parts(const struct ctd_drill *drill, struct ctd_drill_row *row, int parent)
{
	struct ctd_drill_path *path = &row->path;
	bool lacks = false;

	for (size_t i = 0; i < drill->counting->metrics_count; i++) {
		if (drill->parents[i] != parent)
			continue;
		lacks |= drill->counting->metrics[i].group >= 0 && !is_counted(row, i);
		if (drill->counting->metrics[i].group >= 0 || path->blind)
			continue;
		path->blind = true;
		path->blind_index = i;
	}
	return lacks;
}

void ctd_drill_judge(struct ctd_drill *drill, struct ctd_drill_row *row)
{
	struct ctd_drill_path *path = &row->path;
	int parent = CTD_DRILL_TOP;
	bool sure;

	fill_bounds(drill, row);
	sure = is_above(drill, row);
	for (size_t i = 0; i <= path->steps_count; i++) {
		int chosen = i < path->steps_count ? (int)path->steps[i].index : -1;

		sure = sure && is_alone(drill, row, parent, chosen);
		path->unfinished |= lacks_parts(drill, row, parent);
		parent = chosen;
	}
	path->confidence = sure ? CTD_DRILL_HIGH : CTD_DRILL_LOW;
}
