/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* mountinfo.h - the cgroup mounts in the text of /proc/self/mountinfo. */
#ifndef IDENTITY_PATH_MOUNTINFO_H
#define IDENTITY_PATH_MOUNTINFO_H

#include <stdbool.h>
#include <stddef.h>

struct ctd_cgroup_mount {
	char point[256]; /* where it is mounted */
	char root[256]; /* path within the hierarchy; "/.." and so on above a cgroup namespace's */
	char options[256]; /* of the superblock: "rw,cpu,cpuacct" */
	bool v2;
};

/*
 * Takes the next cgroup mount from *cursor and moves *cursor behind its line. Lines that are not of
 * cgroups, are malformed or do not fit are skipped. @return false at the end.
 */
bool ctd_cgroup_mount_next(const char **cursor, struct ctd_cgroup_mount *ret_mount);

/* How many levels above the root of our cgroup namespace a mount begins, "/..": 2 for "/../..". */
size_t ctd_mount_levels_above(const char *root);
/* What paths in the hierarchy begin with before they go on as within the mount: "" where the mount
 * shows all that can be seen, which is also so above our cgroup namespace. */
const char *ctd_mount_prefix(const char *root);
/* @return what is behind that prefix in @p path, "" or from a '/' on; NULL: it is not in the mount.
 */
const char *ctd_mount_path(const char *root, const char *path);

#endif
