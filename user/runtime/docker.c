/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* docker.c - containers of Docker. */
#include <cgtopdown/runtime.h>

#include <errno.h>

#include "identity/bundle.h"
#include "identity/component.h"

static bool match(struct ctd_component component, const struct ctd_component *parents,
		  size_t parents_count, struct ctd_component *ret_id)
{
	if (parents_count && ctd_component_is(parents[parents_count - 1], "docker"))
		return ctd_component_cut_id(component, "", "", ret_id);
	return ctd_component_unit_id(component, "docker", ret_id);
}

/* Labels by cri-dockerd, as of the kubelet's dockershim before it. */
static const struct ctd_name_keys keys = {
	.namespace_name = "io.kubernetes.pod.namespace",
	.pod_name = "io.kubernetes.pod.name",
	.container_name = "io.kubernetes.container.name",
	.type = "io.kubernetes.docker.type",
	.type_of_sandbox = "podsandbox",
};

static int take_names(const json_t *state, struct ctd_names *names)
{
	const json_t *config = json_object_get(state, "Config");
	const char *name = ctd_json_text(state, "Name");
	int error = ctd_names_from_object(json_object_get(config, "Labels"), &keys, names);

	if (!error)
		error = ctd_names_set(&names->image, ctd_json_text(config, "Image"));
	/* As `docker ps` has it: "/web" is "web". */
	if (name && *name == '/')
		name++;
	if (!error && !names->sandbox && name && *name)
		error = ctd_names_set(&names->container_name, name);
	return error;
}

static int read_names(struct ctd_disk *disk, const char *container_id, struct ctd_names *ret_names)
{
	struct ctd_names names = {0};
	json_t *state = NULL;
	int error = ctd_disk_json(disk, &state, "/var/lib/docker/containers/%s/config.v2.json",
				  container_id);

	if (error)
		return error;
	error = take_names(state, &names);
	json_decref(state);
	if (error)
		ctd_names_free(&names);
	else
		*ret_names = names;
	return error;
}

const struct ctd_runtime ctd_runtime_docker = {
	.name = "docker",
	.help = "docker-<id>.scope, docker/<id>",
	.priority = 10,
	.match = match,
	.read_names = read_names,
};
