/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* owner.c - who owns the directories above a cgroup, and so may make cgroups of any name there. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <cgtopdown/identity.h>

#include "base/root.h"
#include "identity/path/mountinfo.h"

/* Of the first bytes of a path, up to @p end. @p path: as ctd_mount_path() gives it. @return false:
 * it is too long. */
static bool directory_of(const struct ctd_cgroup_hierarchy *hierarchy, const char *path,
			 const char *end, char ret_directory[CTD_PATH_MAX])
{
	return snprintf(ret_directory, CTD_PATH_MAX, "%s%.*s", hierarchy->mount, (int)(end - path),
			path) < CTD_PATH_MAX;
}

/* By its mode. Root's own group does not count. */
static bool others_may_fill(const struct stat *status)
{
	return status->st_mode & S_IWOTH || (status->st_gid && status->st_mode & S_IWGRP);
}

bool ctd_cgroup_is_placed(const struct ctd_cgroup_hierarchy *hierarchy,
			  const struct ctd_identity *identity)
{
	const char *path = ctd_mount_path(hierarchy->mounted_path, identity->path);
	const char *end = identity->path + identity->placed_bytes, *at = path;
	uid_t also = 0; /* within a container with a user namespace: the uid of its root */

	if (!path || !*path)
		return true;
	while ((at = strchr(at + 1, '/')) && at < end) {
		char directory[CTD_PATH_MAX];
		struct stat status;

		if (!directory_of(hierarchy, path, at, directory))
			return false;
		if (fstatat(AT_FDCWD, directory, &status, AT_SYMLINK_NOFOLLOW))
			return true;
		if ((size_t)(at - identity->path) == identity->outer_bytes)
			also = status.st_uid;
		if ((status.st_uid && status.st_uid != also) || others_may_fill(&status))
			return false;
	}
	return true;
}

/*
 * LXC and systemd give a directory to its new owner. Where that is root, systemd's mark tells:
 * "trusted.delegate", which takes CAP_SYS_ADMIN to read, and from 251 on "user.delegate", too.
 */
static bool is_delegated(const char *directory)
{
	struct stat status;
	char mark;

	if (fstatat(AT_FDCWD, directory, &status, AT_SYMLINK_NOFOLLOW))
		return false;
	return status.st_uid || others_may_fill(&status) ||
	       (getxattr(directory, "user.delegate", &mark, 1) == 1 && mark == '1');
}

size_t ctd_cgroup_delegation(const struct ctd_cgroup_hierarchy *hierarchy, const char *whole_path,
			     uint64_t *ret_cgroup_id)
{
	const char *path = ctd_mount_path(hierarchy->mounted_path, whole_path), *at = path;

	while (at && *at) {
		char directory[CTD_PATH_MAX];

		at = strchrnul(at + 1, '/');
		if (!directory_of(hierarchy, path, at, directory))
			return 0;
		if (is_delegated(directory))
			return ctd_cgroup_id_of(directory, ret_cgroup_id)
				       ? 0
				       : (size_t)(at - whole_path);
	}
	return 0;
}
