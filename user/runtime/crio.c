/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* crio.c - containers of CRI-O. */
#include <cgtopdown/runtime.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/root.h"
#include "identity/lookup/bundle.h"
#include "identity/path/component.h"

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

/* A document within the document. */
static bool keep_labels(struct ctd_disk *disk, const json_t *annotations, struct ctd_names *names)
{
	const char *text = ctd_json_text(annotations, "io.kubernetes.cri-o.Labels");
	json_t *labels = text ? ctd_json_parse(text, strlen(text)) : NULL;
	bool kept = ctd_labels_keep(ctd_disk_labels(disk), labels, names);

	json_decref(labels);
	return kept;
}

static bool is_of_pod(const json_t *annotations, const struct ctd_names *names)
{
	const char *pod = ctd_json_text(annotations, keys.pod_name);
	const char *namespace_name = ctd_json_text(annotations, keys.namespace_name);

	return pod && namespace_name && names->pod_name && names->namespace_name &&
	       !strcmp(pod, names->pod_name) && !strcmp(namespace_name, names->namespace_name);
}

/* A pod's labels are those of its sandbox. */
static int add_labels(struct ctd_disk *disk, const char *storage, const char *container_id,
		      struct ctd_names *names)
{
	char id[CTD_CONTAINER_ID_CHARS + 1] = "";
	const json_t *annotations;
	json_t *config = NULL;
	const char *sandbox;
	int error =
		ctd_disk_json(disk, &config, "%s/%s/userdata/config.json", storage, container_id);

	if (error)
		return error;
	sandbox = ctd_json_text(json_object_get(config, "annotations"),
				"io.kubernetes.cri-o.SandboxID");
	if (sandbox && ctd_component_is_hex((struct ctd_component){sandbox, strlen(sandbox)},
					    CTD_CONTAINER_ID_CHARS))
		strcpy(id, sandbox);
	json_decref(config);
	config = NULL;
	error = *id ? ctd_disk_json(disk, &config, "%s/%s/userdata/config.json", storage, id) : 0;
	annotations = json_object_get(config, "annotations");
	if (!error && is_of_pod(annotations, names) && !keep_labels(disk, annotations, names))
		error = -ENOMEM;
	json_decref(config);
	return error == -EAGAIN || error == -ENOMEM ? error : 0;
}

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
		if (!here && names.pod_name && ctd_disk_labels(disk)->count)
			here = add_labels(disk, ctd_storage_directories[i], container_id, &names);
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
