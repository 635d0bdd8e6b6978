/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_table.c - cgroups are known by id, from their first mention until they are forgotten. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <cgtopdown/identity.h>

#define POD_UID "11112222-3333-4444-5555-666677778888"
#define ID "09d25175152d62552a4ce4de9a7bdcdfcf5c7d4fef347044797440a21f0022f4"

static struct ctd_identities *new_table(void)
{
	struct ctd_identities *table = NULL;

	assert_int_equal(ctd_identities_new(&table), 0);
	return table;
}

static void an_empty_table_knows_nothing(void **state)
{
	struct ctd_identities *table = new_table();

	(void)state;
	assert_int_equal(ctd_identities_count(table), 0);
	assert_null(ctd_identities_get(table, 1));
	ctd_identities_remove(table, 1);
	ctd_identities_forget(table, 1);
	ctd_identities_free(table);
	ctd_identities_free(NULL);
}

static void an_added_path_is_copied_and_parsed(void **state)
{
	struct ctd_identities *table = new_table();
	char path[] = "/docker/" ID;
	const struct ctd_identity *identity;

	(void)state;
	assert_int_equal(ctd_identities_add(table, 7, path), 0);
	memset(path, 'x', sizeof(path) - 1);
	identity = ctd_identities_get(table, 7);
	assert_non_null(identity);
	assert_int_equal(identity->cgroup_id, 7);
	assert_string_equal(identity->path, "/docker/" ID);
	assert_int_equal(identity->kind, CTD_IS_CONTAINER);
	assert_string_equal(identity->container_id, ID);
	assert_false(identity->removed);
	assert_null(identity->names.pod_name);
	ctd_identities_free(table);
}

static void parents_are_found_by_path(void **state)
{
	struct ctd_identities *table = new_table();

	(void)state;
	assert_int_equal(ctd_identities_add(table, 1, "/"), 0);
	assert_int_equal(ctd_identities_add(table, 2, "/a"), 0);
	assert_int_equal(ctd_identities_add(table, 3, "/a/b"), 0);
	assert_int_equal(ctd_identities_add(table, 4, "/unseen/c"), 0);
	assert_int_equal(ctd_identities_add(table, 5, "odd"), 0);
	assert_int_equal(ctd_identities_get(table, 1)->parent_id, 0);
	assert_int_equal(ctd_identities_get(table, 2)->parent_id, 1);
	assert_int_equal(ctd_identities_get(table, 3)->parent_id, 2);
	assert_int_equal(ctd_identities_get(table, 4)->parent_id, 0);
	assert_int_equal(ctd_identities_get(table, 5)->parent_id, 0);
	ctd_identities_free(table);
}

static void a_parent_that_is_learnt_later_is_the_parent(void **state)
{
	struct ctd_identities *table;

	(void)state;
	assert_int_equal(ctd_identities_new(&table), 0);
	assert_int_equal(ctd_identities_add(table, 3, "/a/b/c"), 0);
	assert_int_equal(ctd_identities_get(table, 3)->parent_id, 0);
	assert_int_equal(ctd_identities_add(table, 2, "/a/b"), 0);
	assert_int_equal(ctd_identities_get(table, 3)->parent_id, 2);
	ctd_identities_free(table);
}

static void a_path_made_again_is_the_parent_of_what_comes_after(void **state)
{
	struct ctd_identities *table = new_table();

	(void)state;
	assert_int_equal(ctd_identities_add(table, 2, "/a"), 0);
	ctd_identities_remove(table, 2);
	assert_int_equal(ctd_identities_add(table, 3, "/a"), 0);
	ctd_identities_forget(table, 2); /* must not take the newer one's place away */
	assert_int_equal(ctd_identities_add(table, 4, "/a/b"), 0);
	assert_int_equal(ctd_identities_get(table, 4)->parent_id, 3);
	assert_int_equal(ctd_identities_count(table), 2);
	ctd_identities_remove(table, 3);
	ctd_identities_forget(table, 3);
	assert_int_equal(ctd_identities_add(table, 5, "/a/c"), 0);
	assert_int_equal(ctd_identities_get(table, 5)->parent_id, 0);
	ctd_identities_free(table);
}

