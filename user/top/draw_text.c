/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* draw_text.c - the pages of help and of explanations. */
#include <stdio.h>
#include <string.h>

#include "base/auto.h"
#include "format/format.h"
#include "format/layout.h"
#include "top/bar.h"
#include "top/draw.h"
#include "top/text.h"

#define KEYS_COLUMN 16

static void add_term(struct ctd_top_page_text *page, enum ctd_paint paint, const char *term,
		     const char *text)
{
	int column = page->canvas.width >= 3 * KEYS_COLUMN ? KEYS_COLUMN : 2;

	ctd_canvas_put(&page->canvas, page->row, 0, page->canvas.width, paint, term);
	if (ctd_format_width(term) + 2 > column)
		page->row++;
	ctd_top_text_add(page, column, column, CTD_PAINT_PLAIN, text);
}

static void add_heading(struct ctd_top_page_text *page, const char *text)
{
	page->row += page->row > 0;
	ctd_top_text_add(page, 0, 0, CTD_PAINT_HEAD, text);
}

static void add_help(struct ctd_top_page_text *page, const struct ctd_top_view *view)
{
	const struct ctd_cpu_model *model = view->frame ? view->report.model : NULL;

	add_heading(page, "Keys");
	for (const struct ctd_top_key_help *key = ctd_top_keys; key->keys; key++)
		add_term(page, CTD_PAINT_HEAD, key->keys, key->text);
	add_heading(page,
		    page->canvas.colour ? "Colours of the bars" : "Letters of the bars: r s f b");
	for (int i = 0; model && i < model->nodes_count; i++)
		if (model->nodes[i].level == 1)
			add_term(page, ctd_top_paint(model->nodes[i].role), model->nodes[i].title,
				 model->nodes[i].help);
	add_heading(page, "Figures");
	add_term(page, CTD_PAINT_HEAD, "CPU%", "CPU time, in per cent of one CPU.");
	add_term(page, CTD_PAINT_HEAD, "BOTTLENECK",
		 "What a row loses most slots to, if that is more than usual.");
	add_term(page, CTD_PAINT_HEAD, "LAST MINUTE",
		 "CPU time, as high as its largest in that time, or as a tenth of a CPU.");
	add_term(
		page, CTD_PAINT_HEAD, "~12.3 ?12.3 -",
		"Counted part of the time and scaled up; counted too little to be relied on; not known.");
}

static int node_to_explain(const struct ctd_top_view *view, const struct ctd_report_row *row)
{
	const struct ctd_cpu_model *model = view->report.model;
	int sorted = ctd_cpu_model_find_node(model, view->sort), most = -1;

	if (row && row->dominant >= 0)
		return row->dominant;
	if (sorted >= 0)
		return sorted;
	for (int i = 0; i < model->nodes_count; i++)
		if (model->nodes[i].level == 1 && model->nodes[i].role != CTD_ROLE_RETIRING &&
		    (most < 0 || view->sum.values[i].ratio > view->sum.values[most].ratio))
			most = i;
	return most < 0 ? 0 : most;
}

static void add_of_row(struct ctd_top_page_text *page, const struct ctd_top_view *view,
		       const struct ctd_report_row *row, int node)
{
	const struct ctd_node *is = &view->report.model->nodes[node];
	autofree char *name =
		ctd_format_printable(ctd_layout_name(&view->report, row), page->canvas.unicode);
	char figure[CTD_FIGURE_BYTES];
	autofree char *text = NULL;

	ctd_format_value(row->values[node], is->unit, figure);
	if (asprintf(&text, "%s: %s%s %s", name ? name : "", figure,
		     is->unit == CTD_UNIT_RATIO ? "%" : "",
		     is->unit == CTD_UNIT_RATIO ? "of its slots" : ctd_unit_text(is->unit)) < 0)
		text = NULL;
	page->row++;
	ctd_top_text_add(page, 0, 2, CTD_PAINT_BAD, text ? text : "");
}

static void add_explanation(struct ctd_top_page_text *page, const struct ctd_top_state *state,
			    const struct ctd_top_view *view)
{
	const struct ctd_cpu_model *model = view->report.model;
	const struct ctd_report_row *row =
		ctd_top_view_row(view, ctd_top_view_find(view, state->selected));
	autofree char *head = NULL, *condition = NULL, *more = NULL;
	const struct ctd_node *is;
	int node;

	if (!model) {
		ctd_top_text_add(
			page, 0, 0, CTD_PAINT_WARM,
			"Without counters there is CPU time only: 'cgtopdown doctor' says why.");
		return;
	}
	node = node_to_explain(view, row);
	is = &model->nodes[node];
	if (asprintf(&head, "%s (%s)%s%s", is->title, is->name,
		     is->parent < 0 ? "" : ", a part of ",
		     is->parent < 0 ? "" : model->nodes[is->parent].title) >= 0)
		ctd_top_text_add(page, 0, 2,
				 is->level == 1 ? ctd_top_paint(is->role) : CTD_PAINT_HEAD, head);
	page->row++;
	ctd_top_text_add(page, 0, 0, CTD_PAINT_PLAIN, is->help);
	if (is->condition && asprintf(&condition, "Worth a look if %s.", is->condition) >= 0)
		ctd_top_text_add(page, 0, 2, CTD_PAINT_PLAIN, condition);
	if (row)
		add_of_row(page, view, row, node);
	page->row++;
	if (asprintf(&more, "More of it: cgtopdown --explain %s", is->name) >= 0)
		ctd_top_text_add(page, 0, 2, CTD_PAINT_DIM, more);
}

void ctd_top_draw_text(struct ctd_canvas *canvas, int row, int end, struct ctd_top_state *state,
		       struct ctd_top_view *view)
{
	struct ctd_top_page_text page;

	if (ctd_top_text_begin(canvas, &page))
		return;
	if (state->page == CTD_TOP_HELP)
		add_help(&page, view);
	else
		add_explanation(&page, state, view);
	ctd_top_text_end(&page, canvas, row, end, state);
}
