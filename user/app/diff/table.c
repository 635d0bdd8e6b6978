/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* table.c - a comparison as a table for people. */
#include <math.h>
#include <string.h>

#include "app/diff/show.h"
#include "base/auto.h"
#include "format/cells.h"
#include "format/colour.h"
#include "format/format.h"

/* Columns of a terminal from which on each share has its spread beside it. */
#define WIDE 110
#define NAME_WIDTH_MIN 12
#define CELL_BYTES 48
/* Less is 0.0 %. */
#define SHOWN_LEAST 0.0005

struct drawing {
	struct ctd_diff_showing *showing;
	const struct ctd_difference *difference;
	const struct ctd_sink_options *outlet;
	struct ctd_strbuf *out;
	struct ctd_cells *cells; /* borrowed */
	bool has_unknown; /* some change has no spread */
};

static void add_colour(struct drawing *drawing, const char *colour)
{
	if (drawing->outlet->colour)
		ctd_strbuf_add(drawing->out, colour);
}

/* "before  2026-11-23 13:30:00 to 2026-11-23 14:00:00  20 segments  old.ctd" */
static void add_head(struct drawing *drawing)
{
	struct ctd_strbuf *out = drawing->out;

	for (int i = 0; i < 2; i++) {
		const struct ctd_diff_side *side = drawing->showing->sides[i];
		char begin[CTD_FIGURE_BYTES], end[CTD_FIGURE_BYTES];

		ctd_format_local_time(side->begin_ns, begin);
		ctd_format_local_time(side->end_ns, end);
		if (drawing->showing->simulated) {
			add_colour(drawing, CTD_COLOUR_SIMULATED);
			ctd_strbuf_add(out, "SIMULATED  ");
			add_colour(drawing, CTD_COLOUR_OFF);
		}
		add_colour(drawing, CTD_COLOUR_HEAD);
		ctd_strbuf_addf(out, "%-6s  %s to %s  %zu segment%s  ", side->when, begin,
				strncmp(begin, end, 11) == 0 ? end + 11 : end, side->segments,
				side->segments == 1 ? "" : "s");
		ctd_format_add_short(out, side->name, 40, drawing->outlet->unicode);
		add_colour(drawing, CTD_COLOUR_OFF);
		ctd_strbuf_add(out, "\n");
	}
}

static void add_columns(struct drawing *drawing)
{
	if (drawing->showing->simulated)
		ctd_cells_add_column(drawing->cells, "SIM", 0);
	ctd_cells_add_column(drawing->cells, "NAME", 0);
	if (drawing->showing->has_cores)
		ctd_cells_add_column(drawing->cells, "CORE", 0);
	ctd_cells_add_column(drawing->cells, "CPU%", SCOLS_FL_RIGHT);
	ctd_cells_add_column(drawing->cells, "WAS", SCOLS_FL_RIGHT);
	ctd_cells_add_column(drawing->cells, "CHANGE", SCOLS_FL_RIGHT);
	ctd_cells_add_column(drawing->cells, drawing->outlet->unicode ? "±" : "+-", SCOLS_FL_RIGHT);
	for (int i = 0; i < drawing->difference->nodes_count; i++)
		ctd_cells_add_column(drawing->cells, drawing->difference->nodes[i]->title,
				     SCOLS_FL_RIGHT);
}

static const char *colour_of(const struct ctd_change *change)
{
	return change->is_noise		   ? CTD_COLOUR_DIM
	       : ctd_diff_size(change) > 0 ? CTD_COLOUR_ADDED
					   : CTD_COLOUR_GONE;
}

