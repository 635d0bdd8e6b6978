/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* drill_path.c - which metrics of a row are above their thresholds, steadily, and the way down
 * these. */
#include "vendor/drill.h"

#include <math.h>
#include <string.h>

/* Looks in a row that say so before a metric is above its threshold, and is not any more. */
#define ENTER_LOOKS 2
#define LEAVE_LOOKS 3
/* What is above a threshold stays so down to 0.8 of it. */
#define RAISE 1.25
/* The part that was the largest stays so until another is larger by that. */
#define LARGEST_LEAD 1.15
/* CPU time, in tenths of a second, without which there is no figure. */
#define KNOWN_LEAST 0.1
/* Where the vendor has no thresholds (AMD, Arm): of the whole, in per cent; as in Intel's tree. */
#define TOP_PERCENT 20
#define PART_PERCENT 10

static const struct ctd_vendor_metric *metric_of(const struct ctd_drill *drill, size_t index)
{
	const struct ctd_vendor_counting *counting = drill->counting;

	return &counting->table->metrics[counting->metrics[index].metric];
}

static double *value_of(const struct ctd_drill *drill, double *values, size_t index)
{
	return &values[drill->counting->metrics[index].metric];
}

/* With @p parent -1: is it the top of the tree? What was asked for beside it is no bottleneck. */
static bool is_part_of(const struct ctd_drill *drill, size_t index, int parent)
{
	return drill->parents[index] == parent &&
	       (parent >= 0 || metric_of(drill, index)->level > 0);
}

/* By the threshold of this vendor's, or of the others. @return 1, 0; NAN: not known, as where it
 * asks for what is not counted. */
static double hotness(const struct ctd_drill *drill, size_t index, const double *values)
{
	const struct ctd_vendor_metric *metric = metric_of(drill, index);
	size_t at = drill->counting->metrics[index].metric;

	if (isnan(values[at]))
		return NAN;
	if (*metric->threshold)
		return ctd_vendor_hot(drill->counting->set, at, values);
	return metric->level > 0 && strchr(metric->unit, '%') &&
	       !strcasestr(metric->name, "retiring") &&
	       values[at] * metric->scale > (metric->level == 1 ? TOP_PERCENT : PART_PERCENT);
}

static bool is_hot(const struct ctd_drill *drill, size_t index, const double *values)
{
	return hotness(drill, index, values) > 0;
}

static void fill_values(const struct ctd_drill *drill, const struct ctd_drill_row *row)
{
	const struct ctd_vendor_counting *counting = drill->counting;

	for (size_t i = 0; i < counting->table->metrics_count; i++)
		drill->values[i] = drill->raised[i] = NAN;
	for (size_t i = 0; i < counting->metrics_count; i++) {
		const struct ctd_drill_node *node = &row->nodes[i];

		if (node->now.weight < KNOWN_LEAST)
			continue;
		*value_of(drill, drill->values, i) = node->now.mean;
		*value_of(drill, drill->raised, i) = node->now.mean * (node->over ? RAISE : 1);
	}
}

/* A look tells something new only of what was counted since the last one. */
static void move(const struct ctd_drill *drill, struct ctd_drill_row *row)
{
	for (size_t i = 0; i < drill->counting->metrics_count; i++) {
		struct ctd_drill_node *node = &row->nodes[i];
		bool hot;

		if (!node->fresh || isnan(hotness(drill, i, drill->values)))
			continue;
		hot = is_hot(drill, i, drill->values) ||
		      (node->over && is_hot(drill, i, drill->raised));
		node->streak = hot == node->over ? 0 : node->streak + 1;
		if (node->streak < (node->over ? LEAVE_LOOKS : ENTER_LOOKS))
			continue;
		node->over = hot;
		node->streak = 0;
	}
}

static double shown(const struct ctd_drill *drill, const struct ctd_drill_row *row, size_t index)
{
	return row->nodes[index].now.mean * metric_of(drill, index)->scale;
}

/* @return the largest part of @p parent that is above its threshold, -1: none is. */
static int largest_part(const struct ctd_drill *drill, const struct ctd_drill_row *row, int parent,
			int last)
{
	double largest = 0;
	int found = -1;

	for (size_t i = 0; i < drill->counting->metrics_count; i++) {
		double value = shown(drill, row, i) * ((int)i == last ? LARGEST_LEAD : 1);

		if (!is_part_of(drill, i, parent) || !row->nodes[i].over ||
		    row->nodes[i].now.weight < KNOWN_LEAST || (found >= 0 && value <= largest))
			continue;
		largest = value;
		found = (int)i;
	}
	return found;
}

static struct ctd_drill_step step_of(const struct ctd_drill_row *row, size_t index)
{
	return (struct ctd_drill_step){.index = index, .value = row->nodes[index].now.mean};
}

/* The largest first. */
static void find_beside(const struct ctd_drill *drill, struct ctd_drill_row *row)
{
	struct ctd_drill_path *path = &row->path;
	size_t last = path->steps[path->steps_count - 1].index;
	int parent = drill->parents[last];

	for (size_t i = 0; i < drill->counting->metrics_count; i++) {
		size_t at = path->beside_count;

		if (i == last || !is_part_of(drill, i, parent) || !row->nodes[i].over ||
		    row->nodes[i].now.weight < KNOWN_LEAST)
			continue;
		while (at > 0 &&
		       shown(drill, row, i) > shown(drill, row, path->beside[at - 1].index)) {
			if (at < CTD_DRILL_BESIDE)
				path->beside[at] = path->beside[at - 1];
			at--;
		}
		if (at < CTD_DRILL_BESIDE)
			path->beside[at] = step_of(row, i);
		path->beside_count += path->beside_count < CTD_DRILL_BESIDE;
	}
}

