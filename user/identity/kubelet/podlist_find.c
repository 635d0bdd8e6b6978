/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* podlist_find.c - looks up a container or pod in a list of pods. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "identity/kubelet/podlist.h"

static int compare_with_container(const void *id, const void *container)
{
	return strcmp(id, ((const struct ctd_podlist_container *)container)->id);
}

static int compare_with_pod(const void *uid, const void *pod)
{
	return strcmp(uid, (*(const struct ctd_podlist_pod *const *)pod)->uid);
}

/* NULL stays NULL. @return false without memory. */
static bool copy_text(const char *from, char **ret_to)
{
	*ret_to = from ? strdup(from) : NULL;
	return *ret_to || !from;
}

static bool copy_labels(const struct ctd_names *from, struct ctd_names *to)
{
	if (!from->labels_count)
		return true;
	to->labels = calloc(from->labels_count, sizeof(*to->labels));
	if (!to->labels)
		return false;
	to->labels_count = from->labels_count;
	for (size_t i = 0; i < from->labels_count; i++)
		if (!copy_text(from->labels[i].name, &to->labels[i].name) ||
		    !copy_text(from->labels[i].value, &to->labels[i].value))
			return false;
	return true;
}

static int copy(const struct ctd_names *pod, const struct ctd_podlist_container *container,
		struct ctd_names *ret_names)
{
	struct ctd_names names = {.started_ns = pod->started_ns};
	bool whole = copy_text(pod->namespace_name, &names.namespace_name) &&
		     copy_text(pod->pod_name, &names.pod_name) &&
		     copy_text(pod->owner_kind, &names.owner_kind) &&
		     copy_text(pod->owner_name, &names.owner_name) && copy_labels(pod, &names);

	if (container) {
		whole = whole && copy_text(container->name, &names.container_name) &&
			copy_text(container->image, &names.image);
		names.started_ns = container->started_ns;
	}
	if (!whole) {
		ctd_names_free(&names);
		return -ENOMEM;
	}
	*ret_names = names;
	return 0;
}

int ctd_podlist_find(const struct ctd_podlist *list, const char *container_id, const char *pod_uid,
		     struct ctd_names *ret_names, enum ctd_qos *ret_qos)
{
	const struct ctd_podlist_container *container = NULL;
	struct ctd_podlist_pod *const *found = NULL;
	const struct ctd_podlist_pod *pod;
	int error;

	if (*container_id && list->containers_count)
		container = bsearch(container_id, list->containers, list->containers_count,
				    sizeof(*list->containers), compare_with_container);
	if (!container && *pod_uid && list->pods_count)
		found = bsearch(pod_uid, list->pods, list->pods_count, sizeof(void *),
				compare_with_pod);
	pod = container ? container->pod : found ? *found : NULL;
	/* Where a path tells the pod, the path is right. */
	if (!pod || (container && *pod_uid && strcmp(pod->uid, pod_uid) != 0))
		return -ENOENT;
	error = copy(&pod->names, container, ret_names);
	if (error)
		return error;
	*ret_qos = pod->qos;
	return *container_id && !container;
}