/* "+22.2", "~-0.1"; with @p spread "+22.2 ±1.3". */
static void add_change(struct drawing *drawing, const struct ctd_change *change, bool spread)
{
	const char *mark = isnan(change->limit) ? "?" : change->is_noise ? "~" : "";
	char text[CELL_BYTES];
	int bytes;

	if (isnan(ctd_diff_size(change))) {
		ctd_cells_add(drawing->cells, "-", NULL);
		return;
	}
	drawing->has_unknown |= isnan(change->limit);
	/* No sign of what is 0 as it is shown. */
	bytes = fabs(ctd_diff_size(change)) < SHOWN_LEAST
			? snprintf(text, sizeof(text), "%s0.0", mark)
			: snprintf(text, sizeof(text), "%s%+.1f", mark,
				   100 * ctd_diff_size(change));
	if (spread && !isnan(change->limit))
		snprintf(text + bytes, sizeof(text) - (size_t)bytes, "%s%.1f",
			 drawing->outlet->unicode ? "±" : "+-", 100 * change->limit);
	ctd_cells_add(drawing->cells, text, colour_of(change));
}

static void add_percent(struct drawing *drawing, double ratio)
{
	char text[CELL_BYTES] = "?";

	if (!isnan(ratio))
		snprintf(text, sizeof(text), "%.1f", 100 * ratio);
	ctd_cells_add(drawing->cells, text, NULL);
}

static void add_name(struct drawing *drawing, const char *name)
{
	int others = 32 + 10 * drawing->difference->nodes_count + 8 * drawing->showing->has_cores;
	int width = drawing->outlet->width - others;

	ctd_cells_add_name(drawing->cells, name, width < NAME_WIDTH_MIN ? NAME_WIDTH_MIN : width);
}

static void add_line(struct drawing *drawing, const struct ctd_difference_row *row)
{
	ctd_cells_add_line(drawing->cells, -1,
			   row->is_noise || row->is_last ? CTD_COLOUR_DIM : NULL);
	if (drawing->showing->simulated)
		ctd_cells_add(drawing->cells, "sim", CTD_COLOUR_SIMULATED);
	add_name(drawing, row->name);
	if (drawing->showing->has_cores)
		ctd_cells_add(drawing->cells, row->core, NULL);
	add_percent(drawing, row->cpu.after);
	add_percent(drawing, row->cpu.before);
	add_change(drawing, &row->cpu, false);
	add_percent(drawing, row->cpu.limit);
	for (int i = 0; i < drawing->difference->nodes_count; i++)
		add_change(drawing, &row->nodes[i], drawing->outlet->width >= WIDE);
}

static void add_foot(struct drawing *drawing, size_t shown)
{
	const struct ctd_difference *difference = drawing->difference;
	size_t noise = 0;

	for (size_t i = shown; i < difference->rows_count; i++)
		noise += difference->rows[i].is_noise;
	add_colour(drawing, CTD_COLOUR_DIM);
	if (shown < difference->rows_count)
		ctd_strbuf_addf(drawing->out, "(%zu more, %zu of them noise)\n",
				difference->rows_count - shown, noise);
	if (difference->nodes_count)
		ctd_strbuf_add(drawing->out,
			       "Of the shares of slots: their change, in percentage points.\n");
	ctd_strbuf_addf(drawing->out,
			"~ may be chance: not more than %s, by Student's t at 5 %%.\n",
			drawing->outlet->unicode ? "±" : "+-");
	if (drawing->has_unknown)
		ctd_strbuf_add(
			drawing->out,
			"? not known: a side has fewer than two segments, or nearly all in one.\n");
	add_colour(drawing, CTD_COLOUR_OFF);
}

int ctd_diff_add_table(struct ctd_diff_showing *showing)
{
	auto_ctd_cells struct ctd_cells cells = {0};
	struct drawing drawing = {.showing = showing,
				  .difference = showing->difference,
				  .outlet = &showing->outlet,
				  .out = &showing->out,
				  .cells = &cells};
	autofree char *text = NULL;

	ctd_cells_begin(&cells, &showing->outlet);
	add_columns(&drawing);
	for (size_t i = 0; i < showing->rows_count; i++)
		add_line(&drawing, &showing->difference->rows[i]);
	if (showing->rows_count)
		ctd_cells_print(&cells, &text);
	if (cells.error)
		return cells.error;
	add_head(&drawing);
	ctd_strbuf_addf(&showing->out, "%s\n", text ? text : "(nothing ran)");
	add_foot(&drawing, showing->rows_count);
	return 0;
}
