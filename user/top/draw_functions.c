/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* draw_functions.c - which functions a row is in, and which of them lose its slots. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/auto.h"
#include "format/format.h"
#include "top/bar.h"
#include "top/draw.h"
#include "top/functions.h"
#include "top/text.h"

#define FIGURE_WIDTH 7
#define BAR_WIDTH 10
#define WIDTH_FOR_BARS 70

/* Where the columns are: those that there is no room or no figure for have none. */
struct columns {
	int cpu, share, bar, node, name; /* ends of figures, begins of others; 0: not there */
	int node_number; /* as in the profile */
	const char *node_title;
	enum ctd_paint paint;
};

/* What holds the row back, if the profile tells it. */
static void choose_node(const struct ctd_top_view *view, const struct ctd_report_row *row,
			const struct ctd_remote_functions *functions, struct columns *columns)
{
	const struct ctd_cpu_model *model = view->report.model;
	int at = row->dominant;

	columns->paint = CTD_PAINT_TREND;
	for (int i = 0; model && at >= 0 && i < functions->nodes_count; i++) {
		if (strcmp(functions->nodes[i], model->nodes[at].name) != 0)
			continue;
		columns->node_number = i;
		columns->node_title = model->nodes[at].title;
		columns->paint = ctd_top_paint_of(model, at);
	}
}

static struct columns place(const struct ctd_top_view *view, const struct ctd_report_row *row,
			    const struct ctd_remote_functions *functions, int width)
{
	struct columns columns = {0};
	bool is_wide = width >= WIDTH_FOR_BARS;
	int at = 0;

	choose_node(view, row, functions, &columns);
	if (is_wide || !functions->by_slots)
		at = columns.cpu = at + FIGURE_WIDTH;
	if (functions->by_slots)
		at = columns.share = at + FIGURE_WIDTH;
	if (is_wide) {
		columns.bar = at + 2;
		at = columns.bar + BAR_WIDTH;
	}
	if (columns.node_title)
		at = columns.node = at + 2 + ctd_format_width(columns.node_title);
	columns.name = at + 2;
	return columns;
}

static void add_head(struct ctd_top_page_text *page, const struct columns *columns)
{
	struct ctd_canvas *canvas = &page->canvas;

	if (columns->cpu)
		ctd_canvas_put_right(canvas, page->row, columns->cpu, CTD_PAINT_HEAD, "CPU%");
	if (columns->share)
		ctd_canvas_put_right(canvas, page->row, columns->share, CTD_PAINT_HEAD, "SLOTS");
	if (columns->node)
		ctd_canvas_put_right(canvas, page->row, columns->node, columns->paint,
				     columns->node_title);
	ctd_canvas_put(canvas, page->row++, columns->name, canvas->width, CTD_PAINT_HEAD,
		       "FUNCTION");
}

static void put_percent(struct ctd_top_page_text *page, int end, double ratio)
{
	char text[CTD_FIGURE_BYTES];

	if (!end)
		return;
	snprintf(text, sizeof(text), "%.1f", 100 * ratio);
	ctd_canvas_put_right(&page->canvas, page->row, end, CTD_PAINT_PLAIN,
			     isnan(ratio) ? "-" : text);
}

static void add_function(struct ctd_top_page_text *page, const struct columns *columns,
			 const struct ctd_remote_function *function)
{
	struct ctd_canvas *canvas = &page->canvas;
	const char *slash = strrchr(function->file, '/');
	const char *file = slash ? slash + 1 : function->file;
	autofree char *name = ctd_format_printable(function->name, canvas->unicode);
	autofree char *module = ctd_format_printable(file, canvas->unicode);
	int at = columns->name;

	put_percent(page, columns->cpu, function->cpus);
	put_percent(page, columns->share, function->share);
	if (columns->bar)
		ctd_top_bar_one(canvas, page->row, columns->bar, BAR_WIDTH, columns->paint,
				function->share);
	if (columns->node)
		put_percent(page, columns->node, function->nodes[columns->node_number]);
	if (name && module) {
		at += ctd_canvas_put(canvas, page->row, at, canvas->width, CTD_PAINT_PLAIN, name);
		if (*module)
			ctd_canvas_putf(canvas, page->row, at + 1, canvas->width, CTD_PAINT_DIM,
					"(%s)", module);
	}
	page->row++;
}

static void add_functions(struct ctd_top_page_text *page, const struct ctd_top_view *view,
			  const struct ctd_report_row *row,
			  const struct ctd_remote_functions *functions)
{
	struct columns columns = place(view, row, functions, page->canvas.width);

	add_head(page, &columns);
	for (int i = 0; i < functions->items_count; i++)
		add_function(page, &columns, &functions->items[i]);
	if (!functions->others)
		return;
	put_percent(page, columns.share, functions->others_share);
	ctd_canvas_putf(&page->canvas, page->row++, columns.name, page->canvas.width, CTD_PAINT_DIM,
			"in %zu more", functions->others);
}

void ctd_top_draw_functions(struct ctd_top_page_text *page, const struct ctd_top_view *view,
			    const struct ctd_report_row *row)
{
	const struct ctd_top_functions *functions = view->functions;
	char text[CTD_REMOTE_WHY_BYTES + 40];

	if (!functions)
		return;
	page->row++;
	if (*functions->why)
		snprintf(text, sizeof(text), "Functions: %s", functions->why);
	else if (!functions->known)
		snprintf(text, sizeof(text), "%s", "Functions: asking for its stacks ...");
	else if (!functions->of_row.items_count)
		snprintf(text, sizeof(text), "%s",
			 "Functions: no stack of it was sampled in the last minute.");
	else
		snprintf(text, sizeof(text), "Functions of the last %.0f s, %.0f samples",
			 functions->of_row.seconds, functions->of_row.samples);
	autofree char *printable = ctd_format_printable(text, page->canvas.unicode);

	if (printable)
		ctd_top_text_add(page, 0, 2, CTD_PAINT_DIM, printable);
	if (functions->known && functions->of_row.items_count)
		add_functions(page, view, row, &functions->of_row);
}
