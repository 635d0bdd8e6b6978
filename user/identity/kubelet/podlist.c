/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* podlist.c - reads a v1.PodList, pod by pod. */
#include "identity/kubelet/podlist.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_walk.h"
#include "identity/kubelet/podlist_pod.h"

struct parsing {
	const struct ctd_podlist_labels *wanted;
	bool kind_is_right, has_items;
	struct ctd_podlist list;
};

static int take_pod(struct ctd_json_walk *walk, const char *name, void *context)
{
	struct parsing *parsing = context;
	auto_json json_t *pod = ctd_json_walk_value(walk);

	(void)name;
	return pod ? ctd_podlist_add_pod(&parsing->list, pod, parsing->wanted) : -EBADMSG;
}

/* A member of the list's object. */
static int take_member(struct ctd_json_walk *walk, const char *name, void *context)
{
	struct parsing *parsing = context;
	auto_json json_t *value = NULL;

	if (strcmp(name, "items") == 0 && !parsing->has_items) {
		parsing->has_items = true;
		return ctd_json_walk_array(walk, take_pod, parsing);
	}
	value = ctd_json_walk_value(walk);
	if (value && strcmp(name, "kind") == 0)
		parsing->kind_is_right =
			json_is_string(value) && strcmp(json_string_value(value), "PodList") == 0;
	return value ? 0 : -EBADMSG;
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
	struct ctd_json_walk walk = {.text = text, .end = text + bytes};
	struct parsing parsing = {.wanted = wanted};
	int error = ctd_json_walk_object(&walk, take_member, &parsing);

	if (!error)
		error = ctd_json_walk_end(&walk);
	if (!error && (!parsing.kind_is_right || !parsing.has_items))
		error = ctd_json_refuse(&walk, "it is JSON, but no PodList");
	if (error) {
		memccpy(ret_why, walk.why, '\0', CTD_PODLIST_WHY_BYTES);
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
