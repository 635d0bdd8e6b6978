/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* crio.c - containers of CRI-O. */
#include <cgtopdown/runtime.h>

#include <errno.h>
#include <stdio.h>

#include "base/root.h"
#include "identity/bundle.h"
#include "identity/component.h"

/* The monitor's "crio-conmon-<id>" has no id right behind "crio-": it is not the container. */
static bool match(struct ctd_component component, const struct ctd_component *parents,
		  size_t parents_count, struct ctd_component *ret_id)
{
	(void)parents;
	(void)parents_count;
	return ctd_component_unit_id(component, "crio", ret_id) ||
	       ctd_component_cut_id(component, "crio-", "", ret_id);
}

/* CRI-O, pkg/annotations/internal.go; the container's own name is a label of the kubelet's. */
static const struct ctd_name_keys keys = {
	.namespace_name = "io.kubernetes.cri-o.Namespace",
	.pod_name = "io.kubernetes.cri-o.KubeName",
	.container_name = "io.kubernetes.container.name",
	.image = "io.kubernetes.cri-o.ImageName",
	.type = "io.kubernetes.cri-o.ContainerType",
	.type_of_sandbox = "sandbox",
};
/* A container's KubeName is missing in some versions. */
static const struct ctd_name_keys kubelet_keys = {
	.namespace_name = "io.kubernetes.pod.namespace",
	.pod_name = "io.kubernetes.pod.name",
};

static int read_names(struct ctd_disk *disk, const char *container_id, struct ctd_names *ret_names)
{
	struct ctd_names names = {0};
	int error = -ENOENT;

	for (size_t i = 0; error && error != -ENOMEM && ctd_storage_directories[i]; i++) {
		char directory[CTD_PATH_MAX];
		int here;

		snprintf(directory, sizeof(directory), "%s/%s/userdata", ctd_storage_directories[i],
			 container_id);
		here = ctd_names_from_bundle(disk, directory, &keys, &names);
		if (!here)
			here = ctd_names_from_bundle(disk, directory, &kubelet_keys, &names);
		if (!here || here == -EAGAIN || here == -ENOMEM)
			error = here;
	}
	/* Podman keeps its bundles there, too. */
	if (!error && !names.pod_name)
		error = -ENOENT;
	if (error)
		ctd_names_free(&names);
	else
		*ret_names = names;
	return error;
}

const struct ctd_runtime ctd_runtime_crio = {
	.name = "crio",
	.help = "crio-<id>.scope, crio-<id>; crio-conmon-<id> is not one",
	.priority = 10,
	.match = match,
	.read_names = read_names,
};
