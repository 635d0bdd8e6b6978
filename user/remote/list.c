/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* list.c - reads lists of machines. */
#include "remote/list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"

#define LIST_BYTES_MAX ((size_t)4 << 20)
#define FIELDS 3

static int refuse(const char *what, char ret_why[CTD_REMOTE_WHY_BYTES])
{
	snprintf(ret_why, CTD_REMOTE_WHY_BYTES, "%s", what);
	return -EBADMSG;
}

void ctd_remote_listed_free(struct ctd_remote_listed *listed)
{
	free(listed->name);
	free(listed->url);
	free(listed->socket);
	free(listed->why);
}

void ctd_remote_list_free(struct ctd_remote_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		ctd_remote_listed_free(&list->items[i]);
	free(list->items);
	*list = (struct ctd_remote_list){0};
}

void ctd_remote_list_reader_free(struct ctd_remote_list_reader *reader)
{
	ctd_strbuf_free(&reader->text);
}

static char *copy(const char *text, bool *failed)
{
	char *own = text ? strdup(text) : NULL;

	*failed |= text && !own;
	return own;
}

int ctd_remote_list_add(struct ctd_remote_list *list, const char *name, const char *url,
			const char *socket, const char *why)
{
	void *grown = reallocarray(list->items, list->count + 1, sizeof(*list->items));
	bool failed = false;
	struct ctd_remote_listed *listed;

	if (!grown)
		return -ENOMEM;
	list->items = grown;
	listed = &list->items[list->count++];
	*listed = (struct ctd_remote_listed){.name = copy(name, &failed),
					     .url = copy(url, &failed),
					     .socket = copy(socket, &failed),
					     .why = copy(why, &failed)};
	return failed ? -ENOMEM : 0;
}

static bool is_url(const char *text)
{
	return (strncmp(text, "http://", 7) == 0 || strncmp(text, "https://", 8) == 0) &&
	       !text[strcspn(text, " \r")];
}

/* Cuts @p line at tabs; the last field has all that is left. @return how many there are. */
static int split(char *line, char *fields[FIELDS])
{
	int count = 1;

	fields[0] = line;
	while (count < FIELDS) {
		char *tab = strchr(fields[count - 1], '\t');

		if (!tab)
			break;
		*tab = '\0';
		fields[count++] = tab + 1;
	}
	return count;
}

static int take_line(char *line, struct ctd_remote_list *list, char ret_why[CTD_REMOTE_WHY_BYTES])
{
	char *fields[FIELDS];
	int count = split(line, fields);

	if (count < 2 || !*fields[0])
		return refuse("a line has no name, or nothing behind it", ret_why);
	if (list->count == CTD_REMOTE_LISTED_MAX)
		return refuse("it has more nodes than can be asked", ret_why);
	if (strcmp(fields[1], "-") == 0)
		return ctd_remote_list_add(list, fields[0], NULL, NULL,
					   count > 2 ? fields[2] : "it has no URL");
	if (!is_url(fields[1]))
		return refuse("what follows a name is no URL", ret_why);
	return ctd_remote_list_add(list, fields[0], fields[1], count > 2 ? fields[2] : NULL, NULL);
}

/* @p text: whole lines, which are cut. */
static int take_lines(char *text, struct ctd_remote_list *ret_list,
		      char ret_why[CTD_REMOTE_WHY_BYTES])
{
	struct ctd_remote_list list = {0};
	int error = 0;

	while (!error && *text) {
		char *end = strchr(text, '\n');

		*end = '\0';
		error = take_line(text, &list, ret_why);
		text = end + 1;
	}
	if (error) {
		ctd_remote_list_free(&list);
		return error;
	}
	ctd_remote_list_free(ret_list);
	*ret_list = list;
	return 0;
}

/* Where the first list in @p text ends, behind its empty line. NULL: it does not. */
static char *end_of(char *text)
{
	char *end;

	if (*text == '\n')
		return text + 1;
	end = strstr(text, "\n\n");
	return end ? end + 2 : NULL;
}

/* All lists that have ended: the newest is the one. */
static int take_lists(char *text, struct ctd_remote_list *ret_list, size_t *ret_taken,
		      char ret_why[CTD_REMOTE_WHY_BYTES])
{
	char *at = text, *end;
	int taken = 0;

	while ((end = end_of(at))) {
		int error;

		end[-1] = '\0';
		error = take_lines(at, ret_list, ret_why);
		if (error)
			return error;
		at = end;
		taken = 1;
	}
	*ret_taken = (size_t)(at - text);
	return taken;
}

int ctd_remote_list_take(struct ctd_remote_list_reader *reader, const char *text, size_t bytes,
			 struct ctd_remote_list *ret_list, char ret_why[CTD_REMOTE_WHY_BYTES])
{
	auto_ctd_strbuf struct ctd_strbuf rest = {0};
	struct ctd_remote_list list = {0};
	size_t taken_bytes = 0;
	int taken;

	if (reader->broken)
		return 0;
	if (memchr(text, '\0', bytes) || reader->text.bytes + bytes > LIST_BYTES_MAX) {
		reader->broken = true;
		return refuse("it is no list of lines", ret_why);
	}
	ctd_strbuf_add_bytes(&reader->text, text, bytes);
	if (reader->text.failed)
		return -ENOMEM;
	if (!reader->text.bytes)
		return 0;
	taken = take_lists(reader->text.text, &list, &taken_bytes, ret_why);
	if (taken < 0) {
		reader->broken = true;
		ctd_remote_list_free(&list);
		return taken;
	}
	ctd_strbuf_add(&rest, reader->text.text + taken_bytes);
	ctd_strbuf_free(&reader->text);
	reader->text = rest;
	rest = (struct ctd_strbuf){0};
	if (taken)
		*ret_list = list;
	return taken;
}
