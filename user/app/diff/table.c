/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* table.c - a comparison as a table for people. */
#include <errno.h>
#include <libsmartcols/libsmartcols.h>
#include <math.h>
#include <string.h>

#include "app/diff/show.h"
#include "base/auto.h"
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
	struct libscols_table *table; /* owned */
	struct libscols_line *line; /* borrowed from the table */
	size_t column; /* of the next cell */
	bool has_unknown; /* some change has no spread */
	int error; /* the first */
};

static void note(struct drawing *drawing, int error)
{
	if (!drawing->error && error < 0)
		drawing->error = error;
}

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

static void add_column(struct drawing *drawing, const char *head, int flags)
{
	struct libscols_column *column = scols_table_new_column(drawing->table, head, 0, flags);

	if (!column)
		note(drawing, -ENOMEM);
	else if (drawing->outlet->colour)
		note(drawing,
		     scols_cell_set_color(scols_column_get_header(column), CTD_COLOUR_HEAD));
}

static void add_columns(struct drawing *drawing)
{
	if (drawing->showing->simulated)
		add_column(drawing, "SIM", 0);
	add_column(drawing, "NAME", 0);
	if (drawing->showing->has_cores)
		add_column(drawing, "CORE", 0);
	add_column(drawing, "CPU%", SCOLS_FL_RIGHT);
	add_column(drawing, "WAS", SCOLS_FL_RIGHT);
	add_column(drawing, "CHANGE", SCOLS_FL_RIGHT);
	add_column(drawing, drawing->outlet->unicode ? "±" : "+-", SCOLS_FL_RIGHT);
	for (int i = 0; i < drawing->difference->nodes_count; i++)
		add_column(drawing, drawing->difference->nodes[i]->title, SCOLS_FL_RIGHT);
}

static void add_cell(struct drawing *drawing, const char *text, const char *colour)
{
	size_t column = drawing->column++;

	note(drawing, scols_line_set_data(drawing->line, column, text));
	if (!drawing->error && drawing->outlet->colour && colour)
		note(drawing,
		     scols_cell_set_color(scols_line_get_cell(drawing->line, column), colour));
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
		add_cell(drawing, "-", NULL);
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
	add_cell(drawing, text, colour_of(change));
}

static void add_percent(struct drawing *drawing, double ratio)
{
	char text[CELL_BYTES] = "?";

	if (!isnan(ratio))
		snprintf(text, sizeof(text), "%.1f", 100 * ratio);
	add_cell(drawing, text, NULL);
}

static void add_name(struct drawing *drawing, const char *name)
{
	int others = 32 + 10 * drawing->difference->nodes_count + 8 * drawing->showing->has_cores;
	int width = drawing->outlet->width - others;
	auto_ctd_strbuf struct ctd_strbuf text = {0};

	ctd_format_add_short(&text, name, width < NAME_WIDTH_MIN ? NAME_WIDTH_MIN : width,
			     drawing->outlet->unicode);
	if (text.failed)
		note(drawing, -ENOMEM);
	else
		add_cell(drawing, text.text, NULL);
}

static void add_line(struct drawing *drawing, const struct ctd_difference_row *row)
{
	drawing->line = scols_table_new_line(drawing->table, NULL);
	drawing->column = 0;
	if (!drawing->line) {
		note(drawing, -ENOMEM);
		return;
	}
	if (drawing->outlet->colour && (row->is_noise || row->is_last))
		note(drawing, scols_line_set_color(drawing->line, CTD_COLOUR_DIM));
	if (drawing->showing->simulated)
		add_cell(drawing, "sim", CTD_COLOUR_SIMULATED);
	add_name(drawing, row->name);
	if (drawing->showing->has_cores)
		add_cell(drawing, row->core, NULL);
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

static int draw(struct drawing *drawing, char **ret_text)
{
	size_t shown = drawing->showing->rows_count;

	drawing->table = scols_new_table();
	if (!drawing->table)
		return -ENOMEM;
	note(drawing, scols_table_set_termforce(drawing->table, SCOLS_TERMFORCE_NEVER));
	note(drawing, scols_table_enable_colors(drawing->table, drawing->outlet->colour));
	/* Names are printable by now; encoded again, their backslashes would grow. */
	note(drawing, scols_table_enable_noencoding(drawing->table, 1));
	add_columns(drawing);
	for (size_t i = 0; i < shown && !drawing->error; i++)
		add_line(drawing, &drawing->difference->rows[i]);
	if (!drawing->error && shown)
		note(drawing, scols_print_table_to_string(drawing->table, ret_text));
	scols_unref_table(drawing->table);
	return drawing->error;
}

int ctd_diff_add_table(struct ctd_diff_showing *showing)
{
	struct drawing drawing = {.showing = showing,
				  .difference = showing->difference,
				  .outlet = &showing->outlet,
				  .out = &showing->out};
	autofree char *text = NULL;
	int error = draw(&drawing, &text);

	if (error)
		return error;
	add_head(&drawing);
	ctd_strbuf_addf(&showing->out, "%s\n", text ? text : "(nothing ran)");
	add_foot(&drawing, showing->rows_count);
	return 0;
}
