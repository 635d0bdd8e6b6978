/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* draw_detail.c - a row's own screen: what it is, where its slots go on all levels, its last minute.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/auto.h"
#include "format/format.h"
#include "format/layout.h"
#include "top/bar.h"
#include "top/draw.h"
#include "top/text.h"
#include "top/trend.h"

#define CELLS_MAX 60
#define TITLE_COLUMN 16
#define FIGURE_END (TITLE_COLUMN + 8)
#define BAR_WIDTH 20

static void add_fact(struct ctd_top_page_text *page, const char *term, const char *text)
{
	autofree char *printable = text ? ctd_format_printable(text, page->canvas.unicode) : NULL;

	if (!printable)
		return;
	ctd_canvas_put(&page->canvas, page->row, 0, page->canvas.width, CTD_PAINT_DIM, term);
	ctd_top_text_add(page, TITLE_COLUMN, TITLE_COLUMN, CTD_PAINT_PLAIN, printable);
}

static void add_facts(struct ctd_top_page_text *page, const struct ctd_report_row *row)
{
	struct ctd_row_facts facts;
	autofree char *owner = NULL;

	ctd_row_facts(row->kind, row->identity, &facts);
	add_fact(page, "node", facts.node);
	add_fact(page, "namespace", facts.namespace_name);
	add_fact(page, "pod", facts.pod);
	if (facts.owner &&
	    asprintf(&owner, "%s %s", facts.owner_kind ? facts.owner_kind : "", facts.owner) >= 0)
		add_fact(page, "owner", owner);
	add_fact(page, "container", facts.container);
	add_fact(page, "image", facts.image);
	add_fact(page, "container id", facts.container_id);
	add_fact(page, "runtime", facts.runtime);
	add_fact(page, "service class", facts.qos);
	add_fact(page, "cgroup", facts.cgroup);
}

/* The shares of the last minute, cell by cell, as means of the intervals in it. */
struct shares {
	struct ctd_top_history *history;
	const struct ctd_rollup_plan *plan; /* of the frame that is shown */
	struct ctd_top_grouping grouping;
	uint64_t key;
	int core_type;
	int cells;
	double sum[CTD_NODES_MAX][CELLS_MAX], weight[CTD_NODES_MAX][CELLS_MAX];
	double ipc[CELLS_MAX], ipc_weight[CELLS_MAX];
};

static void add_cell(const struct ctd_top_point *point, int cell, double weight,
		     struct shares *shares)
{
	for (int node = 0; node < CTD_NODES_MAX; node++) {
		if (!ctd_value_known(point->values[node]))
			continue;
		shares->sum[node][cell] += weight * point->values[node].ratio;
		shares->weight[node][cell] += weight;
	}
	if (!isnan(point->ipc)) {
		shares->ipc[cell] += weight * point->ipc;
		shares->ipc_weight[cell] += weight;
	}
}

static void add_shares(struct ctd_top_frame *frame, double from, double to, void *context)
{
	struct shares *shares = context;
	const struct ctd_top_point *point;
	double part;
	int cell = -1;

	/* Columns of another plan are others. */
	if (frame->plan != shares->plan)
		return;
	point = ctd_top_point_get(shares->history, frame, shares->grouping, shares->key,
				  shares->core_type);
	while ((part = ctd_top_trend_next(shares->cells, from, to, &cell)) > 0)
		add_cell(point, cell, part, shares);
}

static void divide(int cells, const double *sum, const double *weight, double *ret_values)
{
	for (int i = 0; i < cells; i++)
		ret_values[i] = weight[i] > 0 ? sum[i] / weight[i] : NAN;
}

/* A node: title, figure, bar, and its minute as high as all slots. */
static void add_node(struct ctd_top_page_text *page, const struct ctd_top_view *view,
		     const struct ctd_report_row *row, int node, const struct shares *shares)
{
	const struct ctd_cpu_model *model = view->report.model;
	const struct ctd_node *is = &model->nodes[node];
	int indent = is->level > 1 ? 2 * (is->level - 1) : 0;
	int bar = page->canvas.width - FIGURE_END - 2 - shares->cells - 2;
	char text[CTD_FIGURE_BYTES];
	double values[CELLS_MAX];
	enum ctd_paint paint = ctd_top_paint_of(model, node);

	ctd_canvas_put(&page->canvas, page->row, indent, TITLE_COLUMN - indent,
		       row->dominant == node ? CTD_PAINT_BAD : CTD_PAINT_PLAIN, is->title);
	ctd_format_value(row->values[node], is->unit, text);
	ctd_canvas_put_right(&page->canvas, page->row, FIGURE_END, CTD_PAINT_PLAIN, text);
	if (ctd_node_is_ipc(is)) {
		ctd_canvas_put(&page->canvas, page->row++, FIGURE_END + 2, page->canvas.width,
			       CTD_PAINT_DIM, ctd_unit_text(is->unit));
		return;
	}
	if (bar > BAR_WIDTH)
		bar = BAR_WIDTH;
	if (bar > 0 && ctd_value_known(row->values[node]))
		ctd_top_bar_one(&page->canvas, page->row, FIGURE_END + 2, bar, paint,
				row->values[node].ratio);
	divide(shares->cells, shares->sum[node], shares->weight[node], values);
	ctd_top_spark(&page->canvas, page->row, FIGURE_END + 2 + (bar > 0 ? bar + 2 : 0),
		      shares->cells, paint, values, 1);
	page->row++;
}

static void add_nodes(struct ctd_top_page_text *page, const struct ctd_top_view *view,
		      const struct ctd_report_row *row, const struct shares *shares, int parent)
{
	const struct ctd_cpu_model *model = view->report.model;

	for (int i = 0; i < model->nodes_count; i++) {
		bool ipc = ctd_node_is_ipc(&model->nodes[i]);

		if (ipc || model->nodes[i].parent != parent ||
		    model->nodes[i].level > view->rollup.plan->level)
			continue;
		add_node(page, view, row, i, shares);
		add_nodes(page, view, row, shares, i);
	}
}

