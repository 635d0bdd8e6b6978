/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* hierarchy.c - chooses the cgroup hierarchy to account by. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cgtopdown/identity.h>

#include "base/auto.h"
#include "base/log.h"
#include "base/root.h"
#include "identity/path/mountinfo.h"
#include "identity/path/proc_cgroup.h"
#include "identity/path/subdirectory.h"

#define WHY_BYTES 160
/* A large node has thousands of mounts; the bound is against a root directory that is none. */
#define PROC_BYTES_MAX (64 << 20)

/* The two files that tell of hierarchies. */
struct proc_text {
	char *mountinfo; /* owned */
	char *cgroup; /* owned */
};

static void proc_text_free(struct proc_text *proc)
{
	free(proc->mountinfo);
	free(proc->cgroup);
}

/* A file that is not there is an empty one: a recorded machine without v1 needs no list of v1. */
static int read_proc(const char *name, char **ret_text, char *ret_why)
{
	char path[CTD_PATH_MAX];
	size_t bytes;
	int err = ctd_root_path(path, "/proc/self/%s", name);

	if (!err)
		err = ctd_read_file(path, PROC_BYTES_MAX, ret_text, &bytes);
	if (err == -ENOENT) {
		*ret_text = strdup("");
		err = *ret_text ? 0 : -ENOMEM;
	}
	if (err)
		snprintf(ret_why, WHY_BYTES, "read %s/proc/self/%s: %s", ctd_root(), name,
			 ctd_log_reason(err));
	return err;
}

static void explain(const char *wanted, int error, char *ret_why)
{
	if (error == -ENOENT)
		snprintf(ret_why, WHY_BYTES,
			 "no cgroup hierarchy '%.40s' in %s/proc/self/mountinfo", wanted,
			 ctd_root());
	else
		snprintf(ret_why, WHY_BYTES, "mount of the cgroup hierarchy '%.40s': %s", wanted,
			 ctd_log_reason(error));
}

/* Is @p item one of the comma-separated @p list? */
static bool list_has(const char *list, const char *item)
{
	size_t bytes = strlen(item);

	for (; *list; list += *list == ',') {
		size_t head_bytes = strcspn(list, ",");

		if (head_bytes == bytes && !memcmp(list, item, bytes))
			return true;
		list += head_bytes;
	}
	return false;
}

/* Of two mounts of one hierarchy, the one that shows more of it; the shortest path is "/". */
static bool shows_more(const char *root, const char *other)
{
	size_t levels = ctd_mount_levels_above(root);
	size_t other_levels = ctd_mount_levels_above(other);

	return levels != other_levels ? levels > other_levels : strlen(root) < strlen(other);
}

/* @p controller: "" for v2. */
static bool best_mount(const char *mountinfo, const char *controller,
		       struct ctd_cgroup_mount *ret_mount)
{
	struct ctd_cgroup_mount mount, best;
	bool found = false;

	while (ctd_cgroup_mount_next(&mountinfo, &mount)) {
		if (mount.v2 != !*controller || (!mount.v2 && !list_has(mount.options, controller)))
			continue;
		if (!found || shows_more(mount.root, best.root))
			best = mount;
		found = true;
	}
	if (found)
		*ret_mount = best;
	return found;
}

/* Finds the mount of one hierarchy. @return 0, -ENOENT (not mounted) or -ENAMETOOLONG. */
static int find_mounted(const struct proc_text *proc, const char *controller, uint32_t hierarchy_id,
			struct ctd_cgroup_hierarchy *ret_hierarchy)
{
	struct ctd_cgroup_hierarchy hierarchy = {.v2 = !*controller, .hierarchy_id = hierarchy_id};
	struct ctd_cgroup_mount mount;
	size_t root_bytes = strlen(ctd_root());
	size_t point_bytes;

