/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* draw_list.c - the rows, one line each. */
#include <limits.h>
#include <string.h>

#include "base/auto.h"
#include "format/format.h"
#include "format/layout.h"
#include "top/bar.h"
#include "top/columns.h"
#include "top/draw.h"
#include "top/trend.h"

#define CELLS_MAX 64
/* Trends of less than this part of a CPU are of no height: they would look like storms. */
#define TREND_LEAST_CPUS 0.1

static bool is_dim(const struct ctd_report_row *row)
{
	return row->kind >= CTD_ROLLUP_KERNEL;
}

/* In a tree the cgroup of a container or pod is called as that is: its own name is an id. */
static const char *short_name(const struct ctd_report *report, const struct ctd_report_row *row)
{
	const struct ctd_identity *identity = row->identity;
	const char *name = NULL;

	if (row->kind == CTD_ROLLUP_CGROUP && identity &&
	    identity->placed_bytes == strlen(identity->path))
		name = identity->kind == CTD_IS_CONTAINER ? identity->names.container_name
		       : identity->kind == CTD_IS_POD	  ? identity->names.pod_name
							  : NULL;
	return name ? name : ctd_layout_name(report, row);
}

static char *name_of(const struct ctd_canvas *canvas, const struct ctd_top_view *view,
		     const struct ctd_report_row *row)
{
	const struct ctd_report *report = &view->report;

	return ctd_format_printable(report->tree ? short_name(report, row)
						 : ctd_layout_name(report, row),
				    canvas->unicode);
}

static int name_width(const struct ctd_canvas *canvas, const struct ctd_top_view *view)
{
	int widest = 0;

	for (size_t i = 0; i < view->lines_count; i++) {
		const struct ctd_report_row *row = ctd_top_view_row(view, i);
		autofree char *name = name_of(canvas, view, row);
		autofree char *shown =
			name ? ctd_format_shorten(name, INT_MAX, canvas->unicode) : NULL;
		int width = shown ? ctd_format_width(shown) + 2 * row->depth : 0;

		if (view->report.tree)
			width += 2;
		widest = width > widest ? width : widest;
	}
	return widest;
}

/* One row of the list, as it is drawn. */
struct drawing {
	struct ctd_canvas *canvas;
	const struct ctd_top_state *state;
	const struct ctd_top_view *view;
	const struct ctd_top_columns *columns;
	const struct ctd_top_line *line;
	const struct ctd_report_row *row;
	int at; /* row of the canvas */
};

static void draw_name(const struct drawing *drawing, int column, int width)
{
	static const char *const marks[2][2] = {{"- ", "+ "}, {"▾ ", "▸ "}};
	const struct ctd_top_view *view = drawing->view;
	bool unicode = drawing->canvas->unicode;
	autofree char *name = name_of(drawing->canvas, view, drawing->row);
	autofree char *shown = NULL;
	int indent = view->report.tree ? 2 * drawing->row->depth : 0;

	if (indent > width / 2)
		indent = width / 2;
	if (view->report.tree) {
		if (drawing->line->has_parts)
			ctd_canvas_put(drawing->canvas, drawing->at, column + indent,
				       width - indent, CTD_PAINT_DIM,
				       marks[unicode][drawing->line->folded]);
		indent += 2;
	}
	if (name && width > indent)
		shown = ctd_format_shorten(name, width - indent, unicode);
	if (shown)
		ctd_canvas_put(drawing->canvas, drawing->at, column + indent, width - indent,
			       is_dim(drawing->row) ? CTD_PAINT_DIM : CTD_PAINT_PLAIN, shown);
}

/* The bottleneck and what it is a part of stand out, then what is worth a look. */
static enum ctd_paint paint_of(const struct drawing *drawing, int node)
{
	const struct ctd_report_row *row = drawing->row;
	const struct ctd_node *nodes = drawing->view->report.model->nodes;

