/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* cells.c - a table for people as it is filled, cell by cell. */
#include "format/cells.h"

#include <errno.h>

#include "base/auto.h"
#include "format/colour.h"
#include "format/format.h"

static void note(struct ctd_cells *cells, int error)
{
	if (!cells->error && error < 0)
		cells->error = error;
}

void ctd_cells_begin(struct ctd_cells *cells, const struct ctd_sink_options *options)
{
	*cells = (struct ctd_cells){.table = scols_new_table(), .options = options};
	if (!cells->table) {
		note(cells, -ENOMEM);
		return;
	}
	/* What is in it was made to fit; libsmartcols need not look for a terminal. */
	note(cells, scols_table_set_termforce(cells->table, SCOLS_TERMFORCE_NEVER));
	note(cells, scols_table_enable_colors(cells->table, options->colour));
	/* Names are printable by now; encoded again, their backslashes would grow. */
	note(cells, scols_table_enable_noencoding(cells->table, 1));
	note(cells, scols_table_enable_ascii(cells->table, !options->unicode));
}

void ctd_cells_add_column(struct ctd_cells *cells, const char *head, int flags)
{
	struct libscols_column *column;

	if (cells->error)
		return;
	column = scols_table_new_column(cells->table, head, 0, flags);
	if (!column)
		note(cells, -ENOMEM);
	else if (cells->options->colour)
		note(cells, scols_cell_set_color(scols_column_get_header(column), CTD_COLOUR_HEAD));
}

void ctd_cells_add_line(struct ctd_cells *cells, int parent, const char *colour)
{
	if (cells->error)
		return;
	cells->line = scols_table_new_line(
		cells->table,
		parent < 0 ? NULL : scols_table_get_line(cells->table, (size_t)parent));
	cells->column = 0;
	if (!cells->line)
		note(cells, -ENOMEM);
	else if (cells->options->colour && colour)
		note(cells, scols_line_set_color(cells->line, colour));
}

void ctd_cells_add(struct ctd_cells *cells, const char *text, const char *colour)
{
	size_t column = cells->column++;

	if (cells->error)
		return;
	note(cells, scols_line_set_data(cells->line, column, text));
	if (!cells->error && cells->options->colour && colour)
		note(cells, scols_cell_set_color(scols_line_get_cell(cells->line, column), colour));
}

void ctd_cells_add_name(struct ctd_cells *cells, const char *name, int width)
{
	bool unicode = cells->options->unicode;
	autofree char *printable = ctd_format_printable(name, unicode);
	autofree char *shown = printable ? ctd_format_shorten(printable, width, unicode) : NULL;

	if (shown)
		ctd_cells_add(cells, shown, NULL);
	else
		note(cells, -ENOMEM);
}

int ctd_cells_print(struct ctd_cells *cells, char **ret_text)
{
	if (!cells->error)
		note(cells, scols_print_table_to_string(cells->table, ret_text));
	return cells->error;
}

void ctd_cells_free(struct ctd_cells *cells)
{
	scols_unref_table(cells->table);
	*cells = (struct ctd_cells){0};
}
