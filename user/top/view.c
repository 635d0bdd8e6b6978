/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* view.c - makes lines of a frame: grouped, sorted, filtered, folded. */
#include "top/view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "format/format.h"
#include "top/row_key.h"
#include "top/state.h"

static bool contains(const char *text, const char *part)
{
	return text && strcasestr(text, part);
}

static bool matches(const struct ctd_report_row *row, const char *filter)
{
	struct ctd_row_facts facts;

	if (!*filter || contains(row->name, filter))
		return true;
	ctd_row_facts(row->kind, row->identity, &facts);
	return contains(facts.node, filter) || contains(facts.namespace_name, filter) ||
	       contains(facts.pod, filter) || contains(facts.container, filter) ||
	       contains(facts.container_id, filter) || contains(facts.image, filter) ||
	       contains(facts.owner, filter);
}

static uint64_t key_of(const struct ctd_report_row *row)
{
	uint64_t key = ctd_top_row_key(row->kind, row->identity, row->cgroup_id, row->pid);

	if (row->hidden_sum)
		key++;
	return key;
}

/* In a tree, what is above a row that the filter lets through stays, too. */
static bool *let_through(const struct ctd_report *report, const char *filter)
{
	bool *kept = calloc(report->rows_count + 1, sizeof(*kept));

	for (size_t i = 0; kept && i < report->rows_count; i++) {
		if (!matches(&report->rows[i], filter))
			continue;
		for (int at = (int)i; at >= 0 && !kept[at]; at = report->rows[at].parent)
			kept[at] = true;
	}
	return kept;
}

static bool is_part_of_folded(const struct ctd_report *report, const bool *folded, size_t at)
{
	for (int above = report->rows[at].parent; above >= 0; above = report->rows[above].parent)
		if (folded[above])
			return true;
	return false;
}

static int add_lines(const struct ctd_top_state *state, struct ctd_top_view *view)
{
	const struct ctd_report *report = &view->report;
	uint64_t sum_key = 0;
	autofree bool *kept = let_through(report, state->filter);
	autofree bool *folded = calloc(report->rows_count + 1, sizeof(*folded));

	view->lines = calloc(report->rows_count + 1, sizeof(*view->lines));
	if (!kept || !folded || !view->lines)
		return -ENOMEM;
	for (size_t i = 0; i < report->rows_count; i++) {
		struct ctd_top_line *line = &view->lines[view->lines_count];
		uintptr_t is_folded;

		const struct ctd_report_row *row = &report->rows[i];

		*line = (struct ctd_top_line){.row = i, .key = key_of(row)};
		line->id = row->core_sum ? line->key : ctd_top_part_key(line->key, row->core_type);
		/* Those of its core types follow the sum of a row. */
		sum_key = row->core_sum ? line->key : sum_key;
		line->trend_core_type =
			line->key == sum_key && !row->core_sum ? row->core_type : -1;
		line->has_parts =
			i + 1 < report->rows_count && report->rows[i + 1].parent == (int)i;
		folded[i] = report->tree && line->has_parts &&
			    ctd_idmap_get(&state->folded, line->key, &is_folded);
		line->folded = folded[i];
		view->hidden += !kept[i];
		view->lines_count += kept[i] && !is_part_of_folded(report, folded, i);
	}
	return 0;
}

static double bottleneck(const struct ctd_report_row *row)
{
	return row->dominant >= 0 ? row->values[row->dominant].ratio : -1;
}

static int compare_bottlenecks(const void *first, const void *second, void *context)
{
	const struct ctd_report *report = context;
	const struct ctd_top_line *one = first, *two = second;
	const struct ctd_report_row *a = &report->rows[one->row], *b = &report->rows[two->row];
	bool a_last = a->kind >= CTD_ROLLUP_KERNEL, b_last = b->kind >= CTD_ROLLUP_KERNEL;
	double a_share = bottleneck(a), b_share = bottleneck(b);

	if (a_last != b_last)
		return a_last - b_last;
	if (!a_last && a_share != b_share)
		return a_share > b_share ? -1 : 1;
	return one->row < two->row ? -1 : one->row > two->row;
}

