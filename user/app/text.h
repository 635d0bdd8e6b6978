/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* text.h - words for people on a terminal, wrapped at 80 columns: help, lists, findings. */
#ifndef APP_TEXT_H
#define APP_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/strbuf.h"

#define CTD_TEXT_WIDTH 80

/* --color: "auto", "always" or "never". */
bool ctd_text_wants_colour(const char *when, FILE *out);

/*
 * Writes @p text with a newline at its end. The cursor is in column @p at; all further lines begin
 * in column @p indent. Newlines in the text stay. A word that does not fit sticks out.
 */
void ctd_text_wrap(FILE *out, int at, int indent, const char *text);

/*
 * A term and what there is to say of it: "  term      text". The text begins in column @p column,
 * on a line of its own where the term reaches into that column. @p colour: of the term, "" for none.
 */
void ctd_text_item(FILE *out, int indent, int column, const char *colour, const char *term,
		   const char *text);

/* A whole answer for programs, as a line. Logs. @return 0, or 1 without memory. */
int ctd_text_print_line(const struct ctd_strbuf *text);

/* A line in bold, if there are colours. */
void ctd_text_heading(FILE *out, bool colour, const char *heading);

#endif