	if (is_dim(row))
		return CTD_PAINT_DIM;
	if (row->cool & 1u << node || !ctd_value_known(row->values[node]))
		return CTD_PAINT_PLAIN;
	for (int at = row->dominant; at >= 0; at = nodes[at].parent)
		if (at == node)
			return CTD_PAINT_BAD;
	return nodes[node].role == CTD_ROLE_RETIRING ? CTD_PAINT_RETIRING : CTD_PAINT_WARM;
}

static void draw_bar(const struct drawing *drawing, int column, int width)
{
	const struct ctd_cpu_model *model = drawing->view->report.model;
	const struct ctd_value *values = drawing->row->values;
	bool known = false;

	/* What waits for work loses nothing. */
	if (drawing->row->kind == CTD_ROLLUP_IDLE)
		return;
	for (int i = 0; i < model->nodes_count; i++)
		known |= ctd_value_known(values[i]);
	if (known)
		ctd_top_bar(drawing->canvas, drawing->at, column, width, model, values);
	else if (!drawing->row->core_sum)
		ctd_canvas_put(drawing->canvas, drawing->at, column, width, CTD_PAINT_DIM,
			       "no data");
}

static void draw_bottleneck(const struct drawing *drawing, int column, int width)
{
	const struct ctd_report_row *row = drawing->row;
	enum ctd_paint paint = is_dim(row) ? CTD_PAINT_DIM : CTD_PAINT_BAD;
	char title[64];
	int at;

	if (row->dominant < 0)
		return;
	ctd_layout_title(&drawing->view->report, row->dominant, drawing->columns->path,
			 drawing->canvas->unicode, title, sizeof(title));
	at = ctd_canvas_put(drawing->canvas, drawing->at, column, width, paint, title);
	if (drawing->columns->share && width - at >= 5)
		ctd_canvas_putf(drawing->canvas, drawing->at, column + at, width - at, paint,
				" %.0f%%", 100 * row->values[row->dominant].ratio);
}

static void draw_trend(const struct drawing *drawing, int column, int width)
{
	double cpus[CELLS_MAX], most;
	enum ctd_paint paint = is_dim(drawing->row) ? CTD_PAINT_DIM : CTD_PAINT_TREND;

	if (width > CELLS_MAX)
		width = CELLS_MAX;
	/* Of the sum of what is cut off nothing is kept. */
	if (drawing->row->hidden_sum)
		return;
	most = ctd_top_trend(drawing->view->history, drawing->view->frame, drawing->state->grouping,
			     drawing->line->key, drawing->line->trend_core_type, width, cpus);
	ctd_top_spark(drawing->canvas, drawing->at, column, width, paint, cpus,
		      most < TREND_LEAST_CPUS ? TREND_LEAST_CPUS : most);
}

static void format_count(const struct drawing *drawing, uint64_t count, char text[CTD_FIGURE_BYTES])
{
	if (drawing->view->frame->is_past)
		snprintf(text, CTD_FIGURE_BYTES, "-");
	else
		ctd_format_count(count, text);
}