	if (!best_mount(proc->mountinfo, controller, &mount))
		return -ENOENT;
	point_bytes = strlen(mount.point) + 1;
	if (root_bytes + point_bytes > sizeof(hierarchy.mount) ||
	    strlen(controller) >= sizeof(hierarchy.controller))
		return -ENAMETOOLONG;
	memcpy(hierarchy.mount, ctd_root(), root_bytes);
	memcpy(hierarchy.mount + root_bytes, mount.point, point_bytes);
	strcpy(hierarchy.controller, controller);
	_Static_assert(sizeof(hierarchy.mounted_path) >= sizeof(mount.root), "copied whole");
	strcpy(hierarchy.mounted_path, mount.root);
	*ret_hierarchy = hierarchy;
	return 0;
}

static bool has_cgroups(const struct ctd_cgroup_hierarchy *hierarchy)
{
	DIR *directory = opendir(hierarchy->mount);
	bool has;

	if (!directory)
		return false;
	has = ctd_subdirectory_next(directory) != NULL;
	closedir(directory);
	return has;
}

/* The v1 hierarchy of one controller. */
static int find_v1(const struct proc_text *proc, const char *controller,
		   struct ctd_cgroup_hierarchy *ret_hierarchy)
{
	struct ctd_v1_hierarchy line;
	const char *cursor = proc->cgroup;

	while (ctd_v1_hierarchy_next(&cursor, &line))
		if (list_has(line.controllers, controller))
			return find_mounted(proc, controller, line.id, ret_hierarchy);
	return -ENOENT;
}

/*
 * The v1 hierarchy that was made first (the lines come last made first), of those that have
 * cgroups or of all. One without a controller ("name=systemd") is taken only by name: it sorts
 * processes, it does not say where resources go.
 */
static int find_first_v1(const struct proc_text *proc, bool with_cgroups,
			 struct ctd_cgroup_hierarchy *ret_hierarchy)
{
	struct ctd_cgroup_hierarchy hierarchy;
	struct ctd_v1_hierarchy line;
	const char *cursor = proc->cgroup;
	int err = -ENOENT;

	while (ctd_v1_hierarchy_next(&cursor, &line)) {
		if (!strncmp(line.controllers, "name=", 5))
			continue;
		line.controllers[strcspn(line.controllers, ",")] = '\0';
		if ((!err && line.id > ret_hierarchy->hierarchy_id) ||
		    find_mounted(proc, line.controllers, line.id, &hierarchy) ||
		    (with_cgroups && !has_cgroups(&hierarchy)))
			continue;
		*ret_hierarchy = hierarchy;
		err = 0;
	}
	return err;
}

static int find_auto(const struct proc_text *proc, struct ctd_cgroup_hierarchy *ret_hierarchy)
{
	struct ctd_cgroup_hierarchy v2;
	bool v2_is_mounted = !find_mounted(proc, "", 0, &v2);

	if (v2_is_mounted && has_cgroups(&v2)) {
		*ret_hierarchy = v2;
		return 0;
	}
	if (!find_first_v1(proc, true, ret_hierarchy))
		return 0;
	if (v2_is_mounted) {
		*ret_hierarchy = v2;
		return 0;
	}
	return find_first_v1(proc, false, ret_hierarchy);
}

int ctd_cgroup_hierarchy_find(const char *wanted, struct ctd_cgroup_hierarchy *ret_hierarchy,
			      char ret_why[WHY_BYTES])
{
	__attribute__((cleanup(proc_text_free))) struct proc_text proc = {0};
	int err;

	err = read_proc("mountinfo", &proc.mountinfo, ret_why);
	if (err)
		return err;
	err = read_proc("cgroup", &proc.cgroup, ret_why);
	if (err)
		return err;
	if (!strcmp(wanted, "auto"))
		err = find_auto(&proc, ret_hierarchy);
	else if (!strcmp(wanted, "v2"))
		err = find_mounted(&proc, "", 0, ret_hierarchy);
	else
		err = find_v1(&proc, wanted, ret_hierarchy);
	if (err)
		explain(wanted, err, ret_why);
	return err;
}
