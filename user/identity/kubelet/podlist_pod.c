/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* podlist_pod.c - takes from a v1.Pod what names its containers. */
#include "identity/kubelet/podlist_pod.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "identity/kubelet/workload.h"

/* A node has hundreds of pods at most; the limits are for what only looks like its list. */
#define PODS_MAX 8192
#define CONTAINERS_MAX 65536
#define TEXT_BYTES_MAX CTD_LABEL_BYTES_MAX
#define UID_BYTES_MAX 36
#define ID_BYTES_MAX 64

#define NS_PER_S 1000000000ull

/* @return the text of a member, or NULL: not there, no text, empty, or too long. */
static const char *text_of(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	size_t bytes = json_string_length(value);

	return bytes && bytes <= TEXT_BYTES_MAX ? json_string_value(value) : NULL;
}

static uint64_t time_of(const json_t *object, const char *key)
{
	const char *text = text_of(object, key);

	return text ? ctd_time_parse(text) : 0;
}

/* Room for one more. @return false without memory. */
static bool grow(void **array, size_t count, size_t *capacity, size_t bytes)
{
	size_t wanted = *capacity ? 2 * *capacity : 64;
	void *grown;

	if (count < *capacity)
		return true;
	grown = reallocarray(*array, wanted, bytes);
	if (!grown)
		return false;
	*array = grown;
	*capacity = wanted;
	return true;
}

/* Unknown stays NULL. @return false without memory. */
static bool keep_text(const char *text, char **ret_text)
{
	*ret_text = text ? strdup(text) : NULL;
	return *ret_text || !text;
}

/* The owner that manages it; others only want to know when it goes. */
static const json_t *controller_of(const json_t *metadata)
{
	const json_t *references = json_object_get(metadata, "ownerReferences"), *reference;
	size_t i;

	json_array_foreach(references, i, reference) if (json_is_true(json_object_get(
								 reference,
								 "controller"))) return reference;
	return NULL;
}

/* A pod from a file on the node; the kubelet writes this annotation over what others have put
 * there (kubernetes pkg/kubelet/config/config.go). */
static bool is_static(const json_t *metadata)
{
	const char *source =
		text_of(json_object_get(metadata, "annotations"), "kubernetes.io/config.source");

	return source && strcmp(source, "api") != 0;
}

static bool keep_owner(const json_t *pod, const json_t *metadata, struct ctd_names *names)
{
	const json_t *controller = controller_of(metadata);
	const char *kind = text_of(controller, "kind"), *name = text_of(controller, "name");
	struct ctd_workload workload;

	if (is_static(metadata)) {
		kind = "Node";
		name = text_of(json_object_get(pod, "spec"), "nodeName");
	}
	if (!kind || !name)
		return true;
	workload =
		ctd_workload_find(kind, name,
				  text_of(json_object_get(metadata, "labels"), "pod-template-hash"),
				  time_of(metadata, "creationTimestamp"));
	names->owner_kind = strdup(workload.kind);
	names->owner_name = strndup(workload.name, workload.name_bytes);
	return names->owner_kind && names->owner_name;
}

/* The image as the pod's spec names it: the runtime may only know the id that it has here. */
static const char *image_of(const json_t *pod, const char *specs_key, const json_t *status)
{
	const json_t *specs = json_object_get(json_object_get(pod, "spec"), specs_key), *spec;
	const char *image = text_of(status, "image"), *name = text_of(status, "name");
	size_t i;

	if (image && strncmp(image, "sha256:", strlen("sha256:")) != 0)
		return image;
	json_array_foreach(specs, i, spec)
	{
		const char *spec_name = text_of(spec, "name");

		if (name && spec_name && strcmp(name, spec_name) == 0 && text_of(spec, "image"))
			return text_of(spec, "image");
	}
	return image;
}

/* "containerd://4f3a...": what comes after the runtime, or NULL. */
static const char *id_of(const json_t *object)
{
	const char *text = text_of(object, "containerID");
	const char *id = text ? strstr(text, "://") : NULL;

	id = id ? id + strlen("://") : NULL;
	return id && *id && strlen(id) <= ID_BYTES_MAX ? id : NULL;
}

