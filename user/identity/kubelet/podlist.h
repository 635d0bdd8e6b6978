/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* podlist.h - the pods of a node, as its kubelet lists them. */
#ifndef IDENTITY_KUBELET_PODLIST_H
#define IDENTITY_KUBELET_PODLIST_H

#include <cgtopdown/identity.h>

#include "identity/lookup/labels.h"

#define CTD_PODLIST_WHY_BYTES 160

struct ctd_podlist_pod {
	char *uid; /* owned; as in paths: 32 hex for a static pod */
	struct ctd_names names; /* owned; without what is a container's */
	enum ctd_qos qos;
};

/* One container, or the one before its last restart. */
struct ctd_podlist_container {
	char *id; /* owned: without "containerd://" */
	char *name, *image; /* owned; NULL: not known */
	uint64_t started_ns; /* since 1970; 0: not known */
	const struct ctd_podlist_pod *pod;
};

/* Const once made. */
struct ctd_podlist {
	struct ctd_podlist_pod **pods; /* owned, sorted by uid */
	struct ctd_podlist_container *containers; /* owned, sorted by id */
	size_t pods_count, containers_count;
	size_t pods_capacity, containers_capacity;
	uint64_t left_out; /* pods and containers that made no sense or were too many */
};

/*
 * Parses a v1.PodList. @return 0, -EBADMSG if it is no such list (with @p ret_why), or -ENOMEM.
 */
int ctd_podlist_parse(const char *text, size_t bytes, const struct ctd_podlist_labels *wanted,
		      struct ctd_podlist *ret_list, char ret_why[CTD_PODLIST_WHY_BYTES]);
void ctd_podlist_free(struct ctd_podlist *list);

/*
 * Copies what is known of a container and its pod. "" for @p container_id: only of the pod; for
 * @p pod_uid: of whatever pod the container is in.
 * @return 0; 1 if only the pod is known; -ENOENT if neither is; -ENOMEM.
 */
int ctd_podlist_find(const struct ctd_podlist *list, const char *container_id, const char *pod_uid,
		     struct ctd_names *ret_names, enum ctd_qos *ret_qos);

#endif
