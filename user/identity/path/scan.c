/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* scan.c - walks a mounted hierarchy and adds every cgroup. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cgtopdown/identity.h>

#include "base/auto.h"
#include "base/root.h"
#include "identity/path/cgroup_id.h"
#include "identity/path/mountinfo.h"
#include "identity/path/subdirectory.h"

/* One descriptor is open per level: what a container may make below itself must not use them up. */
#define DEPTH_MAX 128

struct walk {
	struct ctd_identities *identities;
	char path[CTD_PATH_MAX]; /* of the cgroup at hand; "" for the root */
	size_t path_bytes;
	int added;
	uint64_t mount_id; /* of the hierarchy */
};

static void close_directory(DIR **directory)
{
	if (*directory)
		closedir(*directory);
}

static int mount_of(int fd, uint64_t *ret_mount_id)
{
	struct statx status;

	/* statx: add mount ID (fa2fcf4f1df1, 5.8). */
	if (statx(fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &status))
		return -errno;
	*ret_mount_id = status.stx_mask & STATX_MNT_ID ? status.stx_mnt_id : 0;
	return 0;
}

/* No symbolic links, no other mounts, not even of this very hierarchy: each cgroup is met once. */
static int open_child(const struct walk *walk, int parent_fd, const char *name)
{
	autoclose int fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	uint64_t mount_id = 0;
	int err;

	if (fd < 0)
		return -errno;
	err = mount_of(fd, &mount_id);
	if (err)
		return err;
	return mount_id == walk->mount_id ? take_fd(fd) : -EXDEV;
}

/* It vanished since it was listed (kernfs says ENODEV of one that is going), or is not ours. */
static bool is_passed_over(int error)
{
	switch (-error) {
	case ENOENT:
	case ENODEV:
	case ENOTDIR:
	case ELOOP:
	case EXDEV:
	case EACCES:
		return true;
	default:
		return false;
	}
}

/* @return false if a path that long cannot be named. */
static bool push(struct walk *walk, const char *name)
{
	size_t bytes = strlen(name);

	if (walk->path_bytes + 1 + bytes >= sizeof(walk->path))
		return false;
	walk->path[walk->path_bytes] = '/';
	memcpy(walk->path + walk->path_bytes + 1, name, bytes + 1);
	walk->path_bytes += 1 + bytes;
	return true;
}

static void pop(struct walk *walk, size_t path_bytes)
{
	walk->path[path_bytes] = '\0';
	walk->path_bytes = path_bytes;
}

static int add(struct walk *walk, int fd)
{
	uint64_t id;
	int err = ctd_cgroup_id_of_fd(fd, &id);

	if (err)
		return err;
	err = ctd_identities_add(walk->identities, id, walk->path_bytes ? walk->path : "/");
	if (err)
		return err;
	walk->added++;
	return 0;
}

/* Adds the cgroup at hand and those below it. Owns @p fd. */
static int visit(struct walk *walk, int fd, int depth)
{
	__attribute__((cleanup(close_directory))) DIR *directory = NULL;
	autoclose int owned_fd = fd;
	size_t path_bytes = walk->path_bytes;
	const char *name;
	int err = add(walk, fd);

	if (err || depth == DEPTH_MAX)
		return err;
	directory = fdopendir(fd);
	if (!directory)
		return -errno;
	take_fd(owned_fd);
	while ((name = ctd_subdirectory_next(directory))) {
		int child_fd;

		if (!push(walk, name))
			continue;
		child_fd = open_child(walk, fd, name);
		err = child_fd < 0 ? child_fd : visit(walk, child_fd, depth + 1);
		if (err && !is_passed_over(err))
			return err;
		pop(walk, path_bytes);
	}
	return 0;
}

/* A part of the hierarchy is mounted: its paths begin where it does. What is mounted from above a
 * cgroup namespace ("/..") is as near to the root as can be seen. */
static bool begin_path(struct walk *walk, const char *mounted_path)
{
	const char *prefix = ctd_mount_prefix(mounted_path);

	return !*prefix || push(walk, prefix + 1);
}

int ctd_cgroups_scan(const struct ctd_cgroup_hierarchy *hierarchy,
		     struct ctd_identities *identities)
{
	struct walk walk = {.identities = identities};
	int fd, err;

	if (!begin_path(&walk, hierarchy->mounted_path))
		return -ENAMETOOLONG;
	fd = open(hierarchy->mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = mount_of(fd, &walk.mount_id);
	if (err) {
		close(fd);
		return err;
	}
	err = visit(&walk, fd, 0);
	return err ? err : walk.added;
}
