/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_cgroups.c - a walk forgets no cgroup that it could not come to. */
#include "collect/cgroups.h"

#include "unit/identity/tree.h"

#define ELSEWHERE 77

/* The root of what is mounted has another id than 1, as in a container's cgroup namespace. */
static void what_a_part_of_the_hierarchy_does_not_show_is_not_forgotten(void **state)
{
	struct ctd_cgroups cgroups = {.hierarchy = {.v2 = true, .mounted_path = "/"}};
	const struct ctd_identity *identity;
	struct tree tree;

	(void)state;
	tree_new(&tree);
	tree_directory(&tree, "/web");
	strcpy(cgroups.hierarchy.mount, tree.root);
	assert_int_equal(ctd_identities_new(&cgroups.identities), 0);
	assert_int_equal(ctd_identities_add(cgroups.identities, ELSEWHERE, "/elsewhere"), 0);
	assert_int_equal(ctd_cgroups_walk(&cgroups), 0);
	assert_int_equal(ctd_identities_count(cgroups.identities), 3);
	identity = ctd_identities_get(cgroups.identities, ELSEWHERE);
	assert_non_null(identity);
	assert_false(identity->removed);
	ctd_identities_free(cgroups.identities);
	tree_free(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_part_of_the_hierarchy_does_not_show_is_not_forgotten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
