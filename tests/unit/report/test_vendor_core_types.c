/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_vendor_core_types.c - vendors' metrics of a row are those of each core type that it ran on. */
#include "unit/report/vendor_hybrid.h"

static struct scene scene;
static struct ctd_report report;

static int begin(void **state)
{
	make_hybrid(state);
	begin_vendor_hybrid(&scene);
	fill_vendor_hybrid(&scene);
	return 0;
}

static int end(void **state)
{
	ctd_report_free(&report);
	scene_end(&scene);
	return free_hybrid(state);
}

static const struct ctd_report_row *row_of(const char *name, const char *core)
{
	for (size_t i = 0; i < report.rows_count; i++)
		if (strcmp(report.rows[i].name, name) == 0 &&
		    strcmp(ctd_report_core_type_name(&report, &report.rows[i]), core) == 0)
			return &report.rows[i];
	fail_msg("no row %s on %s", name, core);
	return NULL;
}

/* NAN: it is not known. */
static double value_of(const char *name, const char *core, const char *metric)
{
	const struct ctd_report_row *row = row_of(name, core);
	int index = ctd_report_vendor_index(&report, row, hybrid_column(metric));

	return index < 0 ? NAN : ctd_report_vendor_values(&report, row)[index].value;
}

static void assert_values(void)
{
	static const struct {
		int line;
		const char *name, *core, *metric;
		double want;
	} cases[] = {
		{__LINE__, "/both", "P-core", "tma_first", 0.6},
		{__LINE__, "/both", "P-core", "tma_second", 0.3},
		{__LINE__, "/both", "P-core", "tma_resource", NAN},
		{__LINE__, "/both", "P-core", "beyond", NAN},
		{__LINE__, "/both", "E-core", "tma_first", 0.2},
		{__LINE__, "/both", "E-core", "tma_second", NAN},
		{__LINE__, "/both", "E-core", "tma_resource", 0.1},
		{__LINE__, "/both", "all", "tma_first", NAN},
		{__LINE__, "/p", "P-core", "tma_first", 0.8},
		{__LINE__, "/e", "E-core", "tma_first", 0.9},
		{__LINE__, "/e", "E-core", "tma_resource", 0.45},
		{__LINE__, "/e", "other", "tma_first", NAN},
		{__LINE__, "/e", "all", "tma_first", NAN},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		double got = value_of(cases[i].name, cases[i].core, cases[i].metric);

		if (isnan(got) != isnan(cases[i].want) || fabs(got - cases[i].want) > 1e-6)
			fail_msg("line %d: %g", cases[i].line, got);
	}
}

static void each_row_is_computed_by_its_own_core_types_formulas(void **state)
{
	(void)state;
	report = scene_report(&scene);
	assert_values();
	assert_true(ctd_report_vendor_values(&report, row_of("/e", "E-core"))[0].hot);
	assert_null(ctd_report_vendor(&report, row_of("/both", "all")));
	assert_null(ctd_report_vendor_values(&report, row_of("/e", "other")));
	assert_int_equal(row_of("/e", "other")->quality, CTD_NO_DATA);
}

/* Each group of a core type has its own part of the time, whatever another core type rotates. */
static void coverage_is_of_the_core_types_own_groups(void **state)
{
	const struct ctd_report_row *p, *e;

	(void)state;
	report = scene_report(&scene);
	p = row_of("/both", "P-core");
	e = row_of("/both", "E-core");
	assert_true(ctd_report_vendor_coverage(&report, p, hybrid_index(ON_P, "first")) == 0.5);
	assert_true(ctd_report_vendor_coverage(&report, p, hybrid_index(ON_P, "second")) == 0.5);
	assert_true(ctd_report_vendor_coverage(&report, e, hybrid_index(ON_E, "first")) == 1);
	assert_true(ctd_report_vendor_coverage(&report, p, 2) == 0); /* beyond */
}

