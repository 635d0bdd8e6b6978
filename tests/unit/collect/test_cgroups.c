/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_cgroups.c - a walk forgets no cgroup that it could not come to, and follows on lost events. */
#include "collect/cgroups.h"

#include "unit/identity/tree.h"

#define ELSEWHERE 77

/* Of a hierarchy with one cgroup, none of which is known yet. */
static void open_with_web(struct ctd_cgroups *cgroups, struct tree *tree)
{
	*cgroups = (struct ctd_cgroups){.hierarchy = {.v2 = true, .mounted_path = "/"}};
	tree_new(tree);
	tree_directory(tree, "/web");
	strcpy(cgroups->hierarchy.mount, tree->root);
	assert_int_equal(ctd_identities_new(&cgroups->identities), 0);
}

static void close_both(struct ctd_cgroups *cgroups, struct tree *tree)
{
	ctd_identities_free(cgroups->identities);
	tree_free(tree);
}

/* The root of what is mounted has another id than 1, as in a container's cgroup namespace. */
static void what_a_part_of_the_hierarchy_does_not_show_is_not_forgotten(void **state)
{
	struct ctd_cgroups cgroups;
	const struct ctd_identity *identity;
	struct tree tree;

	(void)state;
	open_with_web(&cgroups, &tree);
	assert_int_equal(ctd_identities_add(cgroups.identities, ELSEWHERE, "/elsewhere"), 0);
	assert_int_equal(ctd_cgroups_walk(&cgroups), 0);
	assert_int_equal(ctd_identities_count(cgroups.identities), 3);
	identity = ctd_identities_get(cgroups.identities, ELSEWHERE);
	assert_non_null(identity);
	assert_false(identity->removed);
	close_both(&cgroups, &tree);
}

static void what_lost_events_did_not_tell_is_found(void **state)
{
	struct ctd_cgroups cgroups;
	struct tree tree;

	(void)state;
	open_with_web(&cgroups, &tree);
	assert_int_equal(ctd_cgroups_catch_up(&cgroups, 0), 0);
	assert_int_equal(ctd_identities_count(cgroups.identities), 0);
	assert_int_equal(ctd_cgroups_catch_up(&cgroups, 3), 0);
	assert_int_equal(ctd_identities_count(cgroups.identities), 2);
	/* As many as before: nothing was lost since. */
	tree_directory(&tree, "/db");
	assert_int_equal(ctd_cgroups_catch_up(&cgroups, 3), 0);
	assert_int_equal(ctd_identities_count(cgroups.identities), 2);
	assert_int_equal(ctd_cgroups_catch_up(&cgroups, 4), 0);
	assert_int_equal(ctd_identities_count(cgroups.identities), 3);
	/* Other programs count from 0. */
	tree_directory(&tree, "/cache");
	ctd_cgroups_hand_over(&cgroups);
	assert_int_equal(ctd_cgroups_catch_up(&cgroups, 0), 0);
	assert_int_equal(ctd_identities_count(cgroups.identities), 3);
	assert_int_equal(ctd_cgroups_catch_up(&cgroups, 1), 0);
	assert_int_equal(ctd_identities_count(cgroups.identities), 4);
	close_both(&cgroups, &tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_part_of_the_hierarchy_does_not_show_is_not_forgotten),
		cmocka_unit_test(what_lost_events_did_not_tell_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
