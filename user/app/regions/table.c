/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* table.c - an interval of regions as a table for people. */
#include <cgtopdown/cpu.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/regions/show.h"
#include "base/auto.h"
#include "format/cells.h"
#include "format/colour.h"
#include "format/format.h"

#define CELL_BYTES 48
#define NAME_WIDTH_MIN 12
#define COMM_WIDTH 24
/* Reasons under a table. */
#define REASONS_MAX 5

/* As our own designs head it: the simulated one has all. */
static const char *title_of(const char *name)
{
	const struct ctd_cpu_model *model = ctd_cpu_model_find("sim");

	for (int i = 0; model && i < model->nodes_count; i++)
		if (strcmp(model->nodes[i].name, name) == 0)
			return model->nodes[i].title;
	return name;
}

static void add_columns(const struct ctd_region_interval *interval, struct ctd_cells *cells)
{
	ctd_cells_add_column(cells, "REGION", 0);
	ctd_cells_add_column(cells, "PROCESS", 0);
	ctd_cells_add_column(cells, "CALLS", SCOLS_FL_RIGHT);
	ctd_cells_add_column(cells, "LOST", SCOLS_FL_RIGHT);
	ctd_cells_add_column(cells, "TIME%", SCOLS_FL_RIGHT);
	ctd_cells_add_column(cells, "SLOTS", SCOLS_FL_RIGHT);
	for (int i = 0; i < interval->nodes_count; i++)
		ctd_cells_add_column(cells, title_of(ctd_region_node_name(i)), SCOLS_FL_RIGHT);
	ctd_cells_add_column(cells, interval->outlet->unicode ? "±" : "+-", SCOLS_FL_RIGHT);
}

static void add_count(struct ctd_cells *cells, uint64_t count, bool known)
{
	char text[CTD_FIGURE_BYTES] = "-";

	if (known)
		ctd_format_count(count, text);
	ctd_cells_add(cells, text, NULL);
}

static void add_percent(struct ctd_cells *cells, double ratio)
{
	char text[CELL_BYTES] = "-";

	if (!isnan(ratio))
		snprintf(text, sizeof(text), "%.1f", 100 * ratio);
	ctd_cells_add(cells, text, NULL);
}

static void add_names(const struct ctd_region_interval *interval, struct ctd_cells *cells,
		      const struct ctd_region_row *row)
{
	int width = interval->outlet->width - COMM_WIDTH - 30 - 9 * interval->nodes_count;
	char process[CTD_REGION_COMM_BYTES + CELL_BYTES];

	snprintf(process, sizeof(process), "%s[%u]", row->program->comm, row->program->pid);
	ctd_cells_add_name(cells, row->sum->name, width < NAME_WIDTH_MIN ? NAME_WIDTH_MIN : width);
	ctd_cells_add_name(cells, process, COMM_WIDTH);
}

static void add_line(const struct ctd_region_interval *interval, struct ctd_cells *cells,
		     const struct ctd_region_row *row)
{
	ctd_cells_add_line(cells, -1, NULL);
	add_names(interval, cells, row);
	add_count(cells, ctd_region_calls(row), true);
	add_count(cells, row->growth.lost, true);
	add_percent(cells, interval->window_ns
				   ? ctd_region_time_s(row) * 1e9 / (double)interval->window_ns
				   : NAN);
	add_count(cells, row->growth.slots, row->known);
	for (int i = 0; i < interval->nodes_count; i++)
		add_percent(cells, row->ratio[i]);
	add_percent(cells, row->known ? ctd_region_error_ratio(&row->growth) : NAN);
}

static void add_colour(const struct ctd_region_interval *interval, const char *colour)
{
	if (interval->outlet->colour)
		ctd_strbuf_add(interval->out, colour);
}

static void add_head(const struct ctd_region_interval *interval)
{
	char time[CTD_FIGURE_BYTES];
	size_t offering = 0;

	for (size_t i = 0; i < interval->programs->count; i++)
		offering +=
			!*interval->programs->items[i].why && !interval->programs->items[i].hidden;
	ctd_format_local_time(interval->realtime_ns, time);
	add_colour(interval, CTD_COLOUR_HEAD);
	ctd_strbuf_addf(interval->out, "%s%s  %.3f s  regions of %zu process%s, as they count them",
			interval->first ? "" : "\n", time, (double)interval->window_ns / 1e9,
			offering, offering == 1 ? "" : "es");
	add_colour(interval, CTD_COLOUR_OFF);
	ctd_strbuf_add(interval->out, "\n");
}

static bool was_said(const struct ctd_region_interval *interval, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (interval->rows->items[i].growth.lost &&
		    strcmp(interval->rows->items[i].sum->why_lost,
			   interval->rows->items[index].sum->why_lost) == 0)
			return true;
	return false;
}

/* Each reason once, though it be that of all rows. */
static void add_reasons(const struct ctd_region_interval *interval)
{
	int said = 0;

	for (size_t i = 0; i < interval->rows_count && said < REASONS_MAX; i++) {
		const struct ctd_region_row *row = &interval->rows->items[i];

		if (!row->growth.lost || was_said(interval, i))
			continue;
		ctd_strbuf_add(interval->out, "lost of ");
		ctd_format_add_short(interval->out, row->sum->name, CTD_REGIONS_NAME_BYTES,
				     interval->outlet->unicode);
		ctd_strbuf_add(interval->out, ": ");
		ctd_format_add_short(interval->out, row->sum->why_lost, CTD_REGIONS_WHY_BYTES,
				     interval->outlet->unicode);
		ctd_strbuf_add(interval->out, "\n");
		said++;
	}
}

static void add_foot(const struct ctd_region_interval *interval)
{
	add_colour(interval, CTD_COLOUR_DIM);
	if (interval->rows_count < interval->rows->count)
		ctd_strbuf_addf(interval->out, "(%zu more)\n",
				interval->rows->count - interval->rows_count);
	add_reasons(interval);
	add_colour(interval, CTD_COLOUR_OFF);
}

int ctd_region_add_table(const struct ctd_region_interval *interval)
{
	auto_ctd_cells struct ctd_cells cells = {0};
	autofree char *text = NULL;

	ctd_cells_begin(&cells, interval->outlet);
	add_columns(interval, &cells);
	for (size_t i = 0; i < interval->rows_count; i++)
		add_line(interval, &cells, &interval->rows->items[i]);
	if (interval->rows_count)
		ctd_cells_print(&cells, &text);
	if (cells.error)
		return cells.error;
	add_head(interval);
	ctd_strbuf_addf(interval->out, "%s\n", text ? text : "(no pass through a region ended)");
	add_foot(interval);
	return 0;
}