static void rows_are_sorted_by_the_largest_of_their_core_types(void **state)
{
	static const struct {
		int line;
		const char *key, *names;
	} cases[] = {
		{__LINE__, "first", "/e /e /e /p /both /both /both (idle) (idle) (idle) (idle)"},
		{__LINE__, "second", "/p /both /both /both /e /e /e (idle) (idle) (idle) (idle)"},
		{__LINE__, "tma_resource",
		 "/e /e /e /both /both /both /p (idle) (idle) (idle) (idle)"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		scene.options.sort = cases[i].key;
		ctd_report_free(&report);
		report = scene_report(&scene);
		if (strcmp(scene_names(&report), cases[i].names) != 0)
			fail_msg("line %d: %s", cases[i].line, scene_names(&report));
		assert_values();
	}
}

static void what_is_cut_off_is_a_sum_of_each_core_type(void **state)
{
	(void)state;
	scene.options.sort = "name";
	scene.options.top = 1;
	report = scene_report(&scene);
	/* Both have 60 % of 400 ms and 80 % of 500 there, 90 % of 700 and none of the others here. */
	assert_true(fabs(value_of("(2 more)", "P-core", "tma_first") - 0.8) < 1e-6);
	assert_true(fabs(value_of("(2 more)", "E-core", "tma_first") - 0.9) < 1e-6);
	assert_true(isnan(value_of("(2 more)", "all", "tma_first")));
	assert_true(fabs(value_of("/both", "P-core", "tma_first") - 0.6) < 1e-6);
}

static void why_a_core_type_does_not_count_a_metric_is_told(void **state)
{
	static const struct {
		int core;
		const char *metric, *want;
	} cases[] = {
		{ON_P, "tma_first", NULL},
		{ON_P, "beyond", "UNC_CHA_CLOCKTICKS is of the uncore"},
		{ON_P, "tma_resource", "not among the metrics of this core type"},
		{ON_E, "tma_second", "not among the metrics of this core type"},
		{ON_OTHER, "tma_first", "no core PMU has them: cpu 3"},
	};

	(void)state;
	report = scene_report(&scene);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *lack = ctd_report_vendor_lack(&report, hybrid_column(cases[i].metric),
							  cases[i].core);

		if (!lack != !cases[i].want || (lack && !strstr(lack, cases[i].want)))
			fail_msg("%s on %d: %s", cases[i].metric, cases[i].core,
				 lack ? lack : "counted");
	}
}

/* As when another program has all of the counters: cores are no longer told apart. */
static void where_counters_are_lost_nothing_is_known(void **state)
{
	(void)state;
	scene_end(&scene);
	begin_vendor_hybrid(&scene);
	scene.header.core_types_count = 0;
	strcpy(scene.header.source, "none");
	scene.interval.counters_count = 0;
	scene.interval.groups_count = 1;
	scene_name(&scene, 3, "/p");
	scene_run(&scene, CTD_ROW_CGROUP, 3, 100, 0);
	report = scene_report(&scene);
	assert_int_equal(report.core_types_count, 1);
	assert_true(isnan(value_of("/p", "", "tma_first")));
}

static void each_core_type_has_a_path_of_its_own(void **state)
{
	struct ctd_drills drills;

	(void)state;
	assert_int_equal(ctd_drills_new(&countings, CTD_DRILL_MEMORY_S, &drills), 0);
	for (int i = 0; i < 4; i++) {
		struct ctd_rollup rollup = scene_rollup(&scene);

		ctd_drills_begin(&drills);
		assert_int_equal(ctd_report_drill(&rollup, &countings, &drills), 0);
		ctd_rollup_free(&rollup);
	}
	scene.options.drills = &drills;
	report = scene_report(&scene);
	assert_int_equal(ctd_report_drill_path(&report, row_of("/both", "P-core"))->steps_count, 2);
	assert_int_equal(ctd_report_drill_path(&report, row_of("/both", "E-core"))->steps_count, 0);
	assert_int_equal(ctd_report_drill_path(&report, row_of("/e", "E-core"))->steps_count, 2);
	assert_null(ctd_report_drill_path(&report, row_of("/both", "all")));
	assert_null(ctd_report_drill_path(&report, row_of("/e", "other")));
	ctd_drills_free(&drills);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(each_row_is_computed_by_its_own_core_types_formulas),
		TEST(coverage_is_of_the_core_types_own_groups),
		TEST(rows_are_sorted_by_the_largest_of_their_core_types),
		TEST(what_is_cut_off_is_a_sum_of_each_core_type),
		TEST(why_a_core_type_does_not_count_a_metric_is_told),
		TEST(where_counters_are_lost_nothing_is_known),
		TEST(each_core_type_has_a_path_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
