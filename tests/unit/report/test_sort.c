/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_sort.c - the order of rows. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/rollup/scene.h"

static void build(struct scene *scene)
{
	scene_begin(scene);
	scene_name(scene, 1, "/c");
	scene_name(scene, 2, "/a");
	scene_name(scene, 3, "/b");
	scene_name(scene, 4, "/d");
	scene_run(scene, CTD_ROW_IDLE, 0, 90, .1);
	scene_run(scene, CTD_ROW_KERNEL, 0, 80, .1);
	scene_run(scene, CTD_ROW_OTHER, 0, 70, .1);
	scene_run(scene, CTD_ROW_CGROUP, 1, 30, .1);
	scene_run(scene, CTD_ROW_CGROUP, 2, 10, .9);
	scene_run(scene, CTD_ROW_CGROUP, 3, 10, .9);
	scene_run(scene, CTD_ROW_CGROUP, 4, 20, .99)->quality = CTD_NO_DATA;
}

static void rows_are_sorted_by_key_then_name(void **state)
{
	static const struct {
		int line;
		const char *key, *names;
	} cases[] = {
		{__LINE__, NULL, "/c /d /a /b (other) (kernel) (idle)"},
		{__LINE__, "cpu", "/c /d /a /b (other) (kernel) (idle)"},
		{__LINE__, "slots", "/c /a /b /d (other) (kernel) (idle)"},
		{__LINE__, "name", "/a /b /c /d (other) (kernel) (idle)"},
		{__LINE__, "backend_bound", "/a /b /c /d (other) (kernel) (idle)"},
		{__LINE__, "retiring", "/c /a /b /d (other) (kernel) (idle)"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct scene scene;

		build(&scene);
		scene.options.sort = cases[i].key;
		struct ctd_report report = scene_report(&scene);

		if (strcmp(scene_names(&report), cases[i].names) != 0)
			fail_msg("line %d: %s", cases[i].line, scene_names(&report));
		ctd_report_free(&report);
		scene_end(&scene);
	}
}

static void an_unknown_key_is_refused(void **state)
{
	struct ctd_report report = {.rows_count = 77};
	struct ctd_rollup rollup;
	struct scene scene;

	(void)state;
	build(&scene);
	scene.options.sort = "colour";
	rollup = scene_rollup(&scene);
	assert_int_equal(ctd_report_make(&rollup, NULL, NULL, &scene.options, &report), -EINVAL);
	ctd_rollup_free(&rollup);
	/* A node is a key only where there are nodes. */
	scene.options.sort = "retiring";
	scene.header.model[0] = '\0';
	rollup = scene_rollup(&scene);
	assert_int_equal(ctd_report_make(&rollup, NULL, NULL, &scene.options, &report), -EINVAL);
	ctd_rollup_free(&rollup);
	assert_int_equal(report.rows_count, 77);
	scene_end(&scene);
}

static bool can_sort(const struct ctd_record_header *header, const char *key)
{
	const struct ctd_report_options options = {.sort = key};
	struct ctd_rollup_plan *plan;
	const char *unknown;
	bool can;

	assert_int_equal(ctd_rollup_plan_new(header, &plan, &unknown), 0);
	can = ctd_report_can_sort(plan, &options);
	ctd_rollup_plan_free(plan);
	return can;
}

static void a_metric_that_is_not_counted_is_no_key(void **state)
{
	struct ctd_record_header header = {
		.model = "golden_cove", .counters_count = 5, .groups_count = 1};

	(void)state;
	assert_true(can_sort(&header, "backend_bound"));
	assert_false(can_sort(&header, "memory_bound"));
	assert_false(can_sort(&header, "ipc"));
	header.counters_count = 9;
	assert_true(can_sort(&header, "memory_bound"));
	header.groups_count = 2;
	header.ipc = true;
	assert_true(can_sort(&header, "ipc"));
	/* The watchdog holds the counter of one of level 1. */
	header =
		(struct ctd_record_header){.model = "zen4", .counters_count = 5, .groups_count = 1};
	assert_true(can_sort(&header, "backend_bound"));
	assert_false(can_sort(&header, "smt_contention"));
	header.counters_count = 6;
	assert_true(can_sort(&header, "smt_contention"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_sorted_by_key_then_name),
		cmocka_unit_test(an_unknown_key_is_refused),
		cmocka_unit_test(a_metric_that_is_not_counted_is_no_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