static void add_ipc(struct ctd_top_page_text *page, const struct ctd_top_view *view,
		    const struct ctd_report_row *row, const struct shares *shares)
{
	const struct ctd_cpu_model *model = view->report.model;
	double values[CELLS_MAX];

	if (!view->report.ipc)
		return;
	page->row++;
	for (int i = 0; i < model->nodes_count; i++)
		if (ctd_node_is_ipc(&model->nodes[i]))
			add_node(page, view, row, i, shares);
	divide(shares->cells, shares->ipc, shares->ipc_weight, values);
	ctd_canvas_put(&page->canvas, page->row, 0, TITLE_COLUMN, CTD_PAINT_DIM, "IPC, a minute");
	ctd_top_spark(&page->canvas, page->row++, FIGURE_END + 2, shares->cells, CTD_PAINT_TREND,
		      values, 4);
}

static void add_cpu(struct ctd_top_page_text *page, const struct ctd_top_view *view,
		    const struct ctd_top_state *state, const struct ctd_report_row *row, int cells)
{
	char text[CTD_FIGURE_BYTES] = "-";
	double cpus[CELLS_MAX], most;
	int at = FIGURE_END + 2;

	if (row)
		ctd_format_cpu(row->cpu_ns, view->report.window_ns, text);
	ctd_canvas_put(&page->canvas, page->row, 0, TITLE_COLUMN, CTD_PAINT_HEAD, "CPU%");
	ctd_canvas_put_right(&page->canvas, page->row, FIGURE_END, CTD_PAINT_HEAD, text);
	most = ctd_top_trend(view->history, view->frame, state->grouping, state->selected_key,
			     state->selected_core_type, cells, cpus);
	ctd_top_spark(&page->canvas, page->row, at, cells, CTD_PAINT_TREND, cpus, most);
	ctd_canvas_putf(&page->canvas, page->row++, at + cells + 2, page->canvas.width,
			CTD_PAINT_DIM, "at most %.1f", 100 * most);
}

static void add_figures(struct ctd_top_page_text *page, const struct ctd_top_view *view,
			const struct ctd_report_row *row, struct shares *shares)
{
	const struct ctd_cpu_model *model = view->report.model;

	if (!model)
		return;
	ctd_canvas_put(&page->canvas, page->row, 0, TITLE_COLUMN, CTD_PAINT_HEAD, "Slots");
	ctd_top_bar(&page->canvas, page->row++, TITLE_COLUMN, page->canvas.width - TITLE_COLUMN,
		    model, row->values);
	page->row++;
	/* There are no ratios of several core types. */
	if (!row->core_sum)
		ctd_top_trend_each(view->history, view->frame, add_shares, shares);
	add_nodes(page, view, row, shares, -1);
	add_ipc(page, view, row, shares);
	if (row->quality == CTD_SCALED || row->quality == CTD_LOW_CONFIDENCE) {
		page->row++;
		ctd_top_text_add(page, 0, 0, CTD_PAINT_WARM,
				 row->quality == CTD_SCALED
					 ? "~ counted part of the time, and scaled up"
					 : "? counted too little to be relied on");
	}
}

static void add_noisy(struct ctd_top_page_text *page, const char *mechanism)
{
	char text[120];

	page->row++;
	snprintf(
		text, sizeof(text),
		"Others slow it down (%s): 'cgtopdown neighbours' says how much, and which if one stands out.",
		mechanism);
	ctd_top_text_add(page, 0, 0, CTD_PAINT_BAD, text);
}

static void add_vendor(struct ctd_top_page_text *page)
{
	page->row++;
	ctd_top_text_add(
		page, 0, 0, CTD_PAINT_DIM,
		"Metrics of --metrics-dir: the page of serve shows those of this row, /metrics and /api/v1/view have them.");
}

void ctd_top_draw_detail(struct ctd_canvas *canvas, int row, int end, struct ctd_top_state *state,
			 struct ctd_top_view *view)
{
	const struct ctd_report_row *is =
		ctd_top_view_row(view, ctd_top_view_find(view, state->selected));
	struct shares shares = {.history = view->history,
				.plan = view->frame->plan,
				.grouping = state->grouping,
				.key = state->selected_key,
				.core_type = is ? is->core_type : 0,
				.cells = canvas->width - FIGURE_END - 4 - BAR_WIDTH};
	autofree char *name = is ? ctd_format_printable(is->name, canvas->unicode) : NULL;
	struct ctd_top_page_text page;

	if (shares.cells > CELLS_MAX)
		shares.cells = CELLS_MAX;
	if (shares.cells < 4)
		shares.cells = 4;
	if (ctd_top_text_begin(canvas, &page))
		return;
	ctd_top_text_add(
		&page, 0, 0, CTD_PAINT_HEAD,
		name ? name
		: view->frame->is_cut
			? "This row did not run in this interval, or is among those left out."
			: "This row did not run in this interval.");
	page.row++;
	add_cpu(&page, view, state, is, shares.cells);
	if (is) {
		add_figures(&page, view, is, &shares);
		ctd_top_draw_waits(&page, is, view->report.window_ns, FIGURE_END);
	}
	if (is && view->history->has_vendor)
		add_vendor(&page);
	if (is && is->noisy && *is->noisy)
		add_noisy(&page, is->noisy);
	if (is)
		ctd_top_draw_functions(&page, view, is);
	page.row++;
	if (is)
		add_facts(&page, is);
	ctd_top_text_end(&page, canvas, row, end, state);
}
