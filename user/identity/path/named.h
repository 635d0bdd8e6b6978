/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* named.h - cgroups that may be of containers which people named, instead of a runtime. */
#ifndef IDENTITY_PATH_NAMED_H
#define IDENTITY_PATH_NAMED_H

#include <stdbool.h>

#include <cgtopdown/runtime.h>

/* A path within the parts of which it consists. */
struct ctd_named_path {
	struct ctd_component client; /* of the runtime: containerd's namespace */
	struct ctd_component name;
};

/*
 * Is @p path that of a cgroup, or below that of one, which a runtime would make of a container with
 * such a name: "/<client>/<name>"? Many others look so, too: only the runtime's files tell. Both
 * parts are fit for a path.
 */
bool ctd_named_path_parse(const char *path, struct ctd_named_path *ret_path);

#endif
