/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_key.c - what is added up in one row. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/hash.h"
#include "unit/rollup/scene.h"

/* A pod of two containers, one with a cgroup of its own inside, and a plain cgroup. */
static void build(struct scene *scene)
{
	scene_begin(scene);
	scene_name(scene, 1, "/kubepods");
	scene_name(scene, 2, "/kubepods/burstable");
	scene_name(scene, 3, SCENE_POD);
	scene_name(scene, 4, SCENE_POD "/" SCENE_ID_A);
	scene_name(scene, 5, SCENE_POD "/" SCENE_ID_A "/init");
	scene_name(scene, 6, SCENE_POD "/" SCENE_ID_B);
	scene_name(scene, 7, "/plain");
	scene_run(scene, CTD_ROW_CGROUP, 4, 10, .5);
	scene_run(scene, CTD_ROW_CGROUP, 5, 30, .9);
	scene_run(scene, CTD_ROW_CGROUP, 6, 20, .1);
	scene_run(scene, CTD_ROW_CGROUP, 7, 5, .1);
	scene_run(scene, CTD_ROW_IDLE, 0, 50, .1);
}

static void by_container_adds_up_the_cgroups_within(void **state)
{
	struct scene scene;

	(void)state;
	build(&scene);
	scene.rollup_options.by = CTD_GROUP_CONTAINER;
	struct ctd_report report = scene_report(&scene);

	assert_int_equal(report.rows_count, 4);
	assert_int_equal(report.rows[0].kind, CTD_ROLLUP_CONTAINER);
	assert_true(strstr(report.rows[0].name, ":aaaaaaaaaaaa") != NULL);
	assert_int_equal(report.rows[0].slots, 40 * SCENE_SLOTS_PER_MS);
	assert_int_equal(report.rows[0].cgroup_id, 4);
	assert_int_equal(report.rows[0].slices, 4);
	/* (10 * 0.5 + 30 * 0.9) / 40: slots are added up, never ratios. */
	assert_float_equal(report.rows[0].values[3].ratio, .8, 1e-6);
	assert_int_equal(report.rows[2].kind, CTD_ROLLUP_CGROUP);
	assert_string_equal(report.rows[2].name, "/plain");
	assert_int_equal(report.rows[3].kind, CTD_ROLLUP_IDLE);
	ctd_report_free(&report);
	scene_end(&scene);
}

static void containers_are_named_by_metadata_where_known(void **state)
{
	struct scene scene;

	(void)state;
	build(&scene);
	scene_describe(&scene, 4, "shop", "cart-0", "web");
	scene_describe(&scene, 6, NULL, NULL, "side");
	scene.rollup_options.by = CTD_GROUP_CONTAINER;
	struct ctd_report report = scene_report(&scene);

	assert_string_equal(scene_names(&report), "cart-0/web side /plain (idle)");
	ctd_report_free(&report);
	scene_describe(&scene, 6, "shop", "cart-0", NULL);
	((struct ctd_identity *)ctd_identities_get(scene.identities, 6))->names.sandbox = true;
	report = scene_report(&scene);
	assert_string_equal(scene_names(&report), "cart-0/web cart-0/(sandbox) /plain (idle)");
	ctd_report_free(&report);
	scene_end(&scene);
}

/* Who may make cgroups within its own could give them the names of others'. */
static void a_container_has_no_figures_of_one_that_is_called_so_in_another(void **state)
{
	static const enum ctd_group_by by[] = {CTD_GROUP_CONTAINER, CTD_GROUP_POD};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct scene scene;

		build(&scene);
		scene_name(&scene, 8, "/docker/" SCENE_ID_B "/x" SCENE_POD "/" SCENE_ID_A);
		scene_run(&scene, CTD_ROW_CGROUP, 8, 70, .5);
		scene.rollup_options.by = by[i];
		struct ctd_report report = scene_report(&scene);

		assert_int_equal(report.rows[0].slots, 70 * SCENE_SLOTS_PER_MS);
		assert_int_equal(report.rows[1].slots,
				 (by[i] == CTD_GROUP_POD ? 60 : 40) * SCENE_SLOTS_PER_MS);
		ctd_report_free(&report);
		scene_end(&scene);
	}
}

