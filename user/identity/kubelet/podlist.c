/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* podlist.c - reads a v1.PodList, pod by pod. */
#include "identity/kubelet/podlist.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "identity/kubelet/podlist_pod.h"

static void auto_decref(json_t **json)
{
	json_decref(*json);
}
#define auto_json __attribute__((cleanup(auto_decref)))

struct parsing {
	const char *text, *end; /* what is left */
	const struct ctd_podlist_labels *wanted;
	struct ctd_podlist list;
};

static void skip_blanks(struct parsing *parsing)
{
	while (parsing->text < parsing->end && strchr(" \t\r\n", *parsing->text) && *parsing->text)
		parsing->text++;
}

/* Takes one character, and the blanks before it, if it is the next. */
static bool take(struct parsing *parsing, char wanted)
{
	skip_blanks(parsing);
	if (parsing->text == parsing->end || *parsing->text != wanted)
		return false;
	parsing->text++;
	return true;
}

/* @return the next value of any kind, or NULL with @p ret_why. */
static json_t *take_value(struct parsing *parsing, char ret_why[CTD_PODLIST_WHY_BYTES])
{
	json_error_t error;
	json_t *value = json_loadb(parsing->text, (size_t)(parsing->end - parsing->text),
				   JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK, &error);

	if (value)
		parsing->text += error.position;
	else
		snprintf(ret_why, CTD_PODLIST_WHY_BYTES, "%s", error.text);
	return value;
}

static int refuse(char ret_why[CTD_PODLIST_WHY_BYTES], const char *why)
{
	snprintf(ret_why, CTD_PODLIST_WHY_BYTES, "%s", why);
	return -EBADMSG;
}

/* After "items": one pod at a time, as all of them as a tree take ten times their text. */
static int take_items(struct parsing *parsing, char ret_why[CTD_PODLIST_WHY_BYTES])
{
	int error = 0;

	if (!take(parsing, '['))
		return refuse(ret_why, "its items are no array");
	if (take(parsing, ']'))
		return 0;
	do {
		auto_json json_t *pod = take_value(parsing, ret_why);

		if (!pod)
			return -EBADMSG;
		error = ctd_podlist_add_pod(&parsing->list, pod, parsing->wanted);
	} while (!error && take(parsing, ','));
	if (!error && !take(parsing, ']'))
		return refuse(ret_why, "its array of items does not end");
	return error;
}

/* A member of the list's object. */
static int take_member(struct parsing *parsing, bool *kind_is_right, bool *has_items,
		       char ret_why[CTD_PODLIST_WHY_BYTES])
{
	auto_json json_t *key = take_value(parsing, ret_why);
	auto_json json_t *value = NULL;

	if (!key)
		return -EBADMSG;
	if (!json_is_string(key) || !take(parsing, ':'))
		return refuse(ret_why, "a name and ':' are missing");
	if (strcmp(json_string_value(key), "items") == 0 && !*has_items) {
		*has_items = true;
		return take_items(parsing, ret_why);
	}
	value = take_value(parsing, ret_why);
	if (value && strcmp(json_string_value(key), "kind") == 0)
		*kind_is_right =
			json_is_string(value) && strcmp(json_string_value(value), "PodList") == 0;
	return value ? 0 : -EBADMSG;
}

static int take_list(struct parsing *parsing, char ret_why[CTD_PODLIST_WHY_BYTES])
{
	bool kind_is_right = false, has_items = false;
	int error;

	if (!take(parsing, '{'))
		return refuse(ret_why, "it is no JSON object");
	do
		error = take_member(parsing, &kind_is_right, &has_items, ret_why);
	while (!error && take(parsing, ','));
	if (error)
		return error;
	if (!take(parsing, '}'))
		return refuse(ret_why, "it is cut off");
	skip_blanks(parsing);
	if (parsing->text != parsing->end)
		return refuse(ret_why, "something follows its end");
	if (!kind_is_right || !has_items)
		return refuse(ret_why, "it is JSON, but no PodList");
	return 0;
}

static int compare_containers(const void *left, const void *right)
{
	const struct ctd_podlist_container *a = left, *b = right;

	return strcmp(a->id, b->id);
}

static int compare_pods(const void *left, const void *right)
{
	const struct ctd_podlist_pod *const *a = left, *const *b = right;

	return strcmp((*a)->uid, (*b)->uid);
}

int ctd_podlist_parse(const char *text, size_t bytes, const struct ctd_podlist_labels *wanted,
		      struct ctd_podlist *ret_list, char ret_why[CTD_PODLIST_WHY_BYTES])
{
	struct parsing parsing = {.text = text, .end = text + bytes, .wanted = wanted};
	int error = take_list(&parsing, ret_why);

	if (error) {
		ctd_podlist_free(&parsing.list);
		return error;
	}
	if (parsing.list.pods_count)
		qsort(parsing.list.pods, parsing.list.pods_count, sizeof(void *), compare_pods);
	if (parsing.list.containers_count)
		qsort(parsing.list.containers, parsing.list.containers_count,
		      sizeof(*parsing.list.containers), compare_containers);
	*ret_list = parsing.list;
	return 0;
}

void ctd_podlist_free(struct ctd_podlist *list)
{
	for (size_t i = 0; i < list->pods_count; i++) {
		free(list->pods[i]->uid);
		ctd_names_free(&list->pods[i]->names);
		free(list->pods[i]);
	}
	for (size_t i = 0; i < list->containers_count; i++) {
		free(list->containers[i].id);
		free(list->containers[i].name);
		free(list->containers[i].image);
	}
	free(list->pods);
	free(list->containers);
	*list = (struct ctd_podlist){0};
}
