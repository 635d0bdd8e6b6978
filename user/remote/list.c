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

static const char no_lines[] = "it is no list of lines, or too long";

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

/* @p text: lines, which are cut. */
static int take_lines(char *text, struct ctd_remote_list *ret_list,
		      char ret_why[CTD_REMOTE_WHY_BYTES])
{
	struct ctd_remote_list list = {0};
	int error = 0;

	while (!error && *text) {
		char *end = text + strcspn(text, "\n");
		bool is_last = !*end;

		*end = '\0';
		error = take_line(text, &list, ret_why);
		text = is_last ? end : end + 1;
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

/* All lists that have ended, of which the newest is the one, up to one that is none.
 * @return 1; 0: there is none; or negative errno. */
static int take_lists(struct ctd_remote_list_reader *reader, struct ctd_remote_list *ret_list,
		      size_t *ret_taken, char ret_why[CTD_REMOTE_WHY_BYTES])
{
	char *text = reader->text.text, *at = text, *end;
	int taken = 0;

	while (taken >= 0 && (end = end_of(at))) {
		autofree char *lines = strndup(at, (size_t)(end - 1 - at));
		int error = !lines	      ? -ENOMEM
			    : reader->is_none ? refuse(no_lines, ret_why)
					      : take_lines(lines, ret_list, ret_why);

		/* It is for the next call: what was right before is to be taken. */
		if (error && taken)
			break;
		taken = error ? error : 1;
		reader->is_none = false;
		at = end;
	}
	*ret_taken = (size_t)(at - text);
	return taken;
}

/* Skip the rest of an oversized list up to its empty line. */
static void drop(struct ctd_remote_list_reader *reader)
{
	bool ends = reader->text.bytes && reader->text.text[reader->text.bytes - 1] == '\n';

	reader->is_none = true;
	ctd_strbuf_free(&reader->text);
	ctd_strbuf_add(&reader->text, ends ? "-\n" : "-");
}

static void add_text(struct ctd_remote_list_reader *reader, const char *text, size_t bytes)
{
	if (reader->text.bytes + bytes > LIST_BYTES_MAX)
		drop(reader);
	for (const char *end = text + bytes; text < end;) {
		size_t part = strnlen(text, (size_t)(end - text));

		ctd_strbuf_add_bytes(&reader->text, text, part);
		text += part;
		if (text == end)
			break;
		reader->is_none = true;
		ctd_strbuf_add(&reader->text, "-");
		text++;
	}
}

int ctd_remote_list_take(struct ctd_remote_list_reader *reader, const char *text, size_t bytes,
			 struct ctd_remote_list *ret_list, char ret_why[CTD_REMOTE_WHY_BYTES])
{
	auto_ctd_strbuf struct ctd_strbuf rest = {0};
	struct ctd_remote_list list = {0};
	size_t taken_bytes = 0;
	int taken;

	add_text(reader, text, bytes);
	if (reader->text.failed)
		return -ENOMEM;
	if (!reader->text.bytes)
		return 0;
	taken = take_lists(reader, &list, &taken_bytes, ret_why);
	ctd_strbuf_add(&rest, reader->text.text + taken_bytes);
	if (rest.failed)
		taken = -ENOMEM;
	ctd_strbuf_free(&reader->text);
	reader->text = rest;
	rest = (struct ctd_strbuf){0};
	if (taken == 1)
		*ret_list = list;
	else
		ctd_remote_list_free(&list);
	return taken;
}
