/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* containerd.c - containers that Kubernetes has containerd make, with systemd's units. */
#include <cgtopdown/runtime.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/root.h"
#include "identity/lookup/bundle.h"
#include "identity/path/component.h"
#include "identity/path/named.h"

static bool match(struct ctd_component component, const struct ctd_component *parents,
		  size_t parents_count, struct ctd_component *ret_id)
{
	(void)parents;
	(void)parents_count;
	return ctd_component_unit_id(component, "cri-containerd", ret_id);
}

/* Below containerd's state directory: its own default, Docker's own containerd, and those that k3s
 * and k0s bring along (k0s docs/runtime.md). */
#define TASKS "io.containerd.runtime.v2.task"
static const char *const tasks_directories[] = {
	"/run/containerd/" TASKS,
	"/run/docker/containerd/daemon/" TASKS,
	"/run/k3s/containerd/" TASKS,
	"/run/k0s/containerd/" TASKS,
};
#define TASKS_COUNT (sizeof(tasks_directories) / sizeof(tasks_directories[0]))

/* containerd, internal/cri/annotations/annotations.go. */
static const struct ctd_name_keys cri_keys = {
	.namespace_name = "io.kubernetes.cri.sandbox-namespace",
	.pod_name = "io.kubernetes.cri.sandbox-name",
	.container_name = "io.kubernetes.cri.container-name",
	.image = "io.kubernetes.cri.image-name",
	.type = "io.kubernetes.cri.container-type",
	.type_of_sandbox = "sandbox",
};
/* nerdctl, pkg/labels/labels.go: "also passed to OCI containers as annotations". */
static const struct ctd_name_keys nerdctl_keys = {.container_name = "nerdctl/name"};

/* Its namespaces are clients: "k8s.io", "moby", "default"; an id is in one of them only. */
static int read_task(struct ctd_disk *disk, const char *tasks, const char *container_id,
		     struct ctd_names *names)
{
	const struct ctd_listing *namespaces = ctd_disk_list(disk, tasks);

	for (size_t i = 0; namespaces && i < namespaces->count; i++) {
		const char *client = namespaces->names[i];
		char directory[CTD_PATH_MAX];
		int error;

		if (snprintf(directory, sizeof(directory), "%s/%s/%s", tasks, client,
			     container_id) >= (int)sizeof(directory))
			continue;
		error = ctd_names_from_bundle(disk, directory,
					      !strcmp(client, "k8s.io") ? &cri_keys : &nerdctl_keys,
					      names);
		if (!error || error == -EAGAIN || error == -ENOMEM)
			return error;
	}
	return namespaces ? -ENOENT : -ENOMEM;
}

static int read_names(struct ctd_disk *disk, const char *container_id, struct ctd_names *ret_names)
{
	struct ctd_names names = {0};
	int error = -ENOENT;

	for (size_t i = 0; i < TASKS_COUNT; i++) {
		error = read_task(disk, tasks_directories[i], container_id, &names);
		if (error != -ENOENT)
			break;
	}
	/* Clients that write no names into it, as Docker, keep them elsewhere. */
	if (!error && !names.pod_name && !names.container_name && !names.sandbox &&
	    !names.cgroups_path)
		error = -ENOENT;
	if (error)
		ctd_names_free(&names);
	else
		*ret_names = names;
	return error;
}

/* That a bundle has this name is not enough: any cgroup may be called so. */
static int take_named(const json_t *config, const char *path, const struct ctd_named_path *parts,
		      struct ctd_names *names)
{
	const char *made = ctd_json_text(json_object_get(config, "linux"), "cgroupsPath");
	size_t bytes = (size_t)(parts->name.text + parts->name.bytes - path);
	int error;

	if (!made || strlen(made) != bytes || memcmp(made, path, bytes) != 0)
		return -ENOENT;
	names->container_id = strndup(parts->name.text, parts->name.bytes);
	if (!names->container_id)
		return -ENOMEM;
	error = ctd_names_set(&names->cgroups_path, made);
	if (!error)
		error = ctd_names_from_object(json_object_get(config, "annotations"), &nerdctl_keys,
					      names);
	return error ? error : ctd_names_set(&names->container_name, names->container_id);
}

/* `ctr run IMAGE c1` makes the cgroup "/default/c1" (containerd, oci.WithNamespacedCgroup). */
static int read_named(struct ctd_disk *disk, const char *path, struct ctd_names *ret_names)
{
	struct ctd_names names = {0};
	struct ctd_named_path parts;
	int error = -ENOENT;

	if (!ctd_named_path_parse(path, &parts))
		return -ENOENT;
	for (size_t i = 0; error == -ENOENT && i < TASKS_COUNT; i++) {
		json_t *config = NULL;

		error = ctd_disk_json(disk, &config, "%s/%.*s/%.*s/config.json",
				      tasks_directories[i], (int)parts.client.bytes,
				      parts.client.text, (int)parts.name.bytes, parts.name.text);
		if (!error)
			error = take_named(config, path, &parts, &names);
		json_decref(config);
	}
	if (error)
		ctd_names_free(&names);
	else
		*ret_names = names;
	return error;
}

const struct ctd_runtime ctd_runtime_containerd = {
	.name = "containerd",
	.help = "cri-containerd-<id>.scope, <slice>.slice:cri-containerd:<id>, <namespace>/<name> of ctr",
	.priority = 10,
	.match = match,
	.read_names = read_names,
	.read_named = read_named,
};
