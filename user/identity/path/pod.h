/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pod.h - a Kubernetes pod's cgroup: its uid and its quality of service. */
#ifndef IDENTITY_PATH_POD_H
#define IDENTITY_PATH_POD_H

#include <stdbool.h>

#include <cgtopdown/identity.h>
#include <cgtopdown/runtime.h>

struct ctd_pod {
	char uid[37]; /* with dashes; 32 hex for a static pod */
	enum ctd_qos qos;
};

/*
 * Is @p component a pod's cgroup (or a directory named after a pod's slice)? @p parent: the
 * component above it; NULL for none.
 */
bool ctd_pod_parse(struct ctd_component component, const struct ctd_component *parent,
		   struct ctd_pod *ret_pod);

#endif