static void by_pod_adds_up_the_containers(void **state)
{
	struct scene scene;

	(void)state;
	build(&scene);
	scene.rollup_options.by = CTD_GROUP_POD;
	struct ctd_report report = scene_report(&scene);

	assert_string_equal(scene_names(&report), "pod:" SCENE_POD_UID " /plain (idle)");
	assert_int_equal(report.rows[0].kind, CTD_ROLLUP_POD);
	assert_int_equal(report.rows[0].slots, 60 * SCENE_SLOTS_PER_MS);
	assert_int_equal(report.rows[0].cgroup_id, 3);
	assert_string_equal(report.rows[0].identity->path, SCENE_POD);
	ctd_report_free(&report);
	scene_describe(&scene, 3, "shop", "cart-0", NULL);
	report = scene_report(&scene);
	assert_string_equal(scene_names(&report), "shop/cart-0 /plain (idle)");
	ctd_report_free(&report);
	scene_end(&scene);
}

static void by_namespace_gathers_what_has_none(void **state)
{
	struct scene scene;

	(void)state;
	build(&scene);
	scene_describe(&scene, 4, "shop", "cart-0", "web");
	scene_describe(&scene, 6, "shop", "cart-0", "side");
	scene.rollup_options.by = CTD_GROUP_NAMESPACE;
	struct ctd_report report = scene_report(&scene);

	assert_string_equal(scene_names(&report), "(no namespace) shop (idle)");
	assert_int_equal(report.rows[0].kind, CTD_ROLLUP_NAMESPACE);
	assert_int_equal(report.rows[0].slots, 35 * SCENE_SLOTS_PER_MS);
	assert_int_equal(report.rows[1].slots, 30 * SCENE_SLOTS_PER_MS);
	/* The first of the interval stands for all. */
	assert_int_equal(report.rows[1].identity->cgroup_id, 4);
	ctd_report_free(&report);
	scene_end(&scene);
}

static void own(struct scene *scene, uint64_t id, const char *kind, const char *name)
{
	struct ctd_identity *identity =
		(struct ctd_identity *)ctd_identities_get(scene->identities, id);

	identity->names.owner_kind = strdup(kind);
	identity->names.owner_name = strdup(name);
}

static void by_owner_tells_namespaces_and_kinds_apart(void **state)
{
	struct scene scene;

	(void)state;
	build(&scene);
	scene_describe(&scene, 4, "shop", "cart-0", "web");
	scene_describe(&scene, 5, "shop", "cart-0", "web");
	scene_describe(&scene, 6, "bank", "cart-0", "side");
	own(&scene, 4, "Deployment", "cart");
	own(&scene, 5, "Deployment", "cart");
	own(&scene, 6, "Deployment", "cart");
	scene.rollup_options.by = CTD_GROUP_OWNER;
	struct ctd_report report = scene_report(&scene);

	assert_string_equal(scene_names(&report),
			    "shop/Deployment/cart bank/Deployment/cart (no owner) (idle)");
	assert_int_equal(report.rows[0].kind, CTD_ROLLUP_OWNER);
	assert_int_equal(report.rows[0].slots, 40 * SCENE_SLOTS_PER_MS);
	assert_int_equal(report.rows[0].cgroup_id, 0);
	ctd_report_free(&report);
	scene_describe(&scene, 5, "shop", "cart-1", "web");
	own(&scene, 5, "StatefulSet", "cart");
	report = scene_report(&scene);
	assert_string_equal(scene_names(&report),
			    "shop/StatefulSet/cart bank/Deployment/cart shop/Deployment/cart "
			    "(no owner) (idle)");
	ctd_report_free(&report);
	scene_end(&scene);
}

