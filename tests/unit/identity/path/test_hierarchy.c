/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_hierarchy.c - the right hierarchy is chosen on machines of every cgroup layout. */
#include <errno.h>

#include <cgtopdown/identity.h>

#include "base/root.h"
#include "unit/identity/tree.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define SYS "23 27 0:22 / /sys rw,relatime - sysfs sysfs rw\n"
#define TMPFS "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755\n"

#define V2_MOUNTS \
	SYS "29 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
#define V2_LINES "0::/user.slice/user-0.slice/session-1.scope\n"

#define V1_MOUNTS                                                                                         \
	SYS TMPFS                                                                                         \
		"32 31 0:29 / /sys/fs/cgroup/systemd rw shared:9 - cgroup cgroup rw,xattr,name=systemd\n" \
		"33 31 0:30 / /sys/fs/cgroup/memory rw shared:15 - cgroup cgroup rw,memory\n"             \
		"34 31 0:31 / /sys/fs/cgroup/cpu,cpuacct rw shared:16 - cgroup cgroup rw,cpu,cpuacct\n"
#define V1_LINES "4:memory:/\n2:cpu,cpuacct:/\n1:name=systemd:/init.scope\n"

#define UNIFIED_MOUNT "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n"
#define HYBRID_MOUNTS V1_MOUNTS UNIFIED_MOUNT
#define HYBRID_LINES V1_LINES "0::/init.scope\n"

/* From inside a container that has the host's hierarchy mounted beside its own part. */
#define CONTAINER_MOUNTS                                                           \
	SYS "50 23 0:26 / /sys/fs/cgroup ro - cgroup2 cgroup rw,nsdelegate\n"      \
	    "51 23 0:26 /../../.. /host/cgroup ro master:4 - cgroup2 cgroup2 rw\n" \
	    "52 23 0:26 /.. /host/other ro master:4 - cgroup2 cgroup2 rw\n"

/* The texts of /proc/self/mountinfo and /proc/self/cgroup; NULL: there is no such file. */
struct layout {
	const char *mountinfo, *cgroup;
};

static const struct layout v2 = {V2_MOUNTS, V2_LINES};
static const struct layout v1 = {V1_MOUNTS, V1_LINES};
static const struct layout hybrid = {HYBRID_MOUNTS, HYBRID_LINES};
static const struct layout container = {CONTAINER_MOUNTS, "0::/\n"};
static const struct layout v2_without_list = {V2_MOUNTS, NULL};
static const struct layout v1_unmounted = {SYS, V1_LINES};
static const struct layout v2_with_hidden_v1 = {V2_MOUNTS, HYBRID_LINES};
static const struct layout several = {"1 1 0:1 /part /p rw - cgroup2 cgroup2 rw\n" V2_MOUNTS
				      "1 1 0:1 /..part /q rw - cgroup2 cgroup2 rw\n"
				      "1 1 0:1 / /later rw - cgroup2 cgroup2 rw\n",
				      V2_LINES};
static const struct layout part = {"1 1 0:1 /part /p\\040q rw - cgroup2 cgroup2 rw\n", V2_LINES};
static const struct layout nothing = {SYS, ""};
static const struct layout no_proc = {NULL, NULL};

static const struct hierarchy_case {
	int line;
	const struct layout *layout;
	const char *cgroups; /* that exist below /sys/fs/cgroup */
	const char *wanted;
	const char *want; /* "controller id mount mounted_path"; NULL: -ENOENT */
} cases[] = {
	{__LINE__, &v2, "a", "auto", "v2 0 /sys/fs/cgroup /"},
	{__LINE__, &v2, "", "auto", "v2 0 /sys/fs/cgroup /"},
	{__LINE__, &v2, "", "v2", "v2 0 /sys/fs/cgroup /"},
	{__LINE__, &v2, "", "cpu", NULL},
	{__LINE__, &v2_without_list, "", "auto", "v2 0 /sys/fs/cgroup /"},

	/* Nobody has cgroups: the hierarchy that was made first, of those with a controller. */
	{__LINE__, &v1, "", "auto", "cpu 2 /sys/fs/cgroup/cpu,cpuacct /"},
	{__LINE__, &v1, "memory/a", "auto", "memory 4 /sys/fs/cgroup/memory /"},
	{__LINE__, &v1, "systemd/a memory/a", "auto", "memory 4 /sys/fs/cgroup/memory /"},
	{__LINE__, &v1, "cpu,cpuacct/a memory/a", "auto", "cpu 2 /sys/fs/cgroup/cpu,cpuacct /"},
	{__LINE__, &v1, "", "memory", "memory 4 /sys/fs/cgroup/memory /"},
	{__LINE__, &v1, "", "cpuacct", "cpuacct 2 /sys/fs/cgroup/cpu,cpuacct /"},
	{__LINE__, &v1, "", "name=systemd", "name=systemd 1 /sys/fs/cgroup/systemd /"},
	{__LINE__, &v1, "", "v2", NULL},
	{__LINE__, &v1, "", "cpu,cpuacct", NULL},
	{__LINE__, &v1, "", "cp", NULL},
	{__LINE__, &v1, "", "rw", NULL},
	{__LINE__, &v1, "", "", NULL},

	{__LINE__, &hybrid, "unified/a memory/a", "auto", "v2 0 /sys/fs/cgroup/unified /"},
	{__LINE__, &hybrid, "unified memory/a", "auto", "memory 4 /sys/fs/cgroup/memory /"},
	{__LINE__, &hybrid, "unified memory", "auto", "v2 0 /sys/fs/cgroup/unified /"},
	{__LINE__, &hybrid, "unified/a", "memory", "memory 4 /sys/fs/cgroup/memory /"},

	{__LINE__, &container, "", "auto", "v2 0 /host/cgroup /../../.."},
	{__LINE__, &several, "", "v2", "v2 0 /sys/fs/cgroup /"},
	{__LINE__, &part, "", "v2", "v2 0 /p q /part"},
	{__LINE__, &v2_with_hidden_v1, "", "memory", NULL},
	{__LINE__, &v1_unmounted, "", "auto", NULL},
	{__LINE__, &nothing, "", "auto", NULL},
	{__LINE__, &no_proc, "", "v2", NULL},
};