static void another_path_for_an_id_is_a_renaming(void **state)
{
	struct ctd_identities *table = new_table();
	const struct ctd_identity *identity;

	(void)state;
	assert_int_equal(ctd_identities_add(table, 7, "/docker/" ID), 0);
	ctd_identities_remove(table, 7);
	assert_int_equal(ctd_identities_add(table, 7, "/a"), 0);
	identity = ctd_identities_get(table, 7);
	assert_string_equal(identity->path, "/a");
	assert_int_equal(identity->kind, CTD_IS_CGROUP);
	assert_string_equal(identity->container_id, "");
	assert_false(identity->removed);
	assert_int_equal(ctd_identities_count(table), 1);
	assert_int_equal(ctd_identities_add(table, 8, "/docker/x"), 0);
	assert_int_equal(ctd_identities_add(table, 9, "/docker/" ID "/x"), 0);
	assert_int_equal(ctd_identities_get(table, 9)->parent_id, 0);
	ctd_identities_free(table);
}

static void adding_the_same_again_only_says_that_it_is_there(void **state)
{
	struct ctd_identities *table = new_table();
	const struct ctd_identity *identity;

	(void)state;
	assert_int_equal(ctd_identities_add(table, 7, "/a"), 0);
	identity = ctd_identities_get(table, 7);
	assert_int_equal(ctd_identities_add(table, 7, "/a"), 0);
	assert_ptr_equal(ctd_identities_get(table, 7), identity);
	ctd_identities_remove(table, 7);
	assert_int_equal(ctd_identities_add(table, 7, "/a"), 0);
	assert_false(ctd_identities_get(table, 7)->removed);
	ctd_identities_free(table);
}

static void a_removed_cgroup_keeps_its_name_until_forgotten(void **state)
{
	struct ctd_identities *table = new_table();

	(void)state;
	assert_int_equal(ctd_identities_add(table, 7, "/a"), 0);
	ctd_identities_remove(table, 7);
	assert_true(ctd_identities_get(table, 7)->removed);
	assert_string_equal(ctd_identities_get(table, 7)->path, "/a");
	assert_int_equal(ctd_identities_count(table), 1);
	ctd_identities_forget(table, 7);
	assert_null(ctd_identities_get(table, 7));
	assert_int_equal(ctd_identities_count(table), 0);
	ctd_identities_free(table);
}

static void a_living_cgroup_is_not_forgotten(void **state)
{
	struct ctd_identities *table = new_table();

	(void)state;
	assert_int_equal(ctd_identities_add(table, 7, "/a"), 0);
	ctd_identities_forget(table, 7);
	assert_non_null(ctd_identities_get(table, 7));
	ctd_identities_free(table);
}

static int sum_until_30(const struct ctd_identity *identity, void *context)
{
	uint64_t *sum = context;

	*sum += identity->cgroup_id;
	return *sum > 30 ? 77 : 0;
}

static void a_walk_meets_each_once_and_ends_when_asked(void **state)
{
	struct ctd_identities *table = new_table();
	uint64_t sum = 0;
	char path[16];

	(void)state;
	for (uint64_t id = 1; id <= 7; id++) {
		snprintf(path, sizeof(path), "/%d", (int)id);
		assert_int_equal(ctd_identities_add(table, id, path), 0);
	}
	assert_int_equal(ctd_identities_each(table, sum_until_30, &sum), 0);
	assert_int_equal(sum, 28);
	assert_int_equal(ctd_identities_each(table, sum_until_30, &sum), 77);
	ctd_identities_free(table);
}

/* @return true if it is another one than before, and of no other. */
static bool is_new_version(const struct ctd_identities *table, uint64_t *newest)
{
	uint64_t version = ctd_identities_get(table, 7)->version;
	bool is_new = version > *newest;

	*newest = version;
	return is_new;
}