static void find_way(const struct ctd_drill *drill, struct ctd_drill_row *row)
{
	struct ctd_drill_path *path = &row->path;
	int at = -1;

	*path = (struct ctd_drill_path){0};
	for (int level = 0; level < CTD_DRILL_LEVELS; level++) {
		int part = largest_part(drill, row, at, row->next[level]);

		row->next[level] = part;
		if (part < 0)
			break;
		path->steps[path->steps_count++] = step_of(row, (size_t)part);
		at = part;
	}
	if (path->steps_count)
		find_beside(drill, row);
}

/* As many tenths of a second of it were counted as it takes to rely on. */
static bool is_counted(const struct ctd_drill_row *row, size_t index)
{
	return row->nodes[index].now.weight >= CTD_DRILL_LEAST;
}

static double margin(const struct ctd_drill_row *row, size_t index)
{
	return CTD_DRILL_ERRORS * ctd_drill_mean_error(&row->nodes[index].now);
}

/* The least and the most that each metric may be, in the places of values and raised ones. */
static void fill_bounds(const struct ctd_drill *drill, const struct ctd_drill_row *row)
{
	for (size_t i = 0; i < drill->counting->metrics_count; i++) {
		const struct ctd_drill_mean *now = &row->nodes[i].now;

		if (now->weight < KNOWN_LEAST)
			continue;
		*value_of(drill, drill->values, i) = now->mean - margin(row, i);
		*value_of(drill, drill->raised, i) = now->mean + margin(row, i);
	}
}

/* Is each metric on the way above its threshold, be all as small as they may? */
static bool is_above(const struct ctd_drill *drill, const struct ctd_drill_row *row)
{
	const struct ctd_drill_path *path = &row->path;
	bool above = true;

	for (size_t i = 0; above && i < path->steps_count; i++)
		above = is_counted(row, path->steps[i].index) &&
			is_hot(drill, path->steps[i].index, drill->values);
	return above;
}

/* Is no other part of @p parent above its threshold, be all as large as they may? With @p chosen:
 * or none that may be as large as that. */
static bool is_alone(const struct ctd_drill *drill, const struct ctd_drill_row *row, int parent,
		     int chosen)
{
	double least = chosen < 0 ? -INFINITY
				  : *value_of(drill, drill->values, (size_t)chosen) *
					    metric_of(drill, (size_t)chosen)->scale;

	for (size_t i = 0; i < drill->counting->metrics_count; i++) {
		double most = *value_of(drill, drill->raised, i) * metric_of(drill, i)->scale;

		if ((int)i == chosen || drill->counting->metrics[i].group < 0 ||
		    !is_part_of(drill, i, parent))
			continue;
		if (!is_counted(row, i) ||
		    (hotness(drill, i, drill->raised) != 0 && (chosen < 0 || most > least)))
			return false;
	}
	return true;
}

static bool lacks_parts(const struct ctd_drill *drill, const struct ctd_drill_row *row, int parent)
{
	for (size_t i = 0; i < drill->counting->metrics_count; i++)
		if (is_part_of(drill, i, parent) && drill->counting->metrics[i].group >= 0 &&
		    !is_counted(row, i))
			return true;
	return false;
}

static enum ctd_drill_confidence judge(const struct ctd_drill *drill,
				       const struct ctd_drill_row *row)
{
	const struct ctd_drill_path *path = &row->path;
	bool known = false, sure;
	int parent = -1;

	for (size_t i = 0; i < drill->counting->metrics_count; i++)
		known |= is_part_of(drill, i, -1) && row->nodes[i].now.weight >= KNOWN_LEAST;
	fill_bounds(drill, row);
	sure = row->sound && is_above(drill, row);
	for (size_t i = 0; sure && i < path->steps_count; i++) {
		sure = is_alone(drill, row, parent, (int)path->steps[i].index);
		parent = (int)path->steps[i].index;
	}
	if (!known)
		return CTD_DRILL_UNKNOWN;
	return sure && is_alone(drill, row, parent, -1) ? CTD_DRILL_HIGH : CTD_DRILL_LOW;
}

void ctd_drill_walk(struct ctd_drill *drill, struct ctd_drill_row *row)
{
	struct ctd_drill_path *path = &row->path;

	fill_values(drill, row);
	move(drill, row);
	find_way(drill, row);
	path->confidence = judge(drill, row);
	path->unfinished = lacks_parts(
		drill, row, path->steps_count ? (int)path->steps[path->steps_count - 1].index : -1);
}

bool ctd_drill_wants(const struct ctd_drill *drill, const struct ctd_drill_row *row, size_t index)
{
	int parent = drill->parents[index];

	/* Of what may turn out to be above its threshold at the next look, too. */
	while (parent >= 0 && (drill->asks_parts[parent] ||
			       (row && (row->nodes[parent].over || row->nodes[parent].streak))))
		parent = drill->parents[parent];
	return parent < 0;
}

bool ctd_drill_asks_parts(const struct ctd_drill *drill, size_t index)
{
	for (size_t i = 0; i < drill->counting->table->metrics_count; i++)
		drill->values[i] = NAN;
	for (size_t i = 0; i < drill->counting->metrics_count; i++)
		if (drill->parents[i] != (int)index && drill->counting->metrics[i].group >= 0)
			*value_of(drill, drill->values, i) = 0;
	return isnan(hotness(drill, index, drill->values));
}
