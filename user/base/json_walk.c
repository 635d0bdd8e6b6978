/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* json_walk.c - takes values off a JSON text, one after the other. */
#include "base/json_walk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

static void skip_blanks(struct ctd_json_walk *walk)
{
	while (walk->text < walk->end && *walk->text && strchr(" \t\r\n", *walk->text))
		walk->text++;
}

/* Takes one character, and the blanks before it, if it is the next. */
static bool take(struct ctd_json_walk *walk, char wanted)
{
	skip_blanks(walk);
	if (walk->text == walk->end || *walk->text != wanted)
		return false;
	walk->text++;
	return true;
}

int ctd_json_refuse(struct ctd_json_walk *walk, const char *why)
{
	snprintf(walk->why, sizeof(walk->why), "%s", why);
	return -EBADMSG;
}

static bool is_of_number(char character)
{
	return character && strchr("+-.0123456789eE", character);
}

/* A string, what may be a number, or a single character. */
static size_t token_bytes(const char *text, const char *end)
{
	size_t bytes = 1, left = (size_t)(end - text);

	if (*text == '"') {
		while (bytes < left && text[bytes] != '"')
			bytes += text[bytes] == '\\' ? 2 : 1;
		return bytes < left ? bytes + 1 : left;
	}
	while (bytes < left && is_of_number(*text) && is_of_number(text[bytes]))
		bytes++;
	return bytes;
}

/* @return whether @p text is an integer that jansson refuses. */
static bool is_large(const char *text, size_t bytes, uint64_t *ret_number)
{
	char digits[sizeof("18446744073709551615")];
	unsigned long long number;

	if (bytes >= sizeof(digits))
		return false;
	memcpy(digits, text, bytes);
	digits[bytes] = '\0';
	if (strspn(digits, "0123456789") != bytes)
		return false;
	errno = 0;
	number = strtoull(digits, NULL, 10);
	*ret_number = number;
	return !errno && number > INT64_MAX;
}

/* A value with integers that jansson refuses: these become texts of their digits. */
static json_t *load_large(const char *text, size_t bytes, json_error_t *error)
{
	auto_ctd_strbuf struct ctd_strbuf quoted = {0};
	const char *end = text + bytes;

	while (text < end) {
		size_t token = token_bytes(text, end);
		uint64_t number;
		const char *quote = is_large(text, token, &number) ? "\"" : "";

		ctd_strbuf_add(&quoted, quote);
		ctd_strbuf_add_bytes(&quoted, text, token);
		ctd_strbuf_add(&quoted, quote);
		text += token;
	}
	if (!quoted.failed)
		return json_loadb(quoted.text, quoted.bytes, JSON_DECODE_ANY, error);
	strcpy(error->text, "there is no memory for it");
	return NULL;
}

json_t *ctd_json_walk_value(struct ctd_json_walk *walk)
{
	const size_t flags = JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK;
	size_t left = (size_t)(walk->end - walk->text);
	json_error_t error;
	json_t *value = json_loadb(walk->text, left, flags, &error);

	if (value) {
		walk->text += error.position;
		return value;
	}
	/* As doubles all integers fit, but lose digits: this finds where the value ends. */
	if (json_error_code(&error) == json_error_numeric_overflow) {
		auto_json json_t *rounded =
			json_loadb(walk->text, left, flags | JSON_DECODE_INT_AS_REAL, &error);
		size_t bytes = rounded ? (size_t)error.position : 0;

		if (rounded)
			value = load_large(walk->text, bytes, &error);
		if (value)
			walk->text += bytes;
	}
	if (!value)
		ctd_json_refuse(walk, error.text);
	return value;
}

bool ctd_json_take_integer(const json_t *value, uint64_t *ret_integer)
{
	if (json_is_string(value))
		return is_large(json_string_value(value), json_string_length(value), ret_integer);
	if (!json_is_integer(value) || json_integer_value(value) < 0)
		return false;
	*ret_integer = (uint64_t)json_integer_value(value);
	return true;
}

static int walk_member(struct ctd_json_walk *walk, ctd_json_take *member, void *context)
{
	auto_json json_t *name = ctd_json_walk_value(walk);

	if (!name)
		return -EBADMSG;
	if (!json_is_string(name) || !take(walk, ':'))
		return ctd_json_refuse(walk, "a name and ':' are missing");
	return member(walk, json_string_value(name), context);
}

int ctd_json_walk_object(struct ctd_json_walk *walk, ctd_json_take *member, void *context)
{
	int error;

	if (!take(walk, '{'))
		return ctd_json_refuse(walk, "it is no JSON object");
	if (take(walk, '}'))
		return 0;
	do
		error = walk_member(walk, member, context);
	while (!error && take(walk, ','));
	if (!error && !take(walk, '}'))
		return ctd_json_refuse(walk, "it is cut off");
	return error;
}

int ctd_json_walk_array(struct ctd_json_walk *walk, ctd_json_take *element, void *context)
{
	int error;

	if (!take(walk, '['))
		return ctd_json_refuse(walk, "what belongs into an array is in no array");
	if (take(walk, ']'))
		return 0;
	do
		error = element(walk, NULL, context);
	while (!error && take(walk, ','));
	if (!error && !take(walk, ']'))
		return ctd_json_refuse(walk, "an array does not end");
	return error;
}

int ctd_json_walk_end(struct ctd_json_walk *walk)
{
	skip_blanks(walk);
	return walk->text == walk->end ? 0 : ctd_json_refuse(walk, "something follows its end");
}