static void a_path_of_any_runtime_is_of_whose_files_have_the_names(void **state)
{
	static const struct {
		int line;
		const char *path, *before, *files, *after;
	} cases[] = {
		{__LINE__, "/kubepods/pod" POD_UID "/" ID, "cri", "containerd", "containerd"},
		{__LINE__, "/kubepods/pod" POD_UID "/" ID, "cri", NULL, "cri"},
		{__LINE__, "/some/" ID, "oci", "podman", "podman"},
		{__LINE__, "/docker/" ID, "docker", "containerd", "docker"},
		{__LINE__, "/system.slice/nerdctl-" ID ".scope", "nerdctl", "containerd",
		 "nerdctl"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ctd_names names = {.runtime = cases[i].files};
		struct ctd_identities *table;

		assert_int_equal(ctd_identities_new(&table), 0);
		assert_int_equal(ctd_identities_add(table, 7, cases[i].path), 0);
		if (strcmp(ctd_identities_get(table, 7)->runtime, cases[i].before) != 0)
			fail_msg("line %d: %s", cases[i].line,
				 ctd_identities_get(table, 7)->runtime);
		ctd_identities_set_names(table, 7, &names, CTD_QOS_UNKNOWN, true);
		assert_string_equal(ctd_identities_get(table, 7)->runtime, cases[i].after);
		ctd_identities_free(table);
	}
}

static void what_changes_has_another_version(void **state)
{
	struct ctd_names names = {.container_name = strdup("web")};
	struct ctd_identities *table = new_table();
	uint64_t newest = 0;

	(void)state;
	assert_int_equal(ctd_identities_add(table, 7, "/a"), 0);
	assert_true(is_new_version(table, &newest));
	ctd_identities_set_names(table, 7, &names, CTD_QOS_UNKNOWN, false);
	assert_true(is_new_version(table, &newest));
	ctd_identities_set_names(table, 7, NULL, CTD_QOS_UNKNOWN, true);
	assert_true(is_new_version(table, &newest));
	ctd_identities_set_names(table, 7, NULL, CTD_QOS_BURSTABLE, true);
	assert_true(is_new_version(table, &newest));
	assert_int_equal(ctd_identities_add(table, 7, "/b"), 0);
	assert_true(is_new_version(table, &newest));
	/* That it goes, and is there after all, changes nothing that it is. */
	ctd_identities_remove(table, 7);
	assert_false(is_new_version(table, &newest));
	assert_int_equal(ctd_identities_add(table, 7, "/b"), 0);
	assert_false(is_new_version(table, &newest));
	ctd_identities_remove(table, 7);
	ctd_identities_forget(table, 7);
	assert_int_equal(ctd_identities_add(table, 7, "/b"), 0);
	assert_true(is_new_version(table, &newest));
	ctd_identities_free(table);
}

#define VICTIM "/system.slice/docker-" ID ".scope"
#define OUTER "1111111111111111111111111111111111111111111111111111111111111111"

static const struct ctd_identity *name_at(struct ctd_identities *table, uint64_t id,
					  const char *cgroups_path)
{
	struct ctd_names names = {.container_name = strdup("web"),
				  .cgroups_path = cgroups_path ? strdup(cgroups_path) : NULL};

	return ctd_identities_set_names(table, id, &names, CTD_QOS_UNKNOWN, true);
}

static bool is_refused(const struct ctd_identities *table, uint64_t id)
{
	const struct ctd_identity *identity = ctd_identities_get(table, id);

	/* Shown by its path, and in nothing. */
	if (identity->names.refused) {
		assert_int_equal(identity->kind, CTD_IS_CGROUP);
		assert_string_equal(identity->container_id, "");
		assert_string_equal(identity->pod_uid, "");
		assert_string_equal(identity->outer_id, "");
		assert_null(identity->names.container_name);
		assert_true(identity->names_settled);
	}
	return identity->names.refused;
}

static void one_id_is_of_one_place_with_all_below_it(void **state)
{
	struct ctd_identities *table = new_table();

	(void)state;
	assert_int_equal(ctd_identities_add(table, 7, VICTIM), 0);
	assert_int_equal(ctd_identities_add(table, 8, VICTIM "/init.scope"), 0);
	assert_int_equal(ctd_identities_add(table, 9,
					    "/system.slice/docker-" OUTER ".scope/docker-" ID
					    ".scope"),
			 0);
	assert_int_equal(ctd_identities_add(table, 10, "/elsewhere/docker/" ID), 0);
	assert_false(is_refused(table, 7));
	assert_false(is_refused(table, 8));
	assert_true(is_refused(table, 9));
	assert_true(is_refused(table, 10));
	assert_int_equal(ctd_identities_refused(table), 2);
	/* Names that files have for its id do not make it a container. */
	assert_ptr_equal(name_at(table, 9, NULL), ctd_identities_get(table, 9));
	assert_true(is_refused(table, 9));
	assert_string_equal(ctd_identities_get(table, 9)->unit, "docker-" OUTER ".scope");
	ctd_identities_free(table);
}

static void an_outermost_container_wins_whenever_it_comes(void **state)
{
	struct ctd_identities *table = new_table();

	(void)state;
	assert_int_equal(ctd_identities_add(table, 9, "/docker/" OUTER "/docker/" ID), 0);
	assert_int_equal(ctd_identities_add(table, 10, "/docker/" OUTER "/docker/" ID "/a"), 0);
	assert_false(is_refused(table, 9));
	assert_int_equal(ctd_identities_add(table, 7, VICTIM), 0);
	assert_false(is_refused(table, 7));
	assert_true(is_refused(table, 9));
	assert_true(is_refused(table, 10));
	ctd_identities_free(table);
}

static void what_the_runtimes_files_name_wins_whenever_they_are_read(void **state)
{
	struct ctd_identities *table = new_table();

	(void)state;
	assert_int_equal(ctd_identities_add(table, 9, "/lxc/a/docker/" ID), 0);
	assert_int_equal(ctd_identities_add(table, 7, VICTIM), 0);
	assert_true(is_refused(table, 7));
	/* That file is the other's: it does not say that this is the place. */
	name_at(table, 9, "system.slice:docker:" ID);
	name_at(table, 7, "system.slice:docker:" ID);
	assert_false(is_refused(table, 7));
	assert_string_equal(ctd_identities_get(table, 7)->names.container_name, "web");
	assert_string_equal(ctd_identities_get(table, 7)->container_id, ID);
	assert_true(is_refused(table, 9));
	ctd_identities_free(table);
}

static void a_container_that_is_gone_gives_its_id_to_its_successor(void **state)
{
	struct ctd_identities *table = new_table();

	(void)state;
	assert_int_equal(ctd_identities_add(table, 7, VICTIM), 0);
	ctd_identities_remove(table, 7);
	ctd_identities_remove(table, 7);
	assert_int_equal(ctd_identities_add(table, 8, "/docker/" ID), 0);
	assert_false(is_refused(table, 8));
	ctd_identities_forget(table, 7);
	assert_int_equal(ctd_identities_add(table, 9, VICTIM), 0);
	assert_true(is_refused(table, 9));
	ctd_identities_remove(table, 8);
	ctd_identities_forget(table, 8);
	assert_int_equal(ctd_identities_add(table, 10, VICTIM "/x"), 0);
	assert_false(is_refused(table, 10));
	/* It comes again, as events and a walk may have it. */
	ctd_identities_remove(table, 10);
	assert_int_equal(ctd_identities_add(table, 10, VICTIM "/x"), 0);
	assert_int_equal(ctd_identities_add(table, 11, "/docker/" ID), 0);
	assert_true(is_refused(table, 11));
	ctd_identities_free(table);
}

static void each_machine_has_paths_and_ids_of_its_own(void **state)
{
	static const char *const nodes[] = {"a", "b", NULL};
	struct ctd_identities *table = new_table();

	(void)state;
	for (uint64_t i = 0; i < 3; i++) {
		assert_int_equal(ctd_identities_add_of(table, nodes[i], 10 * i + 1, "/x"), 0);
		assert_int_equal(ctd_identities_add_of(table, nodes[i], 10 * i + 2, "/x/docker"),
				 0);
		assert_int_equal(
			ctd_identities_add_of(table, nodes[i], 10 * i + 3, "/x/docker/" ID), 0);
	}
	/* The same container elsewhere, on a machine that had judged it. */
	assert_int_equal(ctd_identities_add_of(table, "b", 14, "/docker/" ID), 0);
	for (uint64_t i = 0; i < 3; i++) {
		const struct ctd_identity *identity = ctd_identities_get(table, 10 * i + 3);

		assert_int_equal(identity->parent_id, 10 * i + 2);
		assert_int_equal(ctd_identities_get(table, 10 * i + 2)->parent_id, 10 * i + 1);
		assert_int_equal(identity->kind, CTD_IS_CONTAINER);
		assert_string_equal(identity->node ? identity->node : "", nodes[i] ? nodes[i] : "");
	}
	assert_int_equal(ctd_identities_get(table, 14)->kind, CTD_IS_CONTAINER);
	assert_int_equal(ctd_identities_refused(table), 0);
	for (uint64_t id = 1; id < 4; id++) {
		ctd_identities_remove(table, id);
		ctd_identities_forget(table, id);
	}
	assert_int_equal(ctd_identities_get(table, 13)->parent_id, 12);
	ctd_identities_free(table);
}

static void what_no_runtime_made_is_refused_for_good(void **state)
{
	struct ctd_identities *table = new_table();

	(void)state;
	assert_int_equal(ctd_identities_add(table, 7, "/a/kubepods/pod" POD_UID "/" ID), 0);
	ctd_identities_refuse(table, 7);
	ctd_identities_refuse(table, 7);
	ctd_identities_refuse(table, 8);
	assert_true(is_refused(table, 7));
	assert_int_equal(ctd_identities_refused(table), 1);
	/* The id is free. */
	assert_int_equal(ctd_identities_add(table, 8, "/kubepods/pod" POD_UID "/" ID), 0);
	assert_false(is_refused(table, 8));
	ctd_identities_free(table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_table_knows_nothing),
		cmocka_unit_test(an_added_path_is_copied_and_parsed),
		cmocka_unit_test(parents_are_found_by_path),
		cmocka_unit_test(a_path_made_again_is_the_parent_of_what_comes_after),
		cmocka_unit_test(another_path_for_an_id_is_a_renaming),
		cmocka_unit_test(adding_the_same_again_only_says_that_it_is_there),
		cmocka_unit_test(a_removed_cgroup_keeps_its_name_until_forgotten),
		cmocka_unit_test(a_parent_that_is_learnt_later_is_the_parent),
		cmocka_unit_test(a_living_cgroup_is_not_forgotten),
		cmocka_unit_test(a_path_of_any_runtime_is_of_whose_files_have_the_names),
		cmocka_unit_test(what_changes_has_another_version),
		cmocka_unit_test(a_walk_meets_each_once_and_ends_when_asked),
		cmocka_unit_test(one_id_is_of_one_place_with_all_below_it),
		cmocka_unit_test(an_outermost_container_wins_whenever_it_comes),
		cmocka_unit_test(what_the_runtimes_files_name_wins_whenever_they_are_read),
		cmocka_unit_test(a_container_that_is_gone_gives_its_id_to_its_successor),
		cmocka_unit_test(each_machine_has_paths_and_ids_of_its_own),
		cmocka_unit_test(what_no_runtime_made_is_refused_for_good),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
