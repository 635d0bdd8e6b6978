/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_cgroup_id.c - a cgroup directory's id is the kernel's, elsewhere the inode's number. */
#include <errno.h>

#include <cgtopdown/identity.h>

#include "unit/identity/tree.h"

static void outside_cgroups_it_is_the_inode_number(void **state)
{
	struct tree tree;
	struct stat status;
	uint64_t id = 0;

	(void)state;
	tree_new(&tree);
	assert_int_equal(ctd_cgroup_id_of(tree.root, &id), 0);
	assert_int_equal(stat(tree.root, &status), 0);
	assert_int_equal(id, status.st_ino);
	tree_free(&tree);
}

static void what_is_no_directory_has_no_id(void **state)
{
	uint64_t id = 77;

	(void)state;
	assert_int_equal(ctd_cgroup_id_of("/proc/self/cmdline", &id), -ENOTDIR);
	assert_int_equal(ctd_cgroup_id_of("/nowhere", &id), -ENOENT);
	assert_int_equal(id, 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(outside_cgroups_it_is_the_inode_number),
		cmocka_unit_test(what_is_no_directory_has_no_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
