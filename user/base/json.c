/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* json.c - writes JSON piece by piece, without a tree in memory. */
#include "base/json.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/digits.h"
#include "base/utf8.h"

/* Digits that every double keeps. */
#define DIGITS 15
#define NOT_UTF8 0xfffd

static bool is_plain(char byte)
{
	return byte >= ' ' && byte <= '~' && byte != '"' && byte != '\\';
}

#define EIGHT(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Is any of the eight bytes 0? Then the highest bit of some byte is set. */
static uint64_t any_zero(uint64_t eight)
{
	return (eight - EIGHT(1)) & ~eight;
}

/* @return with the highest bit of some byte where one of the eight is not plain. */
static uint64_t find_odd(uint64_t eight)
{
	return eight | ((eight - EIGHT(' ')) & ~eight) | any_zero(eight ^ EIGHT(0x7f)) |
	       any_zero(eight ^ EIGHT('"')) | any_zero(eight ^ EIGHT('\\'));
}

/* Of fewer than eight bytes, filled up. */
static uint64_t load_few(const char *text, size_t bytes)
{
	uint64_t eight = EIGHT('a');
	uint32_t first, last;

	if (bytes >= sizeof(first)) {
		memcpy(&first, text, sizeof(first));
		memcpy(&last, text + bytes - sizeof(last), sizeof(last));
		return (uint64_t)first << 32 | last;
	}
	while (bytes--)
		eight = eight << 8 | (unsigned char)text[bytes];
	return eight;
}

/* Eight bytes at a time: nearly all names and keys are plain. */
static bool is_all_plain(const char *text, size_t bytes)
{
	const char *last;
	uint64_t odd, eight;

	if (bytes < sizeof(eight))
		return !(find_odd(load_few(text, bytes)) & EIGHT(0x80));
	last = text + bytes - sizeof(eight);
	memcpy(&eight, last, sizeof(eight));
	for (odd = find_odd(eight); text < last; text += sizeof(eight)) {
		memcpy(&eight, text, sizeof(eight));
		odd |= find_odd(eight);
	}
	return !(odd & EIGHT(0x80));
}

static void add_code(struct ctd_strbuf *out, int code)
{
	static const char letters[] = "\"\"\\\\\bb\ff\nn\rr\tt";

	for (size_t i = 0; letters[i]; i += 2) {
		if (letters[i] == code) {
			const char escape[] = {'\\', letters[i + 1]};

			ctd_strbuf_add_bytes(out, escape, sizeof(escape));
			return;
		}
	}
	if (code > 0xffff)
		ctd_strbuf_addf(out, "\\u%04X\\u%04X", 0xd800 + ((code - 0x10000) >> 10),
				0xdc00 + ((code - 0x10000) & 0x3ff));
	else
		ctd_strbuf_addf(out, "\\u%04X", code);
}

static void add_escaped(struct ctd_strbuf *out, const char *text)
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

/* Room for that many bytes and a NUL. */
static bool has_room(struct ctd_strbuf *out, size_t bytes)
{
	if (!out->failed && bytes < out->capacity - out->bytes)
		return true;
	return ctd_strbuf_reserve(out, bytes);
}

/* A view has fifty values for each row: of a value all is written with one look at the room. */
static char *put(char *at, const char *text, size_t bytes)
{
	memcpy(at, text, bytes);
	return at + bytes;
}

static void end_at(struct ctd_strbuf *out, char *end)
{
	*end = '\0';
	out->bytes = (size_t)(end - out->text);
}

/* What stands before a value. @return where the value is to be, with room for @p bytes and a NUL;
 * NULL: there is none. */
static char *begin_value(struct ctd_json *json, const char *key, size_t bytes)
{
	struct ctd_strbuf *out = json->out;
	size_t key_bytes = key ? strlen(key) : 0;
	bool comma = json->comma;
	char *at;

	json->comma = true;
	if (!has_room(out, key_bytes + 4 + bytes))
		return NULL;
	at = out->text + out->bytes;
	if (comma)
		*at++ = ',';
	if (key) {
#ifdef __SANITIZE_ADDRESS__
		/* A fifth of the time that a view takes. */
		assert(is_all_plain(key, key_bytes));
#endif
		*at++ = '"';
		at = put(at, key, key_bytes);
		*at++ = '"';
		*at++ = ':';
	}
	return at;
}

