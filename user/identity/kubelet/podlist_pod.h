/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* podlist_pod.h - one pod of a list of pods. */
#ifndef IDENTITY_KUBELET_PODLIST_POD_H
#define IDENTITY_KUBELET_PODLIST_POD_H

#include <jansson.h>

#include "identity/kubelet/podlist.h"

/*
 * Adds a v1.Pod and its containers; counts what makes no sense. The list is not sorted by that.
 * @return 0 or -ENOMEM.
 */
int ctd_podlist_add_pod(struct ctd_podlist *list, const json_t *json,
			const struct ctd_podlist_labels *wanted);

#endif
