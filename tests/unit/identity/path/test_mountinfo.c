/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_mountinfo.c - cgroup mounts are taken from mountinfo, other and broken lines are not. */
#include "identity/path/mountinfo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void lines_give_point_root_options_and_version(void **state)
{
	static const struct {
		int line;
		const char *text;
		const char *point; /* NULL: not taken */
		const char *root, *options;
		bool v2;
	} cases[] = {
		{__LINE__,
		 "29 22 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw,nsdelegate",
		 "/sys/fs/cgroup", "/", "rw,nsdelegate", true},
		{__LINE__, "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n",
		 "/sys/fs/cgroup/cpu", "/", "rw,cpu,cpuacct", false},
		{__LINE__, "32 31 0:29 /docker/x /c rw shared:1 master:2 - cgroup cgroup rw,cpu",
		 "/c", "/docker/x", "rw,cpu", false},
		{__LINE__, "32 31 0:29 /../.. /host/c rw - cgroup2 cgroup2 rw", "/host/c", "/../..",
		 "rw", true},
		{__LINE__, "1 1 0:1 /a\\040b /c\\134d\\011e\\012 rw - cgroup2 none rw",
		 "/c\\d\te\n", "/a b", "rw", true},
		{__LINE__, "1 1 0:1 /\\04 /\\048\\ rw - cgroup2 none rw", "/\\048\\", "/\\04", "rw",
		 true},
		{__LINE__, "1 1 0:1 / /c rw - cgroup2  rw", "/c", "/", "rw", true},
		{__LINE__, "1 1 0:1 - /c rw - cgroup2 none rw", "/c", "-", "rw", true},
		{__LINE__, "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw", NULL, NULL, NULL,
		 false},
		{__LINE__, "1 1 0:1 / /c rw - cgroup3 none rw", NULL, NULL, NULL, false},
		{__LINE__, "1 1 0:1 / /c rw - cgroup2 none", NULL, NULL, NULL, false},
		{__LINE__, "1 1 0:1 / /c rw cgroup2 none rw", NULL, NULL, NULL, false},
		{__LINE__, "1 1 0:1 / /c rw -", NULL, NULL, NULL, false},
		{__LINE__, "1 1 - cgroup2 none rw", NULL, NULL, NULL, false},
		{__LINE__, "- - - - - - - - -", NULL, NULL, NULL, false},
		{__LINE__, "\n\n \n", NULL, NULL, NULL, false},
		{__LINE__, "", NULL, NULL, NULL, false},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *cursor = cases[i].text;
		struct ctd_cgroup_mount mount = {0};
		bool got = ctd_cgroup_mount_next(&cursor, &mount);

		if (got != !!cases[i].point ||
		    (got && (strcmp(mount.point, cases[i].point) || mount.v2 != cases[i].v2 ||
			     strcmp(mount.root, cases[i].root) ||
			     strcmp(mount.options, cases[i].options))))
			fail_msg("line %d: %d, '%s' '%s' '%s' %d", cases[i].line, got, mount.point,
				 mount.root, mount.options, mount.v2);
		if (ctd_cgroup_mount_next(&cursor, &mount) || *cursor)
			fail_msg("line %d: more than one", cases[i].line);
	}
}

static void lines_are_taken_in_order(void **state)
{
	const char *cursor = "1 1 0:1 / /a rw - cgroup cgroup rw,cpu\n"
			     "1 1 0:2 / / rw - tmpfs tmpfs rw\n"
			     "broken\n"
			     "1 1 0:3 / /b rw - cgroup2 cgroup2 rw\n";
	struct ctd_cgroup_mount mount;

	(void)state;
	assert_true(ctd_cgroup_mount_next(&cursor, &mount));
	assert_string_equal(mount.point, "/a");
	assert_true(ctd_cgroup_mount_next(&cursor, &mount));
	assert_string_equal(mount.point, "/b");
	assert_false(ctd_cgroup_mount_next(&cursor, &mount));
	assert_false(ctd_cgroup_mount_next(&cursor, &mount));
	assert_string_equal(mount.point, "/b");
}

static void a_mount_point_fits_whole_or_is_skipped(void **state)
{
	struct ctd_cgroup_mount mount;
	char text[512], point[257];
	const char *cursor = text;

	(void)state;
	memset(point, 'p', sizeof(point));
	point[255] = '\0';
	snprintf(text, sizeof(text), "1 1 0:1 / %s rw - cgroup2 none rw", point);
	assert_true(ctd_cgroup_mount_next(&cursor, &mount));
	assert_string_equal(mount.point, point);
	point[255] = 'p';
	point[256] = '\0';
	snprintf(text, sizeof(text), "1 1 0:1 / %s rw - cgroup2 none rw", point);
	cursor = text;
	assert_false(ctd_cgroup_mount_next(&cursor, &mount));
}

static void levels_above_a_cgroup_namespace_are_counted(void **state)
{
	(void)state;
	assert_int_equal(ctd_mount_levels_above("/"), 0);
	assert_int_equal(ctd_mount_levels_above("/a/.."), 0);
	assert_int_equal(ctd_mount_levels_above("/..a"), 0);
	assert_int_equal(ctd_mount_levels_above("/..a/.."), 0);
	assert_int_equal(ctd_mount_levels_above("/.."), 1);
	assert_int_equal(ctd_mount_levels_above("/../a"), 1);
	assert_int_equal(ctd_mount_levels_above("/../.."), 2);
	assert_int_equal(ctd_mount_levels_above(""), 0);
}

static void only_a_mounted_part_is_a_prefix_of_paths(void **state)
{
	(void)state;
	assert_string_equal(ctd_mount_prefix("/"), "");
	assert_string_equal(ctd_mount_prefix("/.."), "");
	assert_string_equal(ctd_mount_prefix("/../a"), "");
	assert_string_equal(ctd_mount_prefix("/a/b"), "/a/b");
	assert_string_equal(ctd_mount_prefix("/..a"), "/..a");
	assert_string_equal(ctd_mount_path("/", "/a/b"), "/a/b");
	assert_string_equal(ctd_mount_path("/..", "/a/b"), "/a/b");
	assert_string_equal(ctd_mount_path("/a", "/a/b"), "/b");
	assert_string_equal(ctd_mount_path("/a", "/a"), "");
	assert_null(ctd_mount_path("/a", "/ab/c"));
	assert_null(ctd_mount_path("/a/b", "/a/c"));
	assert_null(ctd_mount_path("/a/b", "/"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_give_point_root_options_and_version),
		cmocka_unit_test(lines_are_taken_in_order),
		cmocka_unit_test(a_mount_point_fits_whole_or_is_skipped),
		cmocka_unit_test(levels_above_a_cgroup_namespace_are_counted),
		cmocka_unit_test(only_a_mounted_part_is_a_prefix_of_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
