/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* drill_path.c - finds the path down those metrics of a row that are steadily above their
 * thresholds. */
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
/* CPU time, in tenths of a second, below which a mean is not used. */
#define KNOWN_LEAST 0.1

static bool is_known(const struct ctd_drill_row *row, size_t index)
{
	return row->nodes[index].now.weight >= KNOWN_LEAST;
}

static void fill_values(const struct ctd_drill *drill, const struct ctd_drill_row *row)
{
	const struct ctd_vendor_counting *counting = drill->counting;

	for (size_t i = 0; i < counting->table->metrics_count; i++)
		drill->values[i] = drill->raised[i] = NAN;
	for (size_t i = 0; i < counting->metrics_count; i++) {
		const struct ctd_drill_node *node = &row->nodes[i];
		size_t at = counting->metrics[i].metric;

		if (!is_known(row, i))
			continue;
		drill->values[at] = node->now.mean;
		drill->raised[at] = node->now.mean * (node->over ? RAISE : 1);
	}
}

/* A look says something new only of what was counted since the one before. */
static void move(const struct ctd_drill *drill, struct ctd_drill_row *row)
{
	for (size_t i = 0; i < drill->counting->metrics_count; i++) {
		struct ctd_drill_node *node = &row->nodes[i];
		double now;
		bool hot;

		if (!node->fresh)
			continue;
		now = ctd_drill_hot(drill, i, drill->values);
		if (isnan(now))
			continue;
		hot = now > 0 || (node->over && ctd_drill_hot(drill, i, drill->raised) > 0);
		node->streak = hot == node->over ? 0 : node->streak + 1;
		if (node->streak < (node->over ? LEAVE_LOOKS : ENTER_LOOKS))
			continue;
		node->over = hot;
		node->streak = 0;
	}
}

static double rank_of(const struct ctd_drill *drill, const struct ctd_drill_row *row, size_t index)
{
	return ctd_drill_rank(drill, index, row->nodes[index].now.mean);
}

static bool is_over(const struct ctd_drill *drill, const struct ctd_drill_row *row, size_t index,
		    int parent)
{
	return drill->parents[index] == parent && row->nodes[index].over && is_known(row, index);
}

/* @return the largest part of @p parent that is above its threshold, -1: none is. */
static int largest_part(const struct ctd_drill *drill, const struct ctd_drill_row *row, int parent,
			int last)
{
	double largest = 0;
	int found = -1;

	for (size_t i = 0; i < drill->counting->metrics_count; i++) {
		double rank = rank_of(drill, row, i) * ((int)i == last ? LARGEST_LEAD : 1);

		if (!is_over(drill, row, i, parent) || (found >= 0 && rank <= largest))
			continue;
		largest = rank;
		found = (int)i;
	}
	return found;
}

static struct ctd_drill_step step_of(const struct ctd_drill_row *row, size_t index)
{
	return (struct ctd_drill_step){.index = index, .value = row->nodes[index].now.mean};
}

/* The largest first. Retiring is not named beside a bottleneck. */
static void find_beside(const struct ctd_drill *drill, struct ctd_drill_row *row)
{
	struct ctd_drill_path *path = &row->path;
	size_t last = path->steps[path->steps_count - 1].index;

	for (size_t i = 0; i < drill->counting->metrics_count; i++) {
		double rank = rank_of(drill, row, i);
		size_t at = path->beside_count;

		if (i == last || rank <= 0 || !is_over(drill, row, i, drill->parents[last]))
			continue;
		while (at > 0 && rank > rank_of(drill, row, path->beside[at - 1].index)) {
			if (at < CTD_DRILL_BESIDE)
				path->beside[at] = path->beside[at - 1];
			at--;
		}
		if (at < CTD_DRILL_BESIDE)
			path->beside[at] = step_of(row, i);
		path->beside_count += path->beside_count < CTD_DRILL_BESIDE;
	}
}

static void find_path(const struct ctd_drill *drill, struct ctd_drill_row *row)
{
	struct ctd_drill_path *path = &row->path;
	int at = CTD_DRILL_TOP;

	*path = (struct ctd_drill_path){0};
	for (int level = 0; level < CTD_DRILL_LEVELS; level++) {
		int part = largest_part(drill, row, at, row->last[level]);

		row->last[level] = part;
		if (part < 0)
			break;
		path->steps[path->steps_count++] = step_of(row, (size_t)part);
		at = part;
	}
	if (path->steps_count)
		find_beside(drill, row);
}

static bool knows_top(const struct ctd_drill *drill, const struct ctd_drill_row *row)
{
	bool known = false;

	for (size_t i = 0; !known && i < drill->counting->metrics_count; i++)
		known = drill->parents[i] == CTD_DRILL_TOP && is_known(row, i);
	return known;
}

void ctd_drill_walk(struct ctd_drill *drill, struct ctd_drill_row *row)
{
	fill_values(drill, row);
	move(drill, row);
	find_path(drill, row);
	row->path.scarce = row->cpus < CTD_DRILL_LEAST_CPUS;
	if (knows_top(drill, row))
		ctd_drill_judge(drill, row);
	else
		row->path.unfinished = true;
}

bool ctd_drill_wants(const struct ctd_drill *drill, const struct ctd_drill_row *row, size_t index)
{
	int parent = drill->parents[index];

	/* Also below what may turn out to be above its threshold at the next look. */
	while (parent >= 0 && (drill->asks_parts[parent] ||
			       (row && (row->nodes[parent].over || row->nodes[parent].streak))))
		parent = drill->parents[parent];
	return parent < 0;
}

bool ctd_drill_asks_parts(const struct ctd_drill *drill, size_t index)
{
	const struct ctd_vendor_counting *counting = drill->counting;

	for (size_t i = 0; i < counting->table->metrics_count; i++)
		drill->values[i] = NAN;
	for (size_t i = 0; i < counting->metrics_count; i++)
		if (drill->parents[i] != (int)index && counting->metrics[i].group >= 0)
			drill->values[counting->metrics[i].metric] = 0;
	return isnan(ctd_drill_hot(drill, index, drill->values));
}