static void by_process_rows_have_pid_and_comm(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	scene_name(&scene, 7, "/plain");
	scene_run(&scene, CTD_ROW_CGROUP, 7, 10, .1)->pid = 42;
	scene_run(&scene, CTD_ROW_CGROUP, 7, 5, .1)->pid = 43;
	scene.rollup_options.by = CTD_GROUP_PROCESS;
	struct ctd_report report = scene_report(&scene);

	assert_string_equal(scene_names(&report), "worker[42] pid:43");
	assert_int_equal(report.rows[0].kind, CTD_ROLLUP_PROCESS);
	assert_string_equal(report.rows[0].comm, "worker");
	assert_int_equal(report.rows[0].pid, 42);
	assert_string_equal(report.rows[0].identity->path, "/plain");
	ctd_report_free(&report);
	scene.rollup_options.by = CTD_GROUP_TASK;
	report = scene_report(&scene);
	assert_int_equal(report.rows[0].kind, CTD_ROLLUP_TASK);
	ctd_report_free(&report);
	/* The same recording by cgroup: its processes are added up. */
	scene.rollup_options.by = CTD_GROUP_CGROUP;
	report = scene_report(&scene);
	assert_string_equal(scene_names(&report), "/plain");
	assert_int_equal(report.rows[0].slots, 15 * SCENE_SLOTS_PER_MS);
	ctd_report_free(&report);
	scene_end(&scene);
}

/* What was recorded by task is shown by process; a task of which nothing is said is by itself. */
static void tasks_are_added_up_to_their_process(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	scene_name(&scene, 7, "/plain");
	scene_name(&scene, 8, "/other");
	scene_run(&scene, CTD_ROW_CGROUP, 7, 10, .1)->pid = 42;
	scene_run(&scene, CTD_ROW_CGROUP, 7, 5, .1)->pid = 43;
	scene_run(&scene, CTD_ROW_CGROUP, 7, 2, .1)->pid = 44;
	scene_run(&scene, CTD_ROW_CGROUP, 8, 4, .1)->pid = 45;
	assert_int_equal(ctd_identities_set_process(scene.identities, 42, 42), 0);
	assert_int_equal(ctd_identities_set_process(scene.identities, 43, 99), 0);
	/* The number is another task's by now. */
	assert_int_equal(ctd_identities_set_process(scene.identities, 43, 42), 0);
	/* A task in another cgroup is not of the row. */
	assert_int_equal(ctd_identities_set_process(scene.identities, 45, 42), 0);
	scene.rollup_options.by = CTD_GROUP_PROCESS;
	struct ctd_report report = scene_report(&scene);

	assert_string_equal(scene_names(&report), "worker[42] worker[42] pid:44");
	assert_int_equal(report.rows[0].slots, 15 * SCENE_SLOTS_PER_MS);
	assert_string_equal(report.rows[1].identity->path, "/other");
	ctd_report_free(&report);
	scene.rollup_options.by = CTD_GROUP_TASK;
	report = scene_report(&scene);
	assert_int_equal(report.rows_count, 4);
	ctd_report_free(&report);
	scene_end(&scene);
}

/* The pid is added to the hash of the cgroup's id: these two come to the same. */
static void what_has_one_hash_is_told_apart(void **state)
{
	static const uint64_t a = 135501917081027, b = 57371149405962;
	static const uint32_t pid_a = 224928, pid_b = 1;
	struct scene scene;

	(void)state;
	assert_int_equal(ctd_hash(&a, sizeof(a)) + pid_a, ctd_hash(&b, sizeof(b)) + pid_b);
	scene_begin(&scene);
	scene_run(&scene, CTD_ROW_CGROUP, a, 20, .1)->pid = pid_a;
	scene_run(&scene, CTD_ROW_CGROUP, b, 50, .1)->pid = pid_b;
	scene_run(&scene, CTD_ROW_CGROUP, a, 10, .1)->pid = pid_a;
	scene.rollup_options.by = CTD_GROUP_PROCESS;
	struct ctd_report report = scene_report(&scene);

	assert_int_equal(report.rows_count, 2);
	assert_int_equal(report.rows[0].slots, 50 * SCENE_SLOTS_PER_MS);
	assert_int_equal(report.rows[1].slots, 30 * SCENE_SLOTS_PER_MS);
	ctd_report_free(&report);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_container_adds_up_the_cgroups_within),
		cmocka_unit_test(containers_are_named_by_metadata_where_known),
		cmocka_unit_test(a_container_has_no_figures_of_one_that_is_called_so_in_another),
		cmocka_unit_test(by_pod_adds_up_the_containers),
		cmocka_unit_test(by_namespace_gathers_what_has_none),
		cmocka_unit_test(by_owner_tells_namespaces_and_kinds_apart),
		cmocka_unit_test(by_process_rows_have_pid_and_comm),
		cmocka_unit_test(tasks_are_added_up_to_their_process),
		cmocka_unit_test(what_has_one_hash_is_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
