/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* csv.c - a field of CSV. */
#include <string.h>

#include "base/strbuf.h"
#include "format/format.h"

/* A line break is kept, for quotes allow it; \r and all else that a terminal obeys is not. */
static bool harmful(int code)
{
	return code < 0 || (ctd_utf8_is_control(code) && code != '\n');
}

void ctd_csv_add_text(struct ctd_strbuf *line, const char *text)
{
	bool quote = text && strpbrk(text, ",\"\n");
	int code;

	ctd_strbuf_add(line, quote ? ",\"" : ",");
	for (size_t bytes; text && *text; text += bytes) {
		bytes = ctd_utf8_next(text, &code);
		if (code == '"')
			ctd_strbuf_add(line, "\"\"");
		else if (!harmful(code))
			ctd_strbuf_add_bytes(line, text, bytes);
		else
			for (size_t i = 0; i < bytes; i++)
				ctd_strbuf_addf(line, "\\x%02x", (unsigned char)text[i]);
	}
	if (quote)
		ctd_strbuf_add(line, "\"");
}
