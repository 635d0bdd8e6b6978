/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_drill.c - each row of a report has the path of the row of rollups that it is of. */
#include "unit/report/vendor_scene.h"

#define CONTAINER SCENE_POD "/" SCENE_ID_A

/* Of its CPU time so much was counted, in per cent. */
static void run(struct scene *scene, enum ctd_row_kind kind, uint64_t id, uint64_t first,
		uint64_t counted)
{
	run_vendor_row(scene, kind, id, 200, counted * 1000000, first);
}

static void begin(struct scene *scene)
{
	begin_vendor_scene(scene);
	scene->rollup_options.by = CTD_GROUP_CONTAINER;
	scene->options.sort = "name";
	run(scene, CTD_ROW_CGROUP, 1, 80, 100);
	run(scene, CTD_ROW_CGROUP, 2, 20, 100);
	run(scene, CTD_ROW_CGROUP, 3, 80, 90); /* a tenth of it is not known, and spoils nothing */
	scene_run(scene, CTD_ROW_CGROUP, 4, 1, 0); /* nothing is kept of it */
	run(scene, CTD_ROW_CGROUP, 5, 100, 100);
	run(scene, CTD_ROW_CGROUP, 6, 60, 100);
	run(scene, CTD_ROW_KERNEL, 0, 70, 100);
	run(scene, CTD_ROW_IDLE, 0, 90, 100);
	/* One row of two cgroups. */
	scene_name(scene, 5, CONTAINER);
	scene_name(scene, 6, CONTAINER "/inner");
}

static void look(struct scene *scene, const struct ctd_drills *drills, int times)
{
	for (int i = 0; i < times; i++) {
		struct ctd_rollup rollup = scene_rollup(scene);

		ctd_drills_begin(drills);
		assert_int_equal(ctd_report_drill(&rollup, &countings, drills), 0);
		ctd_rollup_free(&rollup);
	}
}

static const struct ctd_drill_path *path_of(const struct ctd_report *report, const char *name)
{
	size_t row = 0;

	while (strcmp(report->rows[row].name, name) != 0)
		if (++row == report->rows_count)
			fail_msg("no %s in %s", name, scene_names(report));
	return ctd_report_drill_path(report, &report->rows[row]);
}

static void each_row_has_its_own_path(void **state)
{
	static const struct {
		int line;
		const char *name;
		double first; /* NAN: no path */
		enum ctd_drill_confidence confidence;
	} cases[] = {
		{__LINE__, "/a", 0.8, CTD_DRILL_LOW},
		{__LINE__, "/b", NAN, CTD_DRILL_LOW},
		{__LINE__, "/c", 0.8, CTD_DRILL_LOW},
		{__LINE__, "cgroup:4", NAN, CTD_DRILL_UNKNOWN},
		{__LINE__, "cri:aaaaaaaaaaaa", 0.8, CTD_DRILL_LOW},
		{__LINE__, "(kernel)", 0.7, CTD_DRILL_LOW},
	};
	struct ctd_drills drills;
	struct ctd_report report;
	struct scene scene;

	(void)state;
	begin(&scene);
	assert_int_equal(ctd_drills_new(&countings, CTD_DRILL_MEMORY_S, &drills), 0);
	/* Names of cgroups are learnt while they run. */
	look(&scene, &drills, 3);
	scene_name(&scene, 1, "/a");
	scene_name(&scene, 2, "/b");
	scene_name(&scene, 3, "/c");
	look(&scene, &drills, 1);
	scene.options.drills = &drills;
	report = scene_report(&scene);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct ctd_drill_path *path = path_of(&report, cases[i].name);
		bool any = !isnan(cases[i].first);

		assert_non_null(path);
		/* In four looks nothing is counted enough. */
		assert_true(path->unfinished);
		if (path->steps_count != 2 * any || path->confidence != cases[i].confidence ||
		    (any && fabs(path->steps[0].value - cases[i].first) > 1e-9))
			fail_msg("line %d: %zu steps, the first %g, confidence %d", cases[i].line,
				 path->steps_count, path->steps[0].value, (int)path->confidence);
	}
	assert_null(path_of(&report, "(idle)"));
	ctd_report_free(&report);
	ctd_drills_free(&drills);
	scene_end(&scene);
}

static void rows_that_are_cut_off_have_no_path(void **state)
{
	struct ctd_drills drills;
	struct ctd_report report;
	struct scene scene;

	(void)state;
	begin(&scene);
	assert_int_equal(ctd_drills_new(&countings, CTD_DRILL_MEMORY_S, &drills), 0);
	look(&scene, &drills, 4);
	scene.options.drills = &drills;
	scene.options.top = 1;
	report = scene_report(&scene);
	assert_non_null(path_of(&report, "cgroup:1"));
	assert_null(path_of(&report, "(4 more)"));
	ctd_report_free(&report);
	/* Not asked for. */
	scene.options.drills = NULL;
	report = scene_report(&scene);
	assert_null(path_of(&report, "cgroup:1"));
	ctd_report_free(&report);
	ctd_drills_free(&drills);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_row_has_its_own_path, new_table, free_table),
		cmocka_unit_test_setup_teardown(rows_that_are_cut_off_have_no_path, new_table,
						free_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
