/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* parse.c - reads container, pod, quality of service and runtime out of a cgroup path. */
#include <assert.h>
#include <string.h>

#include <cgtopdown/identity.h>
#include <cgtopdown/runtime.h>

#include "identity/path/component.h"
#include "identity/path/pod.h"

/* A pod in a kind node in a pod lies some twenty deep; below this, all belongs to what is above. */
#define DEPTH_MAX 128

static size_t bytes_to(const char *path, struct ctd_component component)
{
	return (size_t)(component.text + component.bytes - path);
}

/* @p ret_delegated_bytes: the path up to the cgroup of a user's systemd; unchanged where it has
 * none. */
static size_t split(const char *path, struct ctd_component *ret_components,
		    size_t *ret_delegated_bytes)
{
	const char *at = path;
	size_t count = 0;

	for (at += strspn(at, "/"); *at && count < DEPTH_MAX; at += strspn(at, "/")) {
		struct ctd_component component = {at, strcspn(at, "/")}, user;

		/* What a user's systemd holds is theirs to make and to name. */
		if (ctd_component_cut(component, "user@", ".service", &user)) {
			*ret_delegated_bytes = bytes_to(path, component);
			break;
		}
		ret_components[count++] = component;
		at += component.bytes;
	}
	return count;
}

/* The runtime of lowest priority number whose container components[i] is, or NULL. */
static const struct ctd_runtime *runtime_of(const struct ctd_component *components, size_t i,
					    struct ctd_component *ret_id)
{
	const struct ctd_runtime *best = NULL;

	for (size_t r = 0; ctd_runtimes[r]; r++) {
		const struct ctd_runtime *runtime = ctd_runtimes[r];

		if (best && best->priority <= runtime->priority)
			continue;
		if (runtime->match(components[i], components, i, ret_id))
			best = runtime;
	}
	return best;
}

static void set_container(struct ctd_identity *identity, const struct ctd_runtime *runtime,
			  struct ctd_component id)
{
	assert(id.bytes < sizeof(identity->container_id));
	identity->kind = CTD_IS_CONTAINER;
	identity->runtime = runtime->name;
	memcpy(identity->container_id, id.text, id.bytes);
	identity->container_id[id.bytes] = '\0';
}

static void set_pod(struct ctd_identity *identity, const struct ctd_pod *pod)
{
	if (identity->kind != CTD_IS_CONTAINER)
		identity->kind = CTD_IS_POD;
	identity->qos = pod->qos;
	memcpy(identity->pod_uid, pod->uid, sizeof(pod->uid));
}

/* The first container from the outside, above that at @p inner. */
static void set_outer(struct ctd_identity *identity, const char *path,
		      const struct ctd_component *components, size_t inner, size_t pod)
{
	struct ctd_component id;

	for (size_t i = 0; i < inner; i++) {
		if (!runtime_of(components, i, &id))
			continue;
		memcpy(identity->outer_id, id.text, id.bytes);
		identity->outer_id[id.bytes] = '\0';
		identity->outer_bytes = bytes_to(path, components[i]);
		identity->pod_in_outer = identity->pod_uid[0] && i < pod;
		return;
	}
}

bool ctd_identity_is_tenant(const struct ctd_identity *identity)
{
	size_t bytes = identity->container_id[0] ? identity->placed_bytes : 0;

	if (identity->outer_id[0])
		return false;
	if (!bytes || (identity->delegated_bytes && identity->delegated_bytes < bytes))
		bytes = identity->delegated_bytes;
	return bytes && bytes == strlen(identity->path);
}

void ctd_identity_clear(struct ctd_identity *identity)
{
	identity->kind = CTD_IS_CGROUP;
	identity->qos = CTD_QOS_UNKNOWN;
	identity->runtime = NULL;
	identity->container_id[0] = identity->pod_uid[0] = identity->outer_id[0] = '\0';
	identity->pod_in_outer = false;
	identity->placed_bytes = identity->outer_bytes = 0;
}

/*
 * From the inside out, as nothing is known of where the outermost cgroup stands: the first
 * container met is the one, its own sub-cgroups being behind us; the first pod met ends the search,
 * as a container further out (a kind node) only holds it.
 */
void ctd_identity_parse(const char *path, struct ctd_identity *identity)
{
	struct ctd_component components[DEPTH_MAX];
	size_t delegated_bytes = 0, inner = 0, pod_at = 0;
	size_t count = split(path, components, &delegated_bytes);

	ctd_identity_clear(identity);
	identity->delegated_bytes = delegated_bytes;
	for (size_t i = count; i-- > 0;) {
		const struct ctd_runtime *runtime;
		struct ctd_component id;
		struct ctd_pod pod;

		if (identity->kind != CTD_IS_CONTAINER) {
			runtime = runtime_of(components, i, &id);
			if (runtime) {
				set_container(identity, runtime, id);
				identity->placed_bytes = bytes_to(path, components[i]);
				inner = i;
			}
		}
		if (ctd_pod_parse(components[i], i ? &components[i - 1] : NULL, &pod)) {
			set_pod(identity, &pod);
			if (identity->kind == CTD_IS_POD)
				identity->placed_bytes = bytes_to(path, components[i]);
			pod_at = i;
			break;
		}
	}
	set_outer(identity, path, components, identity->container_id[0] ? inner : pod_at, pod_at);
}
