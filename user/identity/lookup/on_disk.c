/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* on_disk.c - finds the names of one cgroup in the files of runtimes and the kubelet. */
#include "identity/lookup/on_disk.h"

#include <errno.h>
#include <string.h>

#include <cgtopdown/runtime.h>

#include "identity/lookup/logs.h"
#include "identity/path/component.h"

bool ctd_names_complete(const struct ctd_identity *identity, const struct ctd_names *names)
{
	bool pod = names->namespace_name && names->pod_name;

	if (identity->pod_uid[0] && !pod)
		return false;
	return !identity->container_id[0] || names->container_name || names->sandbox;
}

/* The names are known; where the runtime put it is perhaps in the files of another: Docker's
 * bundles are its containerd's. */
static int ask_place(const struct ctd_runtime *runtime, struct ctd_disk *disk,
		     const struct ctd_identity *identity, struct ctd_names *names)
{
	struct ctd_names more = {0};
	int error = runtime->read_names(disk, identity->container_id, &more);

	if (!error) {
		names->cgroups_path = more.cgroups_path;
		more.cgroups_path = NULL;
		ctd_names_free(&more);
	}
	return error == -ENOMEM ? error : 0;
}

/* What is known already is not asked for again. */
static int ask(const struct ctd_runtime *runtime, struct ctd_disk *disk,
	       const struct ctd_identity *identity, struct ctd_names *names)
{
	struct ctd_names more = {0};
	int error;

	if (!runtime->read_names)
		return 0;
	if (ctd_names_complete(identity, names))
		return names->cgroups_path ? 0 : ask_place(runtime, disk, identity, names);
	error = runtime->read_names(disk, identity->container_id, &more);
	/* Docker's containers are also its containerd's, which has no names of them. */
	if (!error && (more.container_name || more.pod_name || more.sandbox))
		more.runtime = runtime->name;
	if (!error)
		ctd_names_fill(names, &more);
	return error == -EAGAIN || error == -ENOMEM ? error : 0;
}

static bool is_own(const struct ctd_runtime *runtime, const struct ctd_identity *identity)
{
	return identity->runtime && !strcmp(runtime->name, identity->runtime);
}

/* The path's own runtime first: a container in a container's path is not the host's Docker's. */
static int ask_runtimes(struct ctd_disk *disk, const struct ctd_identity *identity,
			struct ctd_names *names)
{
	struct ctd_component id = {identity->container_id, strlen(identity->container_id)};
	int result = 0;

	/* What is to become a part of a path is an id and nothing else. */
	if (!ctd_component_is_hex(id, CTD_CONTAINER_ID_CHARS))
		return 0;
	for (int own = 1; own >= 0; own--) {
		for (size_t i = 0; ctd_runtimes[i]; i++) {
			int error = 0;

			if (is_own(ctd_runtimes[i], identity) == own)
				error = ask(ctd_runtimes[i], disk, identity, names);
			if (error == -ENOMEM)
				return error;
			if (error)
				result = error;
		}
	}
	return result;
}

static int ask_by_path(struct ctd_disk *disk, const char *path, struct ctd_names *ret_names)
{
	int result = -ENOENT;

	for (size_t i = 0; ctd_runtimes[i] && result == -ENOENT; i++) {
		if (ctd_runtimes[i]->read_named)
			result = ctd_runtimes[i]->read_named(disk, path, ret_names);
		if (!result)
			ret_names->runtime = ctd_runtimes[i]->name;
	}
	return !result || result == -EAGAIN || result == -ENOMEM ? result : -ENOENT;
}

int ctd_names_look_up(struct ctd_disk *disk, const struct ctd_identity *identity,
		      struct ctd_names *ret_names)
{
	struct ctd_names names = {0};
	int result, error = 0;

	if (!identity->container_id[0] && !identity->pod_uid[0])
		return ask_by_path(disk, identity->path, ret_names);
	result = ask_runtimes(disk, identity, &names);

	if (result != -ENOMEM && !ctd_names_complete(identity, &names))
		error = ctd_names_from_logs(disk, identity, &names);
	if (result == -ENOMEM || error) {
		ctd_names_free(&names);
		return -ENOMEM;
	}
	*ret_names = names;
	if (ctd_names_complete(identity, &names))
		return 0;
	return result ? result : -ENOENT;
}

bool ctd_names_are_of_others(struct ctd_disk *disk, const struct ctd_identity *identity)
{
	struct ctd_identity outer = {.kind = CTD_IS_CONTAINER};
	struct ctd_names names = {0};
	int result;
	bool known;

	if (!identity->outer_id[0])
		return false;
	strcpy(outer.container_id, identity->outer_id);
	result = ctd_names_look_up(disk, &outer, &names);
	known = result != -ENOENT || names.container_name || names.pod_name || names.sandbox ||
		names.cgroups_path;
	ctd_names_free(&names);
	return known;
}
