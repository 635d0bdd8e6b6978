/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* recall.c - makes intervals of the points of a history, as if views of then had been subtracted. */
#include "remote/recall.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"

#define NO_ROW SIZE_MAX

/* Two views that have nothing but names, and where each figure of the past goes in the later one. */
struct recall {
	const struct ctd_remote_past *past;
	const struct ctd_remote_plan *plan;
	struct ctd_remote_view before, after; /* rows and core types are owned, texts borrowed */
	size_t *place; /* owned; of each row of the past its row in both; or NO_ROW */
	int core_type[CTD_CORE_TYPES_MAX]; /* of each of the past's: that of the view; -1: none */
	/* Of each node of each of the view's core types: that of the past; -1: it has none. */
	int node[CTD_CORE_TYPES_MAX][CTD_NODES_MAX];
};

static void clear_core_type(struct ctd_remote_core_type *type)
{
	type->unattributed_slots = 0;
	type->residual_slots = 0;
	type->fetched = (struct ctd_remote_total){0};
}

/* Of a view, without its totals, and without what a history does not tell. @return false without
 * memory. */
static bool copy_empty(const struct ctd_remote_view *view, struct ctd_remote_view *ret_copy)
{
	size_t types = (size_t)view->core_types_count;

	*ret_copy = (struct ctd_remote_view){
		.cpus = view->cpus,
		.core_types = calloc(types + 1, sizeof(*view->core_types)),
		.core_types_count = view->core_types_count,
	};
	for (size_t i = 0; ret_copy->core_types && i < types; i++) {
		ret_copy->core_types[i] = view->core_types[i];
		clear_core_type(&ret_copy->core_types[i]);
	}
	return ret_copy->core_types;
}

/* Rows of both are in the order of their keys: so are those that are in both. */
static int place_rows(struct recall *recall, const struct ctd_remote_view *view)
{
	const struct ctd_remote_past *past = recall->past;
	struct ctd_remote_view *before = &recall->before, *after = &recall->after;

	recall->place = calloc(past->rows_count + 1, sizeof(*recall->place));
	before->rows = calloc(past->rows_count + 1, sizeof(*before->rows));
	after->rows = calloc(past->rows_count + 1, sizeof(*after->rows));
	if (!recall->place || !before->rows || !after->rows)
		return -ENOMEM;
	for (size_t i = 0; i < past->rows_count; i++) {
		const struct ctd_remote_row *row = ctd_remote_view_find(view, past->rows[i].key);

		recall->place[i] = row ? before->rows_count : NO_ROW;
		if (!row)
			continue;
		before->rows[before->rows_count] = *row;
		before->rows[before->rows_count++].total = (struct ctd_remote_total){0};
	}
	memcpy(after->rows, before->rows, before->rows_count * sizeof(*before->rows));
	after->rows_count = before->rows_count;
	return 0;
}

static int find_core_type(const struct ctd_remote_view *view, const char *name)
{
	for (int i = 0; i < view->core_types_count; i++)
		if (view->core_types_count == 1 || strcmp(view->core_types[i].name, name) == 0)
			return i;
	return -1;
}

static int find_node(const struct ctd_remote_past *past, const char *name)
{
	int i = 0;

	while (i < past->nodes_count && strcmp(past->nodes[i], name) != 0)
		i++;
	return i < past->nodes_count ? i : -1;
}

static int begin(struct recall *recall, const struct ctd_remote_view *view)
{
	const struct ctd_remote_past *past = recall->past;

	if (!copy_empty(view, &recall->before) || !copy_empty(view, &recall->after))
		return -ENOMEM;
	for (int i = 0; i < past->core_types_count; i++)
		recall->core_type[i] = find_core_type(view, past->core_types[i].name);
	for (int i = 0; i < view->core_types_count; i++)
		for (int node = 0; node < view->core_types[i].nodes_count; node++)
			recall->node[i][node] =
				find_node(past, view->core_types[i].nodes[node].name);
	return place_rows(recall, view);
}

static void end(struct recall *recall)
{
	free(recall->before.rows);
	free(recall->before.core_types);
	free(recall->after.rows);
	free(recall->after.core_types);
	free(recall->place);
}

/* 0 where it is not known: for sums. */
static uint64_t figure_at(const uint64_t *values, size_t point)
{
	return values[point] == CTD_REMOTE_ABSENT ? 0 : values[point];
}

/* @return false: of some node of the tree they are not known, as where that was not counted then. */
static bool add_node_slots(const struct recall *recall, const struct ctd_remote_past_row *row,
			   size_t point, int core_type, struct ctd_remote_total *total)
{
	struct ctd_remote_total sum = *total;
	const int *nodes;
	int count = ctd_remote_plan_nodes(recall->plan, core_type, &nodes);

	for (int i = 0; i < count; i++) {
		int node = recall->node[core_type][nodes[i]];

		if (node < 0 || row->node_slots[node][point] == CTD_REMOTE_ABSENT)
			return false;
		sum.node_slots[nodes[i]] += row->node_slots[node][point];
	}
	*total = sum;
	return true;
}

