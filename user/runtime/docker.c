/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* docker.c - containers of Docker. */
#include <cgtopdown/runtime.h>

#include <errno.h>
#include <string.h>

#include "identity/lookup/bundle.h"
#include "identity/path/component.h"

static bool match(struct ctd_component component, const struct ctd_component *parents,
		  size_t parents_count, struct ctd_component *ret_id)
{
	if (parents_count && ctd_component_is(parents[parents_count - 1], "docker"))
		return ctd_component_cut_id(component, "", "", ret_id);
	return ctd_component_unit_id(component, "docker", ret_id);
}

#define STATE "/var/lib/docker/containers/%s/config.v2.json"

/* Labels by cri-dockerd, as of the kubelet's dockershim before it. */
static const struct ctd_name_keys keys = {
	.namespace_name = "io.kubernetes.pod.namespace",
	.pod_name = "io.kubernetes.pod.name",
	.container_name = "io.kubernetes.container.name",
	.type = "io.kubernetes.docker.type",
	.type_of_sandbox = "podsandbox",
};

static const json_t *labels_of(const json_t *state)
{
	return json_object_get(json_object_get(state, "Config"), "Labels");
}

static bool same_text(const json_t *a, const json_t *b, const char *key)
{
	const char *text = ctd_json_text(a, key), *other = ctd_json_text(b, key);

	return text && other && !strcmp(text, other);
}

/* Under cri-dockerd a pod's labels are those of its sandbox. */
static int add_sandbox_labels(struct ctd_disk *disk, const json_t *labels, struct ctd_names *names)
{
	const char *id = ctd_json_text(labels, "io.kubernetes.sandbox.id");
	json_t *sandbox = NULL;
	bool kept = true;
	int error;

	if (!id ||
	    !ctd_component_is_hex((struct ctd_component){id, strlen(id)}, CTD_CONTAINER_ID_CHARS))
		return 0;
	error = ctd_disk_json(disk, &sandbox, STATE, id);
	if (error)
		return error == -EAGAIN || error == -ENOMEM ? error : 0;
	if (same_text(labels, labels_of(sandbox), "io.kubernetes.pod.uid"))
		kept = ctd_labels_keep(ctd_disk_labels(disk), labels_of(sandbox), names);
	json_decref(sandbox);
	return kept ? 0 : -ENOMEM;
}

static int add_labels(struct ctd_disk *disk, const json_t *state, struct ctd_names *names)
{
	const struct ctd_podlist_labels *wanted = ctd_disk_labels(disk);
	const json_t *labels = labels_of(state);

	if (!wanted->count)
		return 0;
	if (!ctd_labels_keep(wanted, labels, names))
		return -ENOMEM;
	return names->sandbox ? 0 : add_sandbox_labels(disk, labels, names);
}

static int take_names(struct ctd_disk *disk, const json_t *state, struct ctd_names *names)
{
	const json_t *config = json_object_get(state, "Config");
	const char *name = ctd_json_text(state, "Name");
	const char *started = ctd_json_text(json_object_get(state, "State"), "StartedAt");
	int error = ctd_names_from_object(labels_of(state), &keys, names);

	if (!error)
		error = add_labels(disk, state, names);
	names->started_ns = started ? ctd_time_parse(started) * 1000000000 : 0;

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
	int error = ctd_disk_json(disk, &state, STATE, container_id);

	if (error)
		return error;
	error = take_names(disk, state, &names);
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
