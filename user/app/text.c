/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* text.c - wraps words. */
#include "app/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "format/colour.h"

bool ctd_text_wants_colour(const char *when, FILE *out)
{
	const char *terminal = getenv("TERM");

	if (strcmp(when, "auto") != 0)
		return strcmp(when, "always") == 0;
	/* https://no-color.org */
	return isatty(fileno(out)) && !getenv("NO_COLOR") && terminal &&
	       strcmp(terminal, "dumb") != 0;
}

void ctd_text_wrap(FILE *out, int at, int indent, const char *text)
{
	bool line_is_empty = true;

	while (*text) {
		int bytes = (int)strcspn(text, " \n");

		if (!line_is_empty && at + 1 + bytes > CTD_TEXT_WIDTH) {
			fprintf(out, "\n%*s", indent, "");
			at = indent;
			line_is_empty = true;
		}
		at += fprintf(out, "%s%.*s", line_is_empty ? "" : " ", bytes, text);
		line_is_empty = false;
		text += bytes;
		if (*text == '\n') {
			fprintf(out, "\n%*s", indent, "");
			at = indent;
			line_is_empty = true;
		}
		text += *text != '\0';
	}
	fputc('\n', out);
}

void ctd_text_item(FILE *out, int indent, int column, const char *colour, const char *term,
		   const char *text)
{
	int at = indent + (int)strlen(term);

	fprintf(out, "%*s%s%s%s", indent, "", colour, term, *colour ? CTD_COLOUR_OFF : "");
	if (!*text) {
		fputc('\n', out);
		return;
	}
	if (at + 2 > column) {
		fputc('\n', out);
		at = 0;
	}
	fprintf(out, "%*s", column - at, "");
	ctd_text_wrap(out, column, column, text);
}

int ctd_text_print_line(const struct ctd_strbuf *text)
{
	if (text->failed)
		return ctd_log_error(-ENOMEM, "print the answer") ? 1 : 0;
	puts(text->text);
	return 0;
}

void ctd_text_heading(FILE *out, bool colour, const char *heading)
{
	fprintf(out, "%s%s%s\n", colour ? CTD_COLOUR_HEAD : "", heading,
		colour ? CTD_COLOUR_OFF : "");
}
