/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* columns.c - shares out the columns of the screen. */
#include "top/columns.h"

#include <string.h>

#include "format/layout.h"
#include "top/view.h"

#define NAME_LEAST 12
#define NAME_ENOUGH 24
#define NAME_MOST 72
#define FIGURE 7
#define CPU_WIDTH 6
#define BAR_LEAST 10
#define BAR_MOST 40
#define TREND_LEAST 11
#define TREND_MOST 60
#define TITLE_WIDTH 9
#define NOISY_WIDTH 10 /* "throttling" */
#define SHARE_WIDTH 5 /* " 100%" */

/* What there is to spend. */
struct budget {
	int left;
	const struct ctd_report *report;
	struct ctd_top_columns *columns;
};

static struct ctd_top_column *find(struct ctd_top_columns *columns, enum ctd_top_column_kind kind)
{
	for (int i = 0; i < columns->count; i++)
		if (columns->column[i].kind == kind)
			return &columns->column[i];
	return NULL;
}

/* @return false: there is no room for it. */
static bool add(struct budget *budget, struct ctd_top_column column)
{
	if (budget->left < column.width + 1)
		return false;
	budget->left -= column.width + 1;
	budget->columns->column[budget->columns->count++] = column;
	return true;
}

static bool is_wanted(const struct budget *budget, int node, int level)
{
	const struct ctd_node *is = &budget->report->model->nodes[node];

	return ctd_report_has(budget->report, node) && is->role != CTD_ROLE_CPI &&
	       is->level == level;
}

/* All of one level, or none: a part would seem to be all. */
static void add_nodes(struct budget *budget, int level)
{
	const struct ctd_cpu_model *model = budget->report->model;
	int count = 0;

	for (int i = 0; i < model->nodes_count; i++)
		count += is_wanted(budget, i, level);
	if (budget->left < count * (FIGURE + 3))
		return;
	for (int i = 0; i < model->nodes_count; i++)
		if (is_wanted(budget, i, level))
			add(budget, (struct ctd_top_column){
					    .kind = CTD_TOP_NODE,
					    .node = i,
					    .width = (int)strlen(model->nodes[i].title) > FIGURE
							     ? (int)strlen(model->nodes[i].title)
							     : FIGURE,
					    .title = model->nodes[i].title,
					    .sort = model->nodes[i].name});
}

static void add_core(struct budget *budget)
{
	int width = (int)strlen("CORE");

	if (budget->report->core_types_count < 2)
		return;
	for (int i = 0; i < budget->report->core_types_count; i++)
		if ((int)strlen(budget->report->core_types[i].name) > width)
			width = (int)strlen(budget->report->core_types[i].name);
	add(budget, (struct ctd_top_column){.kind = CTD_TOP_CORE, .width = width, .title = "CORE"});
}

static void add_noisy(struct budget *budget)
{
	if (budget->report->noisy)
		add(budget, (struct ctd_top_column){.kind = CTD_TOP_NOISY,
						    .width = NOISY_WIDTH,
						    .title = CTD_LAYOUT_NOISY_HEAD});
}

static void widen(struct budget *budget, struct ctd_top_column *column, int most)
{
	int more = column && most > column->width ? most - column->width : 0;

	if (more > budget->left)
		more = budget->left;
	if (!column || more <= 0)
		return;
	column->width += more;
	budget->left -= more;
}

/* Where level 2 is shown, what is of the bottleneck may be in no column: its share is beside it. */
static void widen_bottleneck(struct budget *budget)
{
	struct ctd_top_column *column = find(budget->columns, CTD_TOP_BOTTLENECK);

	if (!column || budget->left < SHARE_WIDTH)
		return;
	column->width += SHARE_WIDTH;
	budget->left -= SHARE_WIDTH;
	budget->columns->share = true;
	if (budget->report->level < 2 || budget->left < TITLE_WIDTH + 1)
		return;
	column->width += TITLE_WIDTH + 1;
	budget->left -= TITLE_WIDTH + 1;
	budget->columns->path = true;
}

static int compare_kinds(const struct ctd_top_column *a, const struct ctd_top_column *b)
{
	return a->kind != b->kind ? (int)a->kind - (int)b->kind : a->node - b->node;
}

/* In the order of their kinds. */
static void order(struct ctd_top_columns *columns)
{
	for (int i = 1; i < columns->count; i++) {
		struct ctd_top_column column = columns->column[i];
		int at = i;

		for (; at > 0 && compare_kinds(&columns->column[at - 1], &column) > 0; at--)
			columns->column[at] = columns->column[at - 1];
		columns->column[at] = column;
	}
}

/* What matters most comes first. */
static void add_all(struct budget *budget)
{
	add(budget,
	    (struct ctd_top_column){
		    .kind = CTD_TOP_CPU, .width = CPU_WIDTH, .title = "CPU%", .sort = "cpu"});
	add_core(budget);
	if (!budget->report->model) {
		add_noisy(budget);
		add(budget, (struct ctd_top_column){.kind = CTD_TOP_TREND,
						    .width = TREND_LEAST,
						    .title = "LAST MINUTE"});
		add(budget, (struct ctd_top_column){
				    .kind = CTD_TOP_SWITCHES, .width = 8, .title = "SWITCHES"});
		add(budget,
		    (struct ctd_top_column){.kind = CTD_TOP_SLICES, .width = 8, .title = "SLICES"});
		return;
	}
	add(budget,
	    (struct ctd_top_column){
		    .kind = CTD_TOP_BAR, .width = BAR_LEAST, .title = "SLOTS", .sort = "slots"});
	add(budget, (struct ctd_top_column){.kind = CTD_TOP_BOTTLENECK,
					    .width = TITLE_WIDTH + 1,
					    .title = "BOTTLENECK",
					    .sort = CTD_TOP_SORT_BOTTLENECK});
	add_noisy(budget);
	add(budget, (struct ctd_top_column){
			    .kind = CTD_TOP_TREND, .width = TREND_LEAST, .title = "LAST MINUTE"});
	widen_bottleneck(budget);
	widen(budget, &budget->columns->column[0], NAME_ENOUGH);
	add_nodes(budget, 1);
	if (budget->report->level > 1)
		add_nodes(budget, 2);
	if (budget->report->ipc)
		add_nodes(budget, 0);
}

void ctd_top_columns_make(const struct ctd_report *report, int width, int name_width,
			  struct ctd_top_columns *ret_columns)
{
	struct budget budget = {.report = report, .columns = ret_columns};
	int least = width < NAME_LEAST ? width : NAME_LEAST;

	*ret_columns = (struct ctd_top_columns){.count = 1};
	/* Figures are worth more than the ends of names. */
	if (width < NAME_LEAST + 1 + CPU_WIDTH && width >= 4 + 1 + CPU_WIDTH)
		least = width - 1 - CPU_WIDTH;
	ret_columns->column[0] = (struct ctd_top_column){
		.kind = CTD_TOP_NAME, .width = least, .title = "NAME", .sort = "name"};
	budget.left = width - least;
	add_all(&budget);
	order(ret_columns);
	widen(&budget, &ret_columns->column[0], name_width < NAME_MOST ? name_width : NAME_MOST);
	widen(&budget, find(ret_columns, CTD_TOP_BAR), BAR_MOST / 2);
	widen(&budget, find(ret_columns, CTD_TOP_TREND), TREND_MOST / 2);
	widen(&budget, find(ret_columns, CTD_TOP_BAR), BAR_MOST);
	widen(&budget, find(ret_columns, CTD_TOP_TREND), TREND_MOST);
	widen(&budget, &ret_columns->column[0], width);
}
