/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* owner.c - asks whose directories lead to a container, as their owner may make what is called like
 * one. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cgtopdown/identity.h>

#include "base/root.h"
#include "identity/path/mountinfo.h"

/* Where paths begin that the mount shows: a part of the hierarchy may be mounted. NULL: the path is
 * not in it. */
static const char *path_in_mount(const struct ctd_cgroup_hierarchy *hierarchy, const char *path)
{
	const char *prefix = ctd_mount_prefix(hierarchy->mounted_path);
	size_t bytes = strlen(prefix);

	return !strncmp(path, prefix, bytes) && path[bytes] == '/' ? path + bytes : NULL;
}

bool ctd_cgroup_is_placed(const struct ctd_cgroup_hierarchy *hierarchy,
			  const struct ctd_identity *identity)
{
	const char *path = path_in_mount(hierarchy, identity->path);
	const char *end = identity->path + identity->placed_bytes, *at = path;
	uid_t also = 0; /* within a container with a user namespace: the uid of its root */

	if (!path)
		return true;
	while ((at = strchr(at + 1, '/')) && at < end) {
		char directory[CTD_PATH_MAX];
		struct stat status;

		if (snprintf(directory, sizeof(directory), "%s%.*s", hierarchy->mount,
			     (int)(at - path), path) >= (int)sizeof(directory))
			return false;
		if (fstatat(AT_FDCWD, directory, &status, AT_SYMLINK_NOFOLLOW))
			return true;
		if ((size_t)(at - identity->path) == identity->outer_bytes)
			also = status.st_uid;
		if (status.st_uid && status.st_uid != also)
			return false;
	}
	return true;
}
