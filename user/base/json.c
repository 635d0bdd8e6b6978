/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* json.c - writes JSON piece by piece, without a tree in memory. */
#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* Digits that every double keeps. */
#define DIGITS 15
#define NOT_UTF8 0xfffd

static bool is_plain(char byte)
{
	return byte >= ' ' && byte <= '~' && byte != '"' && byte != '\\';
}

static void add_code(struct ctd_strbuf *out, int code)
{
	static const char letters[] = "\"\"\\\\\bb\ff\nn\rr\tt";

	for (size_t i = 0; letters[i]; i += 2) {
		if (letters[i] == code) {
			ctd_strbuf_addf(out, "\\%c", letters[i + 1]);
			return;
		}
	}
	if (code > 0xffff)
		ctd_strbuf_addf(out, "\\u%04X\\u%04X", 0xd800 + ((code - 0x10000) >> 10),
				0xdc00 + ((code - 0x10000) & 0x3ff));
	else
		ctd_strbuf_addf(out, "\\u%04X", code);
}

static void add_quoted(struct ctd_strbuf *out, const char *text)
{
	ctd_strbuf_add_bytes(out, "\"", 1);
	while (*text) {
		size_t bytes = 0;
		int code;

		while (is_plain(text[bytes]))
			bytes++;
		ctd_strbuf_add_bytes(out, text, bytes);
		text += bytes;
		if (!*text)
			break;
		text += ctd_utf8_next(text, &code);
		add_code(out, code < 0 ? NOT_UTF8 : code);
	}
	ctd_strbuf_add_bytes(out, "\"", 1);
}

/* What stands before a value. */
static void begin_value(struct ctd_json *json, const char *key)
{
	if (json->comma)
		ctd_strbuf_add_bytes(json->out, ",", 1);
	if (key) {
		add_quoted(json->out, key);
		ctd_strbuf_add_bytes(json->out, ":", 1);
	}
	json->comma = true;
}

static void begin(struct ctd_json *json, const char *key, const char *bracket)
{
	begin_value(json, key);
	ctd_strbuf_add_bytes(json->out, bracket, 1);
	json->comma = false;
}

static void end(struct ctd_json *json, const char *bracket)
{
	ctd_strbuf_add_bytes(json->out, bracket, 1);
	json->comma = true;
}

void ctd_json_begin_object(struct ctd_json *json, const char *key)
{
	begin(json, key, "{");
}

void ctd_json_end_object(struct ctd_json *json)
{
	end(json, "}");
}

void ctd_json_begin_array(struct ctd_json *json, const char *key)
{
	begin(json, key, "[");
}

void ctd_json_end_array(struct ctd_json *json)
{
	end(json, "]");
}

void ctd_json_string(struct ctd_json *json, const char *key, const char *text)
{
	begin_value(json, key);
	if (text)
		add_quoted(json->out, text);
	else
		ctd_strbuf_add(json->out, "null");
}

void ctd_json_integer(struct ctd_json *json, const char *key, uint64_t value)
{
	begin_value(json, key);
	ctd_strbuf_add_count(json->out, value);
}

void ctd_json_signed(struct ctd_json *json, const char *key, int64_t value)
{
	begin_value(json, key);
	ctd_strbuf_add_signed(json->out, value);
}

/* Most reals are ratios: as so many parts of 1 they are integers, which are quick to write. */
static void add_parts(struct ctd_strbuf *out, int64_t value, int64_t parts)
{
	char digits[24], *end = digits;

	if (value < 0)
		ctd_strbuf_add_bytes(out, "-", 1);
	value = value < 0 ? -value : value;
	ctd_strbuf_add_count(out, (uint64_t)(value / parts));
	*end++ = '.';
	do {
		value = value % parts;
		parts /= 10;
		*end++ = (char)(parts ? '0' + value / parts : '0');
	} while (parts > 1 && value % parts);
	ctd_strbuf_add_bytes(out, digits, (size_t)(end - digits));
}

/* "5e-05" becomes "5e-5", as it was when a library wrote it. */
static void shorten_exponent(char *text)
{
	char *digits = strchr(text, 'e'), *from;

	if (!digits)
		return;
	from = ++digits;
	if (*from == '-')
		from = ++digits;
	from += strspn(from, "+0");
	memmove(digits, from, strlen(from) + 1);
}

void ctd_json_real(struct ctd_json *json, const char *key, double value, double parts)
{
	double scaled = round(value * parts);
	char text[32];

	if (!isfinite(scaled)) {
		ctd_json_null(json, key);
		return;
	}
	begin_value(json, key);
	/* Beyond these %g writes an exponent, or more digits than a double has. */
	if (parts >= 1 && fabs(scaled) < 1e15 && (scaled == 0 || fabs(scaled) >= parts / 1e4)) {
		add_parts(json->out, (int64_t)scaled, (int64_t)parts);
		return;
	}
	snprintf(text, sizeof(text), "%.*g", DIGITS, scaled / parts);
	shorten_exponent(text);
	ctd_strbuf_add(json->out, text);
	/* A reader that tells integers from reals finds the same kind in every document. */
	if (!strpbrk(text, ".e"))
		ctd_strbuf_add(json->out, ".0");
}

void ctd_json_bool(struct ctd_json *json, const char *key, bool value)
{
	begin_value(json, key);
	ctd_strbuf_add(json->out, value ? "true" : "false");
}

void ctd_json_null(struct ctd_json *json, const char *key)
{
	ctd_json_string(json, key, NULL);
}