static bool is_by_bottleneck(const struct ctd_top_state *state, const struct ctd_report *report)
{
	return strcmp(state->sort, CTD_TOP_SORT_BOTTLENECK) == 0 && report->model && !report->tree;
}

static void swap(struct ctd_top_line *one, struct ctd_top_line *other)
{
	struct ctd_top_line kept = *one;

	*one = *other;
	*other = kept;
}

/* The kernel's and idle time stay last. In a tree, parts stay below their whole. */
static void reverse_lines(struct ctd_top_view *view)
{
	size_t count = 0;

	while (count < view->lines_count &&
	       view->report.rows[view->lines[count].row].kind < CTD_ROLLUP_KERNEL)
		count++;
	for (size_t i = 0; i < count / 2 && !view->report.tree; i++)
		swap(&view->lines[i], &view->lines[count - 1 - i]);
}

/* What a report cannot be sorted by, is by CPU time first. */
static int report_frame(const struct ctd_top_state *state, struct ctd_top_view *view)
{
	struct ctd_report_options options = {
		.sort = state->sort, .top = state->top, .level = state->level};
	int error = ctd_report_make(&view->rollup, ctd_top_history_comm, view->history, &options,
				    &view->report);

	if (error != -EINVAL)
		return error;
	options.sort = view->sort = "cpu";
	return ctd_report_make(&view->rollup, ctd_top_history_comm, view->history, &options,
			       &view->report);
}

int ctd_top_view_make(struct ctd_top_history *history, const struct ctd_top_state *state,
		      struct ctd_top_view *ret_view)
{
	struct ctd_rollup_options options = {.by = state->grouping.by,
					     .tree = state->grouping.tree};
	struct ctd_top_view view = {.history = history, .sort = state->sort};
	int error;

	view.frame = ctd_top_history_find(history, state->paused ? state->number : UINT64_MAX);
	if (!view.frame) {
		*ret_view = view;
		return 0;
	}
	view.place = ctd_top_history_place(history, view.frame);
	error = ctd_rollup_make(view.frame->plan, &view.frame->interval,
				ctd_top_history_names(history, view.frame), &options, &view.rollup);
	if (!error)
		error = report_frame(state, &view);
	if (!error)
		error = add_lines(state, &view);
	if (error) {
		ctd_top_view_free(&view);
		return error;
	}
	if (is_by_bottleneck(state, &view.report)) {
		qsort_r(view.lines, view.lines_count, sizeof(*view.lines), compare_bottlenecks,
			&view.report);
		view.sort = state->sort;
	}
	if (state->reversed)
		reverse_lines(&view);
	ctd_report_add_up(&view.report, &view.sum);
	*ret_view = view;
	return 0;
}

void ctd_top_view_free(struct ctd_top_view *view)
{
	free(view->lines);
	ctd_report_free(&view->report);
	ctd_rollup_free(&view->rollup);
	*view = (struct ctd_top_view){0};
}

size_t ctd_top_view_find(const struct ctd_top_view *view, uint64_t id)
{
	size_t at = 0;

	while (at < view->lines_count && view->lines[at].id != id)
		at++;
	return at;
}

const struct ctd_report_row *ctd_top_view_row(const struct ctd_top_view *view, size_t line)
{
	return line < view->lines_count ? &view->report.rows[view->lines[line].row] : NULL;
}

const char *ctd_top_view_sort(const struct ctd_top_view *view, int number)
{
	static const char *const first[] = {"name", "cpu", "slots", CTD_TOP_SORT_BOTTLENECK};
	const struct ctd_cpu_model *model = view->frame ? view->report.model : NULL;

	if (number < (model ? 4 : 2))
		return first[number];
	number -= 4;
	for (int node = 0; model && node < model->nodes_count; node++)
		if (ctd_report_has(&view->report, node) && number-- == 0)
			return model->nodes[node].name;
	return NULL;
}
