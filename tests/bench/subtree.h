/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* subtree.h - numbered cgroups below one of our own, removed however the benchmark ends. */
#ifndef BENCH_SUBTREE_H
#define BENCH_SUBTREE_H

#include <cgtopdown/identity.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"

#define SUBTREE_NAME "cgtopdown-bench"

struct subtree {
	char path[320];
	pid_t janitor;
	int life_fd; /* the janitor acts when nobody holds it any more */
};

/* @return 0, also where there is none, or negative errno. */
static inline int subtree_remove(const char *path)
{
	DIR *directory = opendir(path);
	struct dirent *entry;

	if (!directory)
		return errno == ENOENT ? 0 : -errno;
	while ((entry = readdir(directory))) {
		if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
			unlinkat(dirfd(directory), entry->d_name, AT_REMOVEDIR);
	}
	closedir(directory);
	return rmdir(path) ? -errno : 0;
}

/* Waits until all who hold the pipe are gone, killed or not. Then dying tasks may still need a
 * moment to leave. */
static inline void subtree_janitor(const char *path, int fd)
{
	char nothing;

	setsid();
	if (read(fd, &nothing, 1) < 0)
		_exit(1);
	for (int attempt = 0; attempt < 100 && subtree_remove(path); attempt++)
		usleep(20000);
	_exit(0);
}

static inline int subtree_make(struct subtree *ret_subtree)
{
	struct ctd_cgroup_hierarchy hierarchy;
	struct subtree subtree;
	char why[160];
	int fds[2];
	int error = ctd_cgroup_hierarchy_find("v2", &hierarchy, why);

	if (error)
		return ctd_log_error(error, "find the v2 cgroup hierarchy");
	snprintf(subtree.path, sizeof(subtree.path), "%s/" SUBTREE_NAME, hierarchy.mount);
	error = subtree_remove(subtree.path);
	if (error)
		return ctd_log_error(error, "remove '%s' (does another benchmark run?)",
				     subtree.path);
	if (mkdir(subtree.path, 0755) || pipe2(fds, O_CLOEXEC))
		return ctd_log_error(-errno, "make '%s'", subtree.path);
	subtree.life_fd = fds[1];
	subtree.janitor = fork();
	if (subtree.janitor < 0)
		return ctd_log_error(-errno, "fork");
	if (subtree.janitor == 0) {
		close(fds[1]);
		subtree_janitor(subtree.path, fds[0]);
	}
	close(fds[0]);
	*ret_subtree = subtree;
	return 0;
}

/* Makes cgroups @p first to @p end - 1. */
static inline int subtree_add(const struct subtree *subtree, int first, int end)
{
	char path[400];

	for (int i = first; i < end; i++) {
		snprintf(path, sizeof(path), "%s/%d", subtree->path, i);
		if (mkdir(path, 0755))
			return ctd_log_error(-errno, "make the cgroup '%s'", path);
	}
	return 0;
}

/* Moves the calling process. */
static inline int subtree_enter(const struct subtree *subtree, int cgroup)
{
	char path[400];
	int fd, error = 0;

	snprintf(path, sizeof(path), "%s/%d/cgroup.procs", subtree->path, cgroup);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return ctd_log_error(-errno, "open '%s'", path);
	if (write(fd, "0", 1) != 1)
		error = ctd_log_error(-errno, "enter the cgroup '%s'", path);
	close(fd);
	return error;
}

/* Removes all; processes in the cgroups must be gone. */
static inline void subtree_free(struct subtree *subtree)
{
	close(subtree->life_fd);
	waitpid(subtree->janitor, NULL, 0);
}

#endif
