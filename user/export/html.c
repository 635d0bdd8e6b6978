/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* html.c - makes foreign text harmless in a page. */
#include "export/html.h"

#include <stdbool.h>

#include "base/utf8.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

static bool is_visible(int code)
{
	return code >= 0x20 && !(code >= 0x7f && code < 0xa0) &&
	       !(code >= 0x200b && code <= 0x200f) && /* without width, and marks of direction */
	       !(code >= 0x2028 && code <= 0x202e) && /* breaks, embeddings and overrides */
	       !(code >= 0x2066 && code <= 0x2069) && /* isolates */
	       code != 0xfeff && code != 0xfffe && code != 0xffff;
}

void ctd_html_add(struct ctd_strbuf *page, const char *text)
{
	size_t bytes;
	int code;

	for (; *text; text += bytes) {
		bytes = ctd_utf8_next(text, &code);
		if (code == '&')
			ctd_strbuf_add(page, "&amp;");
		else if (code == '<')
			ctd_strbuf_add(page, "&lt;");
		else if (code == '>')
			ctd_strbuf_add(page, "&gt;");
		else if (code == '"')
			ctd_strbuf_add(page, "&quot;");
		else if (code == '\'')
			ctd_strbuf_add(page, "&#39;");
		else if (is_visible(code))
			ctd_strbuf_add_bytes(page, text, bytes);
		else
			ctd_strbuf_add(page, REPLACEMENT);
	}
}
