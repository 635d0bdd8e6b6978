/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* json_walk.c - takes values off a JSON text, one after the other. */
#include "base/json_walk.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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

json_t *ctd_json_walk_value(struct ctd_json_walk *walk)
{
	json_error_t error;
	json_t *value = json_loadb(walk->text, (size_t)(walk->end - walk->text),
				   JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK, &error);

	if (value)
		walk->text += error.position;
	else
		ctd_json_refuse(walk, error.text);
	return value;
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
