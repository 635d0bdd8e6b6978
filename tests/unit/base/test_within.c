/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_within.c - what is opened within a root stays there, with openat2(2) and without it. */
#include "base/within.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/auto.h"

static char folder[] = "/tmp/test_within.XXXXXX";
static int root = -1;

static void make_file(const char *path)
{
	autoclose int fd = openat(root, path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, path, strlen(path)), strlen(path));
}

static int begin(void **state)
{
	static const struct {
		const char *path, *target;
	} links[] = {
		{"a/to_file", "file"},
		{"a/up", "../top"},
		{"a/far_up", "../../../../../top"},
		{"absolute", "/a/b/deep"},
		{"to_directory", "a/b"},
		{"a/b/back", "/to_directory/.."},
		{"chain", "a/to_file"},
		{"loop", "loop"},
		{"round", "a/around"},
		{"a/around", "/round"},
		{"outside", "/etc/passwd"},
		{"relative_outside", "../../../../../../../etc/passwd"},
		{"nowhere", "no_such"},
		{"slashes", "//a///b//deep"},
	};

	(void)state;
	if (!mkdtemp(folder))
		return -1;
	root = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0 || mkdirat(root, "a", 0700) || mkdirat(root, "a/b", 0700))
		return -1;
	make_file("top");
	make_file("a/file");
	make_file("a/b/deep");
	for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++)
		if (symlinkat(links[i].target, root, links[i].path))
			return -1;
	return 0;
}

static int end(void **state)
{
	char command[128];

	(void)state;
	close(root);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	return system(command);
}

/* The inode of what was opened, or negative errno. */
static long inode_of(int fd)
{
	autoclose int owned = fd;
	struct stat status;

	if (fd < 0)
		return fd;
	assert_int_equal(fstat(owned, &status), 0);
	return (long)status.st_ino;
}

static void both_ways_open_the_same_file(void **state)
{
	static const struct {
		const char *path;
		const char *want; /* NULL: error */
		int error;
		int flags;
	} cases[] = {
		{"top", "top", 0, 0},
		{"/top", "top", 0, 0},
		{"///a//./b/deep", "a/b/deep", 0, 0},
		{"a/../top", "top", 0, 0},
		{"../../top", "top", 0, 0},
		{"..", ".", 0, 0},
		{"/", ".", 0, 0},
		{".", ".", 0, 0},
		{"a/b/..", "a", 0, 0},
		{"a", "a", 0, O_DIRECTORY},
		{"a/to_file", "a/file", 0, 0},
		{"a/up", "top", 0, 0},
		{"a/far_up", "top", 0, 0},
		{"absolute", "a/b/deep", 0, 0},
		{"to_directory/deep", "a/b/deep", 0, 0},
		{"to_directory", "a/b", 0, O_DIRECTORY},
		{"a/b/back/file", "a/file", 0, 0},
		{"chain", "a/file", 0, 0},
		{"slashes", "a/b/deep", 0, 0},
		{"to_directory/deep", "a/b/deep", 0, O_NOFOLLOW},
		{"chain", NULL, -ELOOP, O_NOFOLLOW},
		{"loop", NULL, -ELOOP, 0},
		{"round", NULL, -ELOOP, 0},
		{"outside", NULL, -ENOENT, 0},
		{"relative_outside", NULL, -ENOENT, 0},
		{"nowhere", NULL, -ENOENT, 0},
		{"no_such/top", NULL, -ENOENT, 0},
		{"top/below", NULL, -ENOTDIR, 0},
		{"top", NULL, -ENOTDIR, O_DIRECTORY},
		{"", NULL, -ENOENT, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int flags = cases[i].flags | O_RDONLY | O_CLOEXEC;
		long want = cases[i].error;

		if (cases[i].want)
			want = inode_of(openat(root, cases[i].want, O_PATH | O_CLOEXEC));
		assert_int_equal(inode_of(ctd_open_in_root(root, cases[i].path, flags)), want);
		assert_int_equal(inode_of(ctd_walk_in_root(root, cases[i].path, flags)), want);
	}
}

static void a_name_or_path_that_is_too_long_is_refused(void **state)
{
	char name[300], path[PATH_MAX + 10];

	(void)state;
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	memset(path, '/', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	assert_int_equal(ctd_walk_in_root(root, name, O_RDONLY), -ENAMETOOLONG);
	assert_int_equal(ctd_walk_in_root(root, path, O_RDONLY), -ENAMETOOLONG);
}

static void no_descriptor_is_left_open(void **state)
{
	int before = dup(root), after;

	(void)state;
	close(before);
	assert_int_equal(ctd_walk_in_root(root, "a/b/no_such", O_RDONLY), -ENOENT);
	assert_int_equal(ctd_walk_in_root(root, "loop", O_RDONLY), -ELOOP);
	close(ctd_walk_in_root(root, "to_directory/../b/deep", O_RDONLY));
	after = dup(root);
	close(after);
	assert_int_equal(after, before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_ways_open_the_same_file),
		cmocka_unit_test(a_name_or_path_that_is_too_long_is_refused),
		cmocka_unit_test(no_descriptor_is_left_open),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