/* Slots whose nodes are not known would seem to be of none: then there is time only. */
static void add_row(const struct recall *recall, const struct ctd_remote_past_row *row,
		    size_t point, int core_type, struct ctd_remote_total *total)
{
	total->cpu_ns += figure_at(row->cpu_ns, point);
	if (!figure_at(row->slots, point) || !add_node_slots(recall, row, point, core_type, total))
		return;
	total->slots += row->slots[point];
	total->slots_known = true;
	total->counted_ns += figure_at(row->cpu_ns, point);
}

static void fill_totals(struct recall *recall, size_t point)
{
	const struct ctd_remote_past *past = recall->past;
	struct ctd_remote_view *after = &recall->after;

	after->unattributed_ns = figure_at(past->unattributed_ns, point);
	for (int i = 0; i < after->core_types_count; i++)
		clear_core_type(&after->core_types[i]);
	for (int i = 0; i < past->core_types_count; i++) {
		const struct ctd_remote_past_core_type *type = &past->core_types[i];
		struct ctd_remote_core_type *to;

		if (recall->core_type[i] < 0)
			continue;
		to = &after->core_types[recall->core_type[i]];
		to->unattributed_slots += figure_at(type->unattributed_slots, point);
		to->residual_slots = (int64_t)((uint64_t)to->residual_slots +
					       (uint64_t)type->residual_slots[point]);
	}
}

/* As what was fetched from what has gone: it becomes kind other. */
static void add_gone(struct recall *recall, const struct ctd_remote_past_row *row, size_t point)
{
	int type = find_core_type(&recall->after, row->core);

	if (type >= 0)
		add_row(recall, row, point, type, &recall->after.core_types[type].fetched);
}

static void fill_rows(struct recall *recall, size_t point)
{
	const struct ctd_remote_past *past = recall->past;

	for (size_t i = 0; i < past->rows_count; i++) {
		struct ctd_remote_row *row;

		if (recall->place[i] == NO_ROW) {
			add_gone(recall, &past->rows[i], point);
			continue;
		}
		row = &recall->after.rows[recall->place[i]];
		row->total = (struct ctd_remote_total){0};
		add_row(recall, &past->rows[i], point, row->core_type, &row->total);
	}
}

/*
 * When the interval of each point ends, which is 0 so far, and stays so where there is none.
 * Intervals follow each other, and end somewhere in their points: of the newest one it is known
 * where, and each other one ends where the next begins, or else with its point. Where the history
 * has more than is wanted, nothing says how much of the last point is.
 */
static void find_ends(const struct ctd_remote_past *past, uint64_t until_ns, uint64_t *ret_ends_ns)
{
	bool is_newer = past->kept_until_ns > until_ns;
	uint64_t next_ns = is_newer ? until_ns : past->kept_until_ns;

	for (size_t i = past->points; i-- > 0;) {
		uint64_t end_ns = past->since_ns + (i + 1) * past->step_ns;
		uint64_t window_ns = figure_at(past->window_ns, i);

		if (!window_ns || (is_newer && end_ns > until_ns))
			continue;
		if (end_ns > next_ns)
			end_ns = next_ns;
		if (end_ns <= window_ns)
			continue;
		ret_ends_ns[i] = end_ns;
		next_ns = end_ns - window_ns;
	}
}

static int hand_out(struct recall *recall, size_t point, uint64_t end_ns,
		    ctd_remote_recall_take *take, void *context)
{
	struct ctd_remote_interval interval;
	int error;

	fill_totals(recall, point);
	fill_rows(recall, point);
	recall->before.elapsed_ns = end_ns - recall->past->window_ns[point];
	recall->after.elapsed_ns = recall->after.time_ns = end_ns;
	error = ctd_remote_interval_make(recall->plan, &recall->before, &recall->after, &interval);
	if (error)
		return error;
	error = take(&interval, context);
	ctd_remote_interval_free(&interval);
	return error;
}

int ctd_remote_recall(const struct ctd_remote_past *past, const struct ctd_remote_view *view,
		      const struct ctd_remote_plan *plan, ctd_remote_recall_take *take,
		      void *context)
{
	struct recall recall = {.past = past, .plan = plan};
	autofree uint64_t *ends_ns = NULL;
	int error;

	/* Slots that were made up are not shown as measured ones. */
	if (past->simulated && !view->simulated)
		return 0;
	ends_ns = calloc(past->points, sizeof(*ends_ns));
	error = ends_ns ? begin(&recall, view) : -ENOMEM;
	if (!error)
		find_ends(past, view->time_ns, ends_ns);
	for (size_t i = 0; !error && i < past->points; i++)
		if (ends_ns[i])
			error = hand_out(&recall, i, ends_ns[i], take, context);
	end(&recall);
	return error;
}