static void make_machine(const struct layout *layout, const char *cgroups, struct tree *ret_tree)
{
	char list[128], path[160];

	tree_new(ret_tree);
	tree_directory(ret_tree, "/proc/self");
	if (layout->mountinfo)
		tree_file(ret_tree, "/proc/self/mountinfo", layout->mountinfo);
	if (layout->cgroup)
		tree_file(ret_tree, "/proc/self/cgroup", layout->cgroup);
	snprintf(list, sizeof(list), "%s", cgroups);
	for (char *name = strtok(list, " "); name; name = strtok(NULL, " ")) {
		snprintf(path, sizeof(path), "/sys/fs/cgroup/%s", name);
		tree_directory(ret_tree, path);
	}
}

/* Finds on a machine made for it; the mount is given without the root directory before it. */
static int find(const struct layout *layout, const char *cgroups, const char *wanted,
		struct ctd_cgroup_hierarchy *ret_hierarchy, char ret_why[160])
{
	struct tree tree;
	size_t root_bytes;
	int err;

	make_machine(layout, cgroups, &tree);
	ctd_root_set(tree.root);
	err = ctd_cgroup_hierarchy_find(wanted, ret_hierarchy, ret_why);
	ctd_root_set(NULL);
	tree_free(&tree);
	if (err)
		return err;
	root_bytes = strlen(tree.root);
	assert_memory_equal(ret_hierarchy->mount, tree.root, root_bytes);
	memmove(ret_hierarchy->mount, ret_hierarchy->mount + root_bytes,
		strlen(ret_hierarchy->mount + root_bytes) + 1);
	return 0;
}

static void each_layout_gives_its_hierarchy(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_cgroup_hierarchy found = {.mount = "untouched"};
		char why[160] = "", got[640];
		int err = find(cases[i].layout, cases[i].cgroups, cases[i].wanted, &found, why);

		snprintf(got, sizeof(got), "%s %u %s %s", found.v2 ? "v2" : found.controller,
			 found.hierarchy_id, found.mount, found.mounted_path);
		if (err != (cases[i].want ? 0 : -ENOENT))
			fail_msg("line %d: %d, '%s'", cases[i].line, err, why);
		if (strcmp(got, cases[i].want ? cases[i].want : " 0 untouched "))
			fail_msg("line %d: '%s'", cases[i].line, got);
		if (err && !strstr(why, cases[i].wanted))
			fail_msg("line %d: '%s' is no reason", cases[i].line, why);
	}
}

static void a_mount_point_too_long_below_the_root_directory_is_refused(void **state)
{
	struct ctd_cgroup_hierarchy found = {.hierarchy_id = 77};
	char mountinfo[512], point[251], why[160];
	const struct layout layout = {mountinfo, V2_LINES};

	(void)state;
	memset(point, 'p', sizeof(point));
	point[sizeof(point) - 1] = '\0';
	snprintf(mountinfo, sizeof(mountinfo), "1 1 0:1 / /%s rw - cgroup2 none rw\n", point);
	assert_int_equal(find(&layout, "", "v2", &found, why), -ENAMETOOLONG);
	assert_int_equal(found.hierarchy_id, 77);
	assert_non_null(strstr(why, "too long"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_layout_gives_its_hierarchy),
		cmocka_unit_test(a_mount_point_too_long_below_the_root_directory_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
