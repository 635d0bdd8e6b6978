/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_scan.c - a walk adds every cgroup once, under its path in the hierarchy. */
#include <errno.h>
#include <unistd.h>

#include <cgtopdown/identity.h>

#include "unit/identity/tree.h"

#define ID "09d25175152d62552a4ce4de9a7bdcdfcf5c7d4fef347044797440a21f0022f4"

static const struct ctd_identity *known_as(const struct ctd_identities *table,
					   const struct tree *tree, const char *directory)
{
	char whole[PATH_MAX];
	uint64_t id;

	snprintf(whole, sizeof(whole), "%s%s", tree->root, directory);
	assert_int_equal(ctd_cgroup_id_of(whole, &id), 0);
	return ctd_identities_get(table, id);
}

static struct ctd_cgroup_hierarchy hierarchy_at(const struct tree *tree, const char *mounted_path)
{
	struct ctd_cgroup_hierarchy hierarchy = {.v2 = true};

	strcpy(hierarchy.mount, tree->root);
	strcpy(hierarchy.mounted_path, mounted_path);
	return hierarchy;
}

static int make_tree(void **state)
{
	static struct tree tree;

	tree_new(&tree);
	tree_directory(&tree, "/docker/" ID "/init");
	tree_directory(&tree, "/system.slice");
	tree_file(&tree, "/cgroup.procs", "1\n");
	tree_file(&tree, "/docker/cgroup.procs", "2\n");
	*state = &tree;
	return 0;
}

static int remove_tree(void **state)
{
	tree_free(*state);
	return 0;
}

static void every_directory_is_a_cgroup_and_no_file_is(void **state)
{
	const struct tree *tree = *state;
	struct ctd_cgroup_hierarchy hierarchy = hierarchy_at(tree, "/");
	struct ctd_identities *table;
	const struct ctd_identity *identity;

	assert_int_equal(ctd_identities_new(&table), 0);
	assert_int_equal(ctd_cgroups_scan(&hierarchy, table), 5);
	assert_int_equal(ctd_identities_count(table), 5);
	assert_string_equal(known_as(table, tree, "")->path, "/");
	assert_string_equal(known_as(table, tree, "/docker")->path, "/docker");
	assert_string_equal(known_as(table, tree, "/system.slice")->path, "/system.slice");
	identity = known_as(table, tree, "/docker/" ID "/init");
	assert_string_equal(identity->path, "/docker/" ID "/init");
	assert_string_equal(identity->container_id, ID);
	assert_int_equal(identity->parent_id, known_as(table, tree, "/docker/" ID)->cgroup_id);
	ctd_identities_free(table);
}

static void a_second_walk_adds_nothing_new(void **state)
{
	struct ctd_cgroup_hierarchy hierarchy = hierarchy_at(*state, "/");
	struct ctd_identities *table;

	assert_int_equal(ctd_identities_new(&table), 0);
	assert_int_equal(ctd_cgroups_scan(&hierarchy, table), 5);
	assert_int_equal(ctd_cgroups_scan(&hierarchy, table), 5);
	assert_int_equal(ctd_identities_count(table), 5);
	ctd_identities_free(table);
}

static void paths_begin_where_the_mount_begins(void **state)
{
	static const struct {
		const char *mounted_path, *root, *docker;
	} cases[] = {
		{"/part/of", "/part/of", "/part/of/docker"},
		{"/..part", "/..part", "/..part/docker"},
		/* from above a cgroup namespace: the top of what can be seen */
		{"/..", "/", "/docker"},
		{"/../..", "/", "/docker"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ctd_cgroup_hierarchy hierarchy = hierarchy_at(*state, cases[i].mounted_path);
		struct ctd_identities *table;

		assert_int_equal(ctd_identities_new(&table), 0);
		assert_int_equal(ctd_cgroups_scan(&hierarchy, table), 5);
		assert_string_equal(known_as(table, *state, "")->path, cases[i].root);
		assert_string_equal(known_as(table, *state, "/docker")->path, cases[i].docker);
		ctd_identities_free(table);
	}
}

static void symbolic_links_are_not_followed(void **state)
{
	const struct tree *tree = *state;
	struct ctd_cgroup_hierarchy hierarchy = hierarchy_at(tree, "/");
	struct ctd_identities *table;
	char link[64];

	snprintf(link, sizeof(link), "%s/loop", tree->root);
	assert_int_equal(symlink("..", link), 0);
	assert_int_equal(ctd_identities_new(&table), 0);
	assert_int_equal(ctd_cgroups_scan(&hierarchy, table), 5);
	assert_int_equal(unlink(link), 0);
	ctd_identities_free(table);
}

static void a_walk_goes_no_deeper_than_it_can_hold_open(void **state)
{
	struct ctd_cgroup_hierarchy hierarchy;
	struct ctd_identities *table;
	char path[1024] = "";
	struct tree deep;

	(void)state;
	tree_new(&deep);
	while (strlen(path) < 2 * 300)
		strcat(path, "/d");
	tree_directory(&deep, path);
	hierarchy = hierarchy_at(&deep, "/");
	assert_int_equal(ctd_identities_new(&table), 0);
	assert_int_equal(ctd_cgroups_scan(&hierarchy, table), 129);
	ctd_identities_free(table);
	tree_free(&deep);
}

static void a_hierarchy_that_is_not_there_is_an_error(void **state)
{
	struct ctd_cgroup_hierarchy hierarchy = {.mount = "/nowhere", .mounted_path = "/"};
	struct ctd_identities *table;

	(void)state;
	assert_int_equal(ctd_identities_new(&table), 0);
	assert_int_equal(ctd_cgroups_scan(&hierarchy, table), -ENOENT);
	assert_int_equal(ctd_identities_count(table), 0);
	ctd_identities_free(table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_directory_is_a_cgroup_and_no_file_is),
		cmocka_unit_test(a_second_walk_adds_nothing_new),
		cmocka_unit_test(paths_begin_where_the_mount_begins),
		cmocka_unit_test(symbolic_links_are_not_followed),
		cmocka_unit_test(a_walk_goes_no_deeper_than_it_can_hold_open),
		cmocka_unit_test(a_hierarchy_that_is_not_there_is_an_error),
	};

	return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
