/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_disk.c - what many ask for is read once, and what that took is known until it is forgotten. */
#include "identity/lookup/disk.h"
#include "unit/identity/tree.h"

static struct ctd_disk *open_disk(struct tree *tree)
{
	struct ctd_disk *disk;

	tree_new(tree);
	tree_directory(tree, "/pods/a");
	tree_file(tree, "/list.json", "[1]");
	assert_int_equal(ctd_disk_new(tree->root, &disk), 0);
	return disk;
}

static void what_is_kept_is_read_once_until_a_refresh(void **state)
{
	struct tree tree;
	struct ctd_disk *disk = open_disk(&tree);
	const json_t *list;
	uint64_t cost_ns;

	(void)state;
	assert_int_equal(ctd_disk_kept_cost_ns(disk), 0);
	assert_int_equal(ctd_disk_shared_json(disk, "/list.json", &list), 0);
	cost_ns = ctd_disk_kept_cost_ns(disk);
	assert_true(cost_ns > 0);
	assert_int_equal(ctd_disk_list(disk, "/pods")->count, 1);
	assert_true(ctd_disk_kept_cost_ns(disk) > cost_ns);
	cost_ns = ctd_disk_kept_cost_ns(disk);
	tree_file(&tree, "/list.json", "[1, 2]");
	tree_directory(&tree, "/pods/b");
	assert_int_equal(ctd_disk_shared_json(disk, "/list.json", &list), 0);
	assert_int_equal(json_array_size(list), 1);
	assert_int_equal(ctd_disk_list(disk, "/pods")->count, 1);
	assert_int_equal(ctd_disk_kept_cost_ns(disk), cost_ns);

	ctd_disk_refresh(disk);
	assert_int_equal(ctd_disk_kept_cost_ns(disk), 0);
	assert_int_equal(ctd_disk_shared_json(disk, "/list.json", &list), 0);
	assert_int_equal(json_array_size(list), 2);
	assert_int_equal(ctd_disk_list(disk, "/pods")->count, 2);
	ctd_disk_free(disk);
	tree_free(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_kept_is_read_once_until_a_refresh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
