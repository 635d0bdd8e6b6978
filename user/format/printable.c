/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* printable.c - keeps what a name may contain from doing things to a terminal. */
#include "format/format.h"

#include <wchar.h>

#include "base/auto.h"
#include "base/strbuf.h"

/* wcwidth(3) also refuses, with 0, the marks that turn or join the text around them. */
static bool prints(int code, bool unicode)
{
	if (code < 0x80)
		return code >= 0x20 && code != 0x7f;
	return unicode && wcwidth((wchar_t)code) > 0;
}

char *ctd_format_printable(const char *text, bool unicode)
{
	auto_ctd_strbuf struct ctd_strbuf safe = {0};
	int code;

	ctd_strbuf_add(&safe, "");
	for (size_t bytes; *text; text += bytes) {
		bytes = ctd_utf8_next(text, &code);
		if (prints(code, unicode)) {
			ctd_strbuf_add_bytes(&safe, text, bytes);
			continue;
		}
		for (size_t i = 0; i < bytes; i++)
			ctd_strbuf_addf(&safe, "\\x%02x", (unsigned char)text[i]);
	}
	return safe.failed ? NULL : take_ptr(safe.text);
}

int ctd_format_code_width(int code)
{
	return code < 0x80 ? 1 : wcwidth((wchar_t)code);
}

int ctd_format_width(const char *text)
{
	int width = 0, code;

	for (size_t bytes; *text; text += bytes) {
		bytes = ctd_utf8_next(text, &code);
		width += ctd_format_code_width(code);
	}
	return width;
}
