/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_vendor.c - vendors' metrics of rows stay theirs, in any order and where rows are cut off. */
#include <errno.h>

#include "unit/report/vendor_scene.h"

static void run(struct scene *scene, const char *path, uint64_t id, uint64_t cpu_ms, uint64_t first)
{
	run_vendor_row(scene, CTD_ROW_CGROUP, id, cpu_ms, cpu_ms * 500000, first);
	scene_name(scene, id, path);
}

static void begin(struct scene *scene)
{
	begin_vendor_scene(scene);
	run(scene, "/c", 1, 40, 20);
	run(scene, "/a", 2, 30, 80);
	run(scene, "/d", 3, 20, 60);
	run(scene, "/b", 4, 10, 40);
	scene_name(scene, 5, "/idler");
	memset(scene_run(scene, CTD_ROW_CGROUP, 5, 0, 0)->count, 0, SCENE_COUNTS_BYTES);
}

/* Of the scene with a table of its own, which tests of several cases make anew for each. */
static struct ctd_report report_of(struct scene *scene, const char *key, int top)
{
	free_table(NULL);
	new_table(NULL);
	begin(scene);
	scene->options.sort = key;
	scene->options.top = top;
	return scene_report(scene);
}

static double value_of(const struct ctd_report *report, size_t row, const char *name)
{
	return ctd_report_vendor_values(report, &report->rows[row])[find(name)].value;
}

static void rows_are_sorted_by_a_metric_and_keep_their_own(void **state)
{
	static const struct {
		int line;
		const char *key, *names;
	} cases[] = {
		{__LINE__, NULL, "/c /a /d /b /idler"},
		{__LINE__, "first", "/a /d /b /c /idler"},
		{__LINE__, "second", "/a /d /b /c /idler"},
		{__LINE__, "name", "/a /b /c /d /idler"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct scene scene;
		struct ctd_report report;

		report = report_of(&scene, cases[i].key, 0);
		if (strcmp(scene_names(&report), cases[i].names) != 0)
			fail_msg("line %d: %s", cases[i].line, scene_names(&report));
		for (size_t row = 0; row < 4; row++) {
			static const double parts[] = {0.8, 0.4, 0.2, 0.6};
			double want = parts[report.rows[row].name[1] - 'a'];

			assert_true(value_of(&report, row, "first") == want);
			assert_true(value_of(&report, row, "second") == want / 2);
			assert_true(ctd_report_vendor_coverage(&report, &report.rows[row], 0) ==
				    0.5);
		}
		assert_true(isnan(value_of(&report, 4, "first")));
		ctd_report_free(&report);
		scene_end(&scene);
	}
}

static void what_is_cut_off_has_the_metrics_of_its_sum(void **state)
{
	struct ctd_report report;
	struct scene scene;

	(void)state;
	begin(&scene);
	scene.options.sort = "first";
	scene.options.top = 1;
	report = scene_report(&scene);
	assert_string_equal(scene_names(&report), "/a (4 more)");
	assert_true(value_of(&report, 0, "first") == 0.8);
	/* 40 ms of 20 %, 20 of 60 %, 10 of 40 %. */
	assert_true(fabs(value_of(&report, 1, "first") - 24.0 / 70) < 1e-9);
	ctd_report_free(&report);
	scene_end(&scene);
}

static void rows_are_chosen_by_a_metric_or_by_their_number(void **state)
{
	static const struct {
		int line;
		const char *key;
		int top;
		bool want;
	} cases[] = {
		{__LINE__, NULL, 0, false},   {__LINE__, "cpu", 0, false},
		{__LINE__, "name", 0, false}, {__LINE__, NULL, 2, true},
		{__LINE__, "first", 0, true}, {__LINE__, "first", 2, true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct scene scene;
		struct ctd_report report;

		report = report_of(&scene, cases[i].key, cases[i].top);
		if (report.chosen != cases[i].want)
			fail_msg("line %d", cases[i].line);
		ctd_report_free(&report);
		scene_end(&scene);
	}
}

static void a_metric_that_is_not_counted_is_no_key(void **state)
{
	static const char *const keys[] = {"beyond", "third", "retiring"};
	struct ctd_report report;
	struct ctd_rollup rollup;
	struct scene scene;

	(void)state;
	begin(&scene);
	rollup = scene_rollup(&scene);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		scene.options.sort = keys[i];
		assert_int_equal(ctd_report_make(&rollup, NULL, NULL, &scene.options, &report),
				 -EINVAL);
		assert_false(ctd_report_can_sort(rollup.plan, &scene.options));
	}
	scene.options.sort = "second";
	assert_true(ctd_report_can_sort(rollup.plan, &scene.options));
	ctd_rollup_free(&rollup);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(rows_are_sorted_by_a_metric_and_keep_their_own,
						new_table, free_table),
		cmocka_unit_test_setup_teardown(what_is_cut_off_has_the_metrics_of_its_sum,
						new_table, free_table),
		cmocka_unit_test_setup_teardown(rows_are_chosen_by_a_metric_or_by_their_number,
						new_table, free_table),
		cmocka_unit_test_setup_teardown(a_metric_that_is_not_counted_is_no_key, new_table,
						free_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
