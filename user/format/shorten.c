/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* shorten.c - cuts long names down to what tells them apart. */
#include "format/format.h"

#include <ctype.h>
#include <string.h>

#include "base/auto.h"
#include "base/strbuf.h"

/* A container id has 64 digits; the first 12 are what docker ps and crictl ps show. */
#define ID_DIGITS_MIN 32
#define ID_DIGITS_SHOWN 12

/* The first run of hexadecimal digits that is an id, or NULL. */
static const char *find_id(const char *text, size_t *ret_digits)
{
	while (*text) {
		size_t digits = 0;

		while (isxdigit((unsigned char)text[digits]))
			digits++;
		if (digits >= ID_DIGITS_MIN) {
			*ret_digits = digits;
			return text;
		}
		text += digits ? digits : 1;
	}
	return NULL;
}

/* Bytes of the longest beginning of @p text that fits in @p width columns. */
static size_t head_bytes(const char *text, int width)
{
	size_t at = 0;
	int code;

	while (text[at]) {
		size_t bytes = ctd_utf8_next(text + at, &code);

		width -= ctd_format_code_width(code);
		if (width < 0)
			break;
		at += bytes;
	}
	return at;
}

/* The longest end of @p text that fits in @p width columns, 0 or more. */
static const char *tail(const char *text, int width)
{
	int code;

	while (ctd_format_width(text) > width)
		text += ctd_utf8_next(text, &code);
	return text;
}

/* The longest end of @p name that begins at a slash and fits in @p width columns, or NULL. */
static const char *path_tail(const char *name, int width)
{
	for (const char *at = strchr(name + 1, '/'); at; at = strchr(at + 1, '/'))
		if (ctd_format_width(at) <= width)
			return at;
	return NULL;
}

static char *take(struct ctd_strbuf *buffer)
{
	return buffer->failed ? NULL : take_ptr(buffer->text);
}

/* Each id cut to its first digits. */
static char *cut_ids(const char *name, const char *gap)
{
	auto_ctd_strbuf struct ctd_strbuf out = {0};
	const char *id;
	size_t digits;

	for (; (id = find_id(name, &digits)); name = id + digits) {
		ctd_strbuf_add_bytes(&out, name, (size_t)(id - name) + ID_DIGITS_SHOWN);
		ctd_strbuf_add(&out, gap);
	}
	ctd_strbuf_add(&out, name);
	return take(&out);
}

/* The last component alone does not fit: the shown digits of an id stay, or both its ends. */
static char *cut_component(const char *component, int width, const char *gap)
{
	auto_ctd_strbuf struct ctd_strbuf out = {0};
	int room = width - ctd_format_width(gap);
	size_t digits;
	const char *id = find_id(component, &digits);

	if (id) {
		ctd_strbuf_add_bytes(&out, component, (size_t)(id - component) + ID_DIGITS_SHOWN);
		if (out.failed)
			return NULL;
		autofree char *text = take(&out);

		memset(&out, 0, sizeof(out));
		ctd_strbuf_add(&out, gap);
		ctd_strbuf_add(&out, tail(text, room));
	} else {
		/* The end tells more: "runtime:id", "pod/container", "name[pid]". */
		ctd_strbuf_add_bytes(&out, component, head_bytes(component, room / 3));
		ctd_strbuf_add(&out, gap);
		ctd_strbuf_add(&out, tail(component, room - room / 3));
	}
	return take(&out);
}

char *ctd_format_shorten(const char *name, int width, bool unicode)
{
	const char *gap = unicode ? "…" : "..";
	auto_ctd_strbuf struct ctd_strbuf out = {0};
	const char *slash = strrchr(name, '/');
	const char *end;

	/* There is always room for the gap. */
	if (width < ctd_format_width(gap))
		width = ctd_format_width(gap);
	autofree char *shorter = cut_ids(name, gap);

	if (!shorter || ctd_format_width(shorter) <= width)
		return take_ptr(shorter);
	end = path_tail(shorter, width - ctd_format_width(gap));
	if (!end)
		return cut_component(slash ? slash + 1 : name, width, gap);
	ctd_strbuf_add(&out, gap);
	ctd_strbuf_add(&out, end);
	return take(&out);
}

void ctd_format_add_short(struct ctd_strbuf *out, const char *name, int width, bool unicode)
{
	autofree char *printable = ctd_format_printable(name, unicode);
	autofree char *shown = printable ? ctd_format_shorten(printable, width, unicode) : NULL;

	out->failed |= !shown;
	if (shown)
		ctd_strbuf_add(out, shown);
}
