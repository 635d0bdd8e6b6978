/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* cells.h - a table for people as it is filled, cell by cell. */
#ifndef FORMAT_CELLS_H
#define FORMAT_CELLS_H

#include <cgtopdown/sink.h>
#include <libsmartcols/libsmartcols.h>
#include <stddef.h>

/* After an error nothing more is added. Colours are CTD_COLOUR_..., or NULL: none; where the
 * options have none, they are left out. */
struct ctd_cells {
	struct libscols_table *table; /* owned */
	struct libscols_line *line; /* borrowed from the table */
	size_t column; /* of the next cell */
	const struct ctd_sink_options *options; /* borrowed */
	int error; /* the first; negative errno */
};

void ctd_cells_begin(struct ctd_cells *cells, const struct ctd_sink_options *options);
/* @p flags: SCOLS_FL_... */
void ctd_cells_add_column(struct ctd_cells *cells, const char *head, int flags);
/* The next line. @p parent: the number of an earlier one, or -1. */
void ctd_cells_add_line(struct ctd_cells *cells, int parent, const char *colour);
/* The next cell of the line. */
void ctd_cells_add(struct ctd_cells *cells, const char *text, const char *colour);
/* The same of any name: made printable, and cut to @p width columns. */
void ctd_cells_add_name(struct ctd_cells *cells, const char *name, int width);
/* @return 0 or the first error. */
int ctd_cells_print(struct ctd_cells *cells, char **ret_text);

void ctd_cells_free(struct ctd_cells *cells);
#define auto_ctd_cells __attribute__((cleanup(ctd_cells_free)))

#endif
