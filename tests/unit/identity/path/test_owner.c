/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_owner.c - a container counts as one where none but root could have made its directory. */
#include <errno.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cgtopdown/identity.h>

#include "unit/identity/tree.h"

#define ID "09d25175152d62552a4ce4de9a7bdcdfcf5c7d4fef347044797440a21f0022f4"
#define NODE "27cc36e6afb1b5da74826cd9040b74276bac77dd7f12efa47d6cf8ae11e1e39d"
#define UID "42327637369f97ce7be9827ec349ebf2"
#define USER 1000
#define MAPPED 165536

static void give(const struct tree *tree, const char *path, uid_t owner)
{
	char whole[PATH_MAX];

	tree_directory(tree, path);
	snprintf(whole, sizeof(whole), "%s%s", tree->root, path);
	assert_int_equal(chown(whole, owner, owner), 0);
}

static void open_to(const struct tree *tree, const char *path, gid_t group, mode_t mode)
{
	char whole[PATH_MAX];

	snprintf(whole, sizeof(whole), "%s%s", tree->root, path);
	assert_int_equal(chown(whole, 0, group), 0);
	assert_int_equal(chmod(whole, mode), 0);
}

static bool is_placed(const struct tree *tree, const char *mounted_path, const char *path)
{
	struct ctd_cgroup_hierarchy hierarchy = {.v2 = true};
	struct ctd_identity identity = {.path = (char *)path};

	strcpy(hierarchy.mount, tree->root);
	strcpy(hierarchy.mounted_path, mounted_path);
	ctd_identity_parse(path, &identity);
	return ctd_cgroup_is_placed(&hierarchy, &identity);
}

static void what_root_alone_could_make_counts(void **state)
{
	struct tree tree;

	(void)state;
	tree_new(&tree);
	tree_directory(&tree, "/kubepods/pod" UID "/" ID);
	if (geteuid()) {
		/* All of it is an ordinary user's. */
		assert_false(is_placed(&tree, "/", "/kubepods/pod" UID "/" ID));
		tree_free(&tree);
		return;
	}
	/* Its own directory is perhaps its user namespace's. */
	give(&tree, "/kubepods/pod" UID "/" ID, MAPPED);
	assert_true(is_placed(&tree, "/", "/kubepods/pod" UID));
	assert_true(is_placed(&tree, "/", "/kubepods/pod" UID "/" ID));
	assert_true(is_placed(&tree, "/", "/kubepods/pod" UID "/" ID "/user/below"));
	/* In it, what its root made, but no user of it. */
	give(&tree, "/kubepods/pod" UID "/" ID "/docker", MAPPED);
	assert_true(is_placed(&tree, "/", "/kubepods/pod" UID "/" ID "/docker/" NODE));
	give(&tree, "/kubepods/pod" UID "/" ID "/a", MAPPED + USER);
	assert_false(is_placed(&tree, "/", "/kubepods/pod" UID "/" ID "/a/" NODE));
	/* A user's own, also where it is gone by now. */
	give(&tree, "/system.slice/a.service", USER);
	assert_false(is_placed(&tree, "/", "/system.slice/a.service/docker/" ID));
	assert_false(is_placed(&tree, "/", "/system.slice/a.service/pod" UID));
	give(&tree, "/kubepods/pod" NODE, USER);
	assert_true(is_placed(&tree, "/", "/docker/" ID));
	/* Root's, but a group may fill it, or all may. */
	give(&tree, "/group/below", 0);
	assert_true(is_placed(&tree, "/", "/group/docker-" ID ".scope"));
	open_to(&tree, "/group", USER, 0775);
	assert_false(is_placed(&tree, "/", "/group/docker-" ID ".scope"));
	assert_false(is_placed(&tree, "/", "/group/below/docker-" ID ".scope"));
	open_to(&tree, "/group", 0, 0775);
	assert_true(is_placed(&tree, "/", "/group/docker-" ID ".scope"));
	open_to(&tree, "/group", 0, 0777);
	assert_false(is_placed(&tree, "/", "/group/docker-" ID ".scope"));
	/* Where a part of the hierarchy is mounted. */
	assert_false(is_placed(&tree, "/top", "/top/system.slice/a.service/docker/" ID));
	assert_true(is_placed(&tree, "/top", "/system.slice/a.service/docker/" ID));
	tree_free(&tree);
}

/* The bytes of @p path that are a delegation, whose id is checked, too. */
static size_t delegation(const struct tree *tree, const char *path)
{
	struct ctd_cgroup_hierarchy hierarchy = {.v2 = true, .mounted_path = "/"};
	uint64_t cgroup_id, own_id;
	char whole[PATH_MAX];
	size_t bytes;

	strcpy(hierarchy.mount, tree->root);
	bytes = ctd_cgroup_delegation(&hierarchy, path, &cgroup_id);
	if (!bytes)
		return 0;
	snprintf(whole, sizeof(whole), "%s%.*s", tree->root, (int)bytes, path);
	assert_int_equal(ctd_cgroup_id_of(whole, &own_id), 0);
	assert_int_equal(cgroup_id, own_id);
	return bytes;
}

static void the_outermost_that_others_may_fill_is_a_delegation(void **state)
{
	static const char machine[] = "/machine.slice/machine-a.scope";
	char whole[PATH_MAX];
	struct tree tree;

	(void)state;
	if (geteuid()) {
		print_message("not run by root\n");
		skip();
	}
	tree_new(&tree);
	give(&tree, "/lxc.payload.web", MAPPED);
	give(&tree, "/lxc.payload.web/user.slice", MAPPED + USER);
	assert_int_equal(delegation(&tree, "/lxc.payload.web/user.slice/a"), 16);
	assert_int_equal(delegation(&tree, "/lxc.payload.web"), 16);
	assert_int_equal(delegation(&tree, "/"), 0);
	assert_int_equal(delegation(&tree, "/gone"), 0);
	/* Its group may write, or all may; root's own group does not count. */
	tree_directory(&tree, "/group/a");
	snprintf(whole, sizeof(whole), "%s/group", tree.root);
	assert_int_equal(chmod(whole, 0775), 0);
	assert_int_equal(delegation(&tree, "/group/a"), 0);
	assert_int_equal(chown(whole, 0, USER), 0);
	assert_int_equal(delegation(&tree, "/group/a"), 6);
	assert_int_equal(chown(whole, 0, 0), 0);
	assert_int_equal(chmod(whole, 0777), 0);
	assert_int_equal(delegation(&tree, "/group/a"), 6);
	/* systemd's mark of a machine that root runs. */
	tree_directory(&tree, machine);
	tree_directory(&tree, "/machine.slice/machine-a.scope/payload");
	assert_int_equal(delegation(&tree, "/machine.slice/machine-a.scope/payload"), 0);
	snprintf(whole, sizeof(whole), "%s%s", tree.root, machine);
	/* tmpfs has such marks since Linux 6.6; tests/progrun/delegated has one of cgroupfs. */
	if (setxattr(whole, "user.delegate", "0", 1, 0) && errno == ENOTSUP) {
		tree_free(&tree);
		return;
	}
	assert_int_equal(delegation(&tree, "/machine.slice/machine-a.scope/payload"), 0);
	assert_int_equal(setxattr(whole, "user.delegate", "1", 1, 0), 0);
	assert_int_equal(delegation(&tree, "/machine.slice/machine-a.scope/payload"),
			 strlen(machine));
	tree_free(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_root_alone_could_make_counts),
		cmocka_unit_test(the_outermost_that_others_may_fill_is_a_delegation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
