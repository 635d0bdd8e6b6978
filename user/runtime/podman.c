/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* podman.c - containers of Podman. */
#include <cgtopdown/runtime.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/root.h"
#include "identity/lookup/bundle.h"
#include "identity/path/component.h"

/* The monitor's "libpod-conmon-<id>" has no id right behind "libpod-": it is not the container.
 * "libpod-payload-<id>" is the container where a service's cgroup is split (podman run
 * --cgroups=split, which Quadlet uses). */
static bool match(struct ctd_component component, const struct ctd_component *parents,
		  size_t parents_count, struct ctd_component *ret_id)
{
	(void)parents;
	(void)parents_count;
	return ctd_component_unit_id(component, "libpod", ret_id) ||
	       ctd_component_cut_id(component, "libpod-", "", ret_id) ||
	       ctd_component_cut_id(component, "libpod-payload-", "", ret_id);
}

/* One file for those that outlive a boot, one for `podman run --rm` (containers/storage,
 * containers.go). */
static const char *const lists[] = {"containers.json", "volatile-containers.json"};

/* Podman marks the container that holds a pod's namespaces with CRI-O's words. */
static const struct ctd_name_keys keys = {
	.type = "io.kubernetes.cri-o.ContainerType",
	.type_of_sandbox = "sandbox",
};

static const json_t *find(const json_t *list, const char *container_id)
{
	const json_t *container;
	size_t i;

	json_array_foreach(list, i, container)
	{
		const char *id = ctd_json_text(container, "id");

		if (id && !strcmp(id, container_id))
			return container;
	}
	return NULL;
}

/* Its metadata is a document within the document. */
static int set_image(const json_t *container, struct ctd_names *names)
{
	const char *text = ctd_json_text(container, "metadata");
	json_t *metadata = text ? ctd_json_parse(text, strlen(text)) : NULL;
	int error = ctd_names_set(&names->image, ctd_json_text(metadata, "image-name"));

	json_decref(metadata);
	return error;
}

static int take_names(const json_t *container, struct ctd_names *names)
{
	const json_t *name = json_array_get(json_object_get(container, "names"), 0);
	const char *text = json_string_value(name);
	int error = set_image(container, names);

	if (!error && text && *text && strlen(text) == json_string_length(name))
		error = ctd_names_set(&names->container_name, text);
	return error;
}

static int read_list(struct ctd_disk *disk, const char *path, const char *container_id,
		     struct ctd_names *names)
{
	const json_t *list, *container;
	int error = ctd_disk_shared_json(disk, path, &list);

	if (error)
		return error;
	container = find(list, container_id);
	return container ? take_names(container, names) : -ENOENT;
}

static int mark_sandbox(struct ctd_disk *disk, const char *container_id, struct ctd_names *names)
{
	for (size_t i = 0; ctd_storage_directories[i]; i++) {
		char directory[CTD_PATH_MAX];
		int error;

		snprintf(directory, sizeof(directory), "%s/%s/userdata", ctd_storage_directories[i],
			 container_id);
		error = ctd_names_from_bundle(disk, directory, &keys, names);
		if (!error || error == -EAGAIN || error == -ENOMEM)
			return error;
	}
	return 0;
}

static int read_names(struct ctd_disk *disk, const char *container_id, struct ctd_names *ret_names)
{
	struct ctd_names names = {0};
	int error = -ENOENT;

	for (size_t i = 0; error && error != -ENOMEM && ctd_storage_directories[i]; i++) {
		for (size_t l = 0; error && error != -ENOMEM && l < 2; l++) {
			char path[CTD_PATH_MAX];
			int here;

			snprintf(path, sizeof(path), "%s/%s", ctd_storage_directories[i], lists[l]);
			here = read_list(disk, path, container_id, &names);
			if (!here || here == -EAGAIN || here == -ENOMEM)
				error = here;
		}
	}
	if (!error)
		error = mark_sandbox(disk, container_id, &names);
	if (error)
		ctd_names_free(&names);
	else
		*ret_names = names;
	return error;
}

const struct ctd_runtime ctd_runtime_podman = {
	.name = "podman",
	.help = "libpod-<id>.scope, libpod-<id>, libpod-payload-<id>; libpod-conmon-<id> is not one",
	.priority = 10,
	.match = match,
	.read_names = read_names,
};