static void add_value(struct ctd_json *json, const char *key, const char *text, size_t bytes)
{
	char *at = begin_value(json, key, bytes);

	if (at)
		end_at(json->out, put(at, text, bytes));
}

static void begin(struct ctd_json *json, const char *key, const char *bracket)
{
	add_value(json, key, bracket, 1);
	json->comma = false;
}

static void end(struct ctd_json *json, const char *bracket)
{
	ctd_strbuf_add_bytes(json->out, bracket, 1);
	json->comma = true;
}

void ctd_json_name(struct ctd_json *json, const char *name)
{
	ctd_json_string(json, NULL, name);
	ctd_strbuf_add_bytes(json->out, ":", 1);
	json->comma = false;
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
	size_t bytes = text ? strlen(text) : 0;
	char *at;

	if (!text) {
		add_value(json, key, "null", 4);
		return;
	}
	at = begin_value(json, key, bytes + 2);
	if (!at)
		return;
	if (!is_all_plain(text, bytes)) {
		end_at(json->out, at);
		add_escaped(json->out, text);
		return;
	}
	*at++ = '"';
	at = put(at, text, bytes);
	*at++ = '"';
	end_at(json->out, at);
}

void ctd_json_integer(struct ctd_json *json, const char *key, uint64_t value)
{
	char *at = begin_value(json, key, CTD_DIGITS_BYTES);

	if (at)
		end_at(json->out, at + ctd_digits_count(at, value));
}

void ctd_json_signed(struct ctd_json *json, const char *key, int64_t value)
{
	char *at = begin_value(json, key, 1 + CTD_DIGITS_BYTES);

	if (!at)
		return;
	if (value < 0)
		*at++ = '-';
	end_at(json->out,
	       at + ctd_digits_count(at, value < 0 ? -(uint64_t)value : (uint64_t)value));
}

/* Most reals are ratios: as so many parts of 1, a power of 10, they are integers, which are quick
 * to write. */
static char *put_parts(char *at, int64_t value, uint64_t parts)
{
	uint64_t count = value < 0 ? -(uint64_t)value : (uint64_t)value;
	char *point;

	if (value < 0)
		*at++ = '-';
	at += ctd_digits_count(at, count / parts);
	/* The 1 before the digits of the rest keeps their zeros, and its place is the point's. */
	point = at;
	at += ctd_digits_count(at, parts + count % parts);
	*point = '.';
	if (at == point + 1)
		*at++ = '0';
	while (at > point + 2 && at[-1] == '0')
		at--;
	return at;
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

static size_t print_real(double value, int digits, char text[32])
{
	snprintf(text, 32, "%.*g", digits, value);
	shorten_exponent(text);
	/* A reader that tells integers from reals finds the same kind in every document. */
	if (!strpbrk(text, ".e"))
		strcat(text, ".0");
	return strlen(text);
}

void ctd_json_real(struct ctd_json *json, const char *key, double value, double parts)
{
	double scaled = round(value * parts);
	char text[32], *at;

	/* Beyond these %g writes an exponent, or more digits than a double has. */
	if (parts >= 1 && fabs(scaled) < 1e15 && (scaled == 0 || fabs(scaled) >= parts / 1e4)) {
		at = begin_value(json, key, sizeof(text) + CTD_DIGITS_BYTES);
		if (at)
			end_at(json->out, put_parts(at, (int64_t)scaled, (uint64_t)parts));
	} else if (isfinite(scaled)) {
		add_value(json, key, text, print_real(scaled / parts, DIGITS, text));
	} else {
		ctd_json_null(json, key);
	}
}

void ctd_json_figure(struct ctd_json *json, const char *key, double value, int digits)
{
	char text[32];

	if (isfinite(value))
		add_value(json, key, text, print_real(value == 0 ? 0 : value, digits, text));
	else
		ctd_json_null(json, key);
}

void ctd_json_bool(struct ctd_json *json, const char *key, bool value)
{
	add_value(json, key, value ? "true" : "false", value ? 4 : 5);
}

void ctd_json_null(struct ctd_json *json, const char *key)
{
	ctd_json_string(json, key, NULL);
}

void ctd_json_members(struct ctd_json *json, const char *members, size_t bytes)
{
	add_value(json, NULL, members, bytes);
}