static void draw_cell(const struct drawing *drawing, const struct ctd_top_column *column, int at)
{
	const struct ctd_report *report = &drawing->view->report;
	const struct ctd_report_row *row = drawing->row;
	enum ctd_paint paint = is_dim(row) ? CTD_PAINT_DIM : CTD_PAINT_PLAIN;
	char text[CTD_FIGURE_BYTES];

	switch (column->kind) {
	case CTD_TOP_NAME:
		draw_name(drawing, at, column->width);
		return;
	case CTD_TOP_CORE:
		ctd_canvas_put(drawing->canvas, drawing->at, at, column->width, paint,
			       ctd_report_core_type_name(report, row));
		return;
	case CTD_TOP_BAR:
		draw_bar(drawing, at, column->width);
		return;
	case CTD_TOP_BOTTLENECK:
		draw_bottleneck(drawing, at, column->width);
		return;
	case CTD_TOP_NOISY:
		ctd_canvas_put(drawing->canvas, drawing->at, at, column->width,
			       row->noisy ? CTD_PAINT_BAD : CTD_PAINT_DIM,
			       row->noisy ? row->noisy : "-");
		return;
	case CTD_TOP_TREND:
		draw_trend(drawing, at, column->width);
		return;
	case CTD_TOP_CPU:
		ctd_format_cpu(row->cpu_ns, report->window_ns, text);
		break;
	case CTD_TOP_SWITCHES:
		format_count(drawing, row->switches, text);
		break;
	case CTD_TOP_SLICES:
		format_count(drawing, row->slices, text);
		break;
	case CTD_TOP_NODE:
		ctd_format_value(row->values[column->node], report->model->nodes[column->node].unit,
				 text);
		paint = paint_of(drawing, column->node);
		break;
	}
	ctd_canvas_put_right(drawing->canvas, drawing->at, at + column->width, paint, text);
}

static bool is_right(const struct ctd_top_column *column)
{
	return column->kind == CTD_TOP_CPU || column->kind == CTD_TOP_SWITCHES ||
	       column->kind == CTD_TOP_SLICES || column->kind == CTD_TOP_NODE;
}

static void draw_heads(struct ctd_canvas *canvas, int row, const struct ctd_top_columns *columns,
		       struct ctd_top_state *state, const struct ctd_top_view *view)
{
	int at = 0;

	state->seen.head_row = row;
	state->seen.heads_count = columns->count;
	for (int i = 0; i < columns->count; i++) {
		const struct ctd_top_column *column = &columns->column[i];
		bool sorts = column->sort && strcmp(column->sort, view->sort) == 0;
		enum ctd_paint paint = sorts ? CTD_PAINT_WARM : CTD_PAINT_HEAD;

		if (is_right(column))
			ctd_canvas_put_right(canvas, row, at + column->width, paint, column->title);
		else
			ctd_canvas_put(canvas, row, at, column->width, paint, column->title);
		state->seen.heads[i].from = at;
		state->seen.heads[i].to = at += column->width + 1;
		snprintf(state->seen.heads[i].sort, sizeof(state->seen.heads[i].sort), "%s",
			 column->sort ? column->sort : "");
	}
	ctd_canvas_reverse(canvas, row);
}

static void draw_row(struct drawing *drawing)
{
	int at = 0;

	for (int i = 0; i < drawing->columns->count; i++) {
		draw_cell(drawing, &drawing->columns->column[i], at);
		at += drawing->columns->column[i].width + 1;
	}
	if (drawing->line->id == drawing->state->selected)
		ctd_canvas_reverse(drawing->canvas, drawing->at);
}

void ctd_top_draw_list(struct ctd_canvas *canvas, int row, int end, struct ctd_top_state *state,
		       struct ctd_top_view *view)
{
	struct ctd_top_columns columns;
	struct drawing drawing = {
		.canvas = canvas, .state = state, .view = view, .columns = &columns};

	ctd_top_columns_make(&view->report, canvas->width, name_width(canvas, view), &columns);
	if (end - row > 1)
		draw_heads(canvas, row++, &columns, state, view);
	state->seen.list_row = row;
	state->seen.page_lines = end > row ? (size_t)(end - row) : 0;
	ctd_top_state_settle(state, view);
	if (!view->lines_count)
		ctd_canvas_put(canvas, row, 0, canvas->width, CTD_PAINT_DIM,
			       *state->filter ? "No row has that text." : "Nothing ran.");
	for (size_t i = 0; i < state->seen.page_lines && state->first + i < view->lines_count;
	     i++) {
		drawing.line = &view->lines[state->first + i];
		drawing.row = &view->report.rows[drawing.line->row];
		drawing.at = row + (int)i;
		draw_row(&drawing);
	}
}
