/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* within.c - opens what others wrote, so that no link leads out of a directory. */
#include "base/within.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/auto.h"

#define DEPTH_MAX 64
#define LINKS_MAX 40 /* MAXSYMLINKS of the kernel */

/*
 * The directories from the root to where the walk is. ".." goes back to the one that was held, not
 * to what the kernel says is above: somebody may have moved it out of the root meanwhile.
 */
struct walk {
	int fds[DEPTH_MAX]; /* owned, but for the first */
	int depth;
	int links;
	char rest[PATH_MAX]; /* of the path */
};

static void go_up_to(struct walk *walk, int depth)
{
	while (walk->depth > depth)
		close(walk->fds[walk->depth--]);
}

static void end_walk(struct walk *walk)
{
	go_up_to(walk, 0);
}

static int go_down(struct walk *walk, int *fd)
{
	if (walk->depth + 1 == DEPTH_MAX)
		return -ENAMETOOLONG;
	walk->fds[++walk->depth] = take_fd(*fd);
	return 0;
}

/* Puts the link's text in its place. In /proc that may be no path: it is taken for one all the
 * same, of this root. */
static int follow(struct walk *walk, int link)
{
	char target[PATH_MAX], rest[PATH_MAX];
	ssize_t bytes = readlinkat(link, "", target, sizeof(target) - 1);

	if (bytes < 0)
		return -errno;
	if (++walk->links > LINKS_MAX)
		return -ELOOP;
	target[bytes] = '\0';
	if (*target == '/')
		go_up_to(walk, 0);
	strcpy(rest, walk->rest);
	if (snprintf(walk->rest, sizeof(walk->rest), "%s%s%s", target, *rest ? "/" : "", rest) >=
	    (int)sizeof(walk->rest))
		return -ENAMETOOLONG;
	return 0;
}

/* Cuts the first component off the rest. @p ret_last: nothing but slashes comes after it. */
static void cut(struct walk *walk, char ret_name[NAME_MAX + 1], bool *ret_last)
{
	const char *start = walk->rest + strspn(walk->rest, "/");
	size_t bytes = strcspn(start, "/");
	const char *next = start + bytes + strspn(start + bytes, "/");

	snprintf(ret_name, NAME_MAX + 1, "%.*s", (int)bytes, start);
	*ret_last = !*next;
	memmove(walk->rest, next, strlen(next) + 1);
}

/* Goes to @p name, or opens it if it is the end. @return a descriptor, -EAGAIN: further, or another
 * negative errno. */
static int step(struct walk *walk, const char *name, bool is_last, int flags)
{
	int here = walk->fds[walk->depth];
	autoclose int named = openat(here, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat status;
	int fd, error;

	if (named < 0 || fstat(named, &status))
		return -errno;
	if (S_ISLNK(status.st_mode) && is_last && flags & O_NOFOLLOW)
		return -ELOOP;
	if (S_ISLNK(status.st_mode))
		error = follow(walk, named);
	else if (is_last) {
		/* A link that takes its place now is not followed. */
		fd = openat(here, name, flags | O_NOFOLLOW);
		return fd < 0 ? -errno : fd;
	} else
		error = S_ISDIR(status.st_mode) ? go_down(walk, &named) : -ENOTDIR;
	return error ? error : -EAGAIN;
}

int ctd_walk_in_root(int root, const char *path, int flags)
{
	__attribute__((cleanup(end_walk))) struct walk walk = {.fds = {root}};
	int fd = -EAGAIN;

	if (!*path)
		return -ENOENT;
	if (snprintf(walk.rest, sizeof(walk.rest), "%s", path) >= (int)sizeof(walk.rest))
		return -ENAMETOOLONG;
	while (fd == -EAGAIN && walk.rest[strspn(walk.rest, "/")]) {
		char name[NAME_MAX + 1];
		bool is_last;

		if (strcspn(walk.rest + strspn(walk.rest, "/"), "/") > NAME_MAX)
			return -ENAMETOOLONG;
		cut(&walk, name, &is_last);
		if (strcmp(name, "..") == 0)
			go_up_to(&walk, walk.depth ? walk.depth - 1 : 0);
		else if (strcmp(name, ".") != 0)
			fd = step(&walk, name, is_last, flags);
	}
	if (fd != -EAGAIN)
		return fd;
	fd = openat(walk.fds[walk.depth], ".", flags);
	return fd < 0 ? -errno : fd;
}

int ctd_open_in_root(int root, const char *path, int flags)
{
	struct open_how how = {.flags = (uint64_t)flags,
			       .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS};
	int fd = (int)syscall(SYS_openat2, root, path, &how, sizeof(how));

	/* Filters of containers that do not know it say EPERM. */
	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		return ctd_walk_in_root(root, path, flags);
	return fd < 0 ? -errno : fd;
}