static int add_container(struct ctd_podlist *list, const char *id, const char *name,
			 const char *image, uint64_t started_s)
{
	struct ctd_podlist_container container = {.pod = list->pods[list->pods_count - 1],
						  .started_ns = started_s * NS_PER_S};

	if (!id || list->containers_count == CONTAINERS_MAX) {
		list->left_out += id != NULL;
		return 0;
	}
	if (!grow((void **)&list->containers, list->containers_count, &list->containers_capacity,
		  sizeof(container)))
		return -ENOMEM;
	if (!keep_text(id, &container.id) || !keep_text(name, &container.name) ||
	    !keep_text(image, &container.image)) {
		free(container.id);
		free(container.name);
		return -ENOMEM;
	}
	list->containers[list->containers_count++] = container;
	return 0;
}

/* "state" has one of three members; "waiting" has no start. */
static uint64_t started_s(const json_t *state)
{
	uint64_t running_s = time_of(json_object_get(state, "running"), "startedAt");

	return running_s ? running_s : time_of(json_object_get(state, "terminated"), "startedAt");
}

static int add_containers(struct ctd_podlist *list, const json_t *pod)
{
	static const struct {
		const char *statuses, *specs;
	} kinds[] = {{"containerStatuses", "containers"},
		     {"initContainerStatuses", "initContainers"},
		     {"ephemeralContainerStatuses", "ephemeralContainers"}};
	const json_t *pod_status = json_object_get(pod, "status");
	int error = 0;

	for (size_t kind = 0; kind < sizeof(kinds) / sizeof(*kinds); kind++) {
		const json_t *statuses = json_object_get(pod_status, kinds[kind].statuses), *status;
		size_t i;

		json_array_foreach(statuses, i, status)
		{
			const json_t *last =
				json_object_get(json_object_get(status, "lastState"), "terminated");
			const char *name = text_of(status, "name"), *id = id_of(status);
			const char *image = image_of(pod, kinds[kind].specs, status);
			const char *last_id = id_of(last);

			error = add_container(list, id, name, image,
					      started_s(json_object_get(status, "state")));
			/* Its last figures may still be on their way out. */
			if (!error && last_id && (!id || strcmp(id, last_id) != 0))
				error = add_container(list, last_id, name, image,
						      time_of(last, "startedAt"));
			if (error)
				return error;
		}
	}
	return 0;
}

static enum ctd_qos qos_of(const json_t *status)
{
	const char *text = text_of(status, "qosClass");

	for (int qos = CTD_QOS_GUARANTEED; text && qos <= CTD_QOS_BESTEFFORT; qos++)
		if (strcmp(text, ctd_qos_name(qos)) == 0)
			return qos;
	return CTD_QOS_UNKNOWN;
}

int ctd_podlist_add_pod(struct ctd_podlist *list, const json_t *json,
			const struct ctd_podlist_labels *wanted)
{
	json_t *metadata = json_object_get(json, "metadata");
	const json_t *status = json_object_get(json, "status");
	const char *uid = text_of(metadata, "uid");
	const char *hash =
		text_of(json_object_get(metadata, "annotations"), "kubernetes.io/config.hash");
	struct ctd_podlist_pod *pod;

	if (hash && is_static(metadata))
		uid = hash;
	if (!uid || strlen(uid) > UID_BYTES_MAX || list->pods_count == PODS_MAX) {
		list->left_out++;
		return 0;
	}
	if (!grow((void **)&list->pods, list->pods_count, &list->pods_capacity, sizeof(void *)))
		return -ENOMEM;
	pod = calloc(1, sizeof(*pod));
	if (!pod)
		return -ENOMEM;
	/* From here on what is half done is freed with the list. */
	list->pods[list->pods_count++] = pod;
	pod->uid = strdup(uid);
	pod->qos = qos_of(status);
	pod->names.started_ns = time_of(status, "startTime") * NS_PER_S;
	if (!pod->uid || !keep_text(text_of(metadata, "namespace"), &pod->names.namespace_name) ||
	    !keep_text(text_of(metadata, "name"), &pod->names.pod_name) ||
	    !keep_owner(json, metadata, &pod->names) ||
	    !ctd_labels_keep(wanted, json_object_get(metadata, "labels"), &pod->names))
		return -ENOMEM;
	return add_containers(list, json);
}
