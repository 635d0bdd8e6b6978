/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_drill_path.c - which metrics are on the path, and which are not. */
#include "drilled.h"

static void noise_around_a_threshold_does_not_change_the_path(void **state)
{
	struct made_row row = make_row("l3_bound", 1.5, 0.5);
	size_t l3 = find("l3_bound"), changes = 0;
	bool there = false;

	(void)state;
	row.truth[find("retiring")] = 0.3;
	for (int second = 0; second < 60; second++) {
		struct ctd_drill_path path;

		/* It goes below its threshold each second time, and not below 0.8 of it. */
		row.truth[l3] = second < 10 ? 0.06 : second % 2 ? 0.045 : 0.055;
		run_second(&row, 1, 0.02);
		path = path_of(0);
		changes += ends_at(&path, l3) != there;
		there = ends_at(&path, l3);
	}
	assert_true(there);
	assert_int_equal(changes, 1);
	/* It is gone once it stays below. */
	row.truth[l3] = 0.02;
	for (int second = 0; second < 30; second++)
		run_second(&row, 1, 0.02);
	assert_true(ends_at(&(struct ctd_drill_path[]){path_of(0)}[0], find("memory_bound")));
}

static void what_has_no_parts_ends_the_path(void **state)
{
	struct made_row row = make_row("fetch_bandwidth", 2, 0.3);
	struct ctd_drill_path path;

	(void)state;
	row.truth[find("retiring")] = 0.3;
	for (int second = 0; second < 20; second++)
		run_second(&row, 1, 0.05);
	path = path_of(0);
	assert_true(ends_at(&path, find("fetch_bandwidth")));
	assert_int_equal(path.steps_count, 2);
	assert_int_equal(path.steps[0].index, find("frontend_bound"));
	assert_true(fabs(path.steps[1].value - 0.4) < 0.03);
	assert_int_equal(path.beside_count, 0);
	assert_false(path.unfinished);
	assert_int_equal(path.confidence, CTD_DRILL_HIGH);
}

static void parts_that_are_above_their_thresholds_stand_beside(void **state)
{
	struct made_row row = make_row("l3_bound", 2, 0.3);
	struct ctd_drill_path path;

	(void)state;
	row.truth[find("retiring")] = 0.3;
	row.truth[find("l3_bound")] = 0.4;
	row.truth[find("l1_bound")] = 0.15;
	row.truth[find("l2_bound")] = 0.1;
	row.truth[find("dram_bound")] = 0.2;
	row.truth[find("store_bound")] = 0.3;
	for (int second = 0; second < 20; second++)
		run_second(&row, 1, 0.05);
	path = path_of(0);
	assert_true(ends_at(&path, find("l3_bound")));
	assert_int_equal(path.beside_count, 3);
	assert_int_equal(path.beside[0].index, find("store_bound"));
	assert_int_equal(path.beside[1].index, find("dram_bound"));
	assert_int_equal(path.beside[2].index, find("l1_bound"));
}

/* Its own value is high: the vendor asks for those above it, too. */
static void a_condition_that_does_not_hold_keeps_a_part_out(void **state)
{
	struct made_row row = make_row("memory_bound", 1.5, 0.3);
	struct ctd_drill_path path;

	(void)state;
	row.truth[find("retiring")] = 0.3;
	row.truth[find("backend_bound")] = 0.15;
	row.truth[find("l3_bound")] = 0.5;
	for (int second = 0; second < 20; second++)
		run_second(&row, 1, 0.05);
	path = path_of(0);
	assert_int_equal(path.steps_count, 0);
	assert_int_equal(path.confidence, CTD_DRILL_HIGH);
	assert_false(path.unfinished);
}

/* AMD says "100%slots", Arm "percent of slots" of values that are in per cent. */
static void without_thresholds_those_of_other_vendors_hold(void **state)
{
	static const struct {
		const char *unit;
		double scale;
	} cases[] = {{"%slots", 100}, {"percent of slots", 1}};
	static const char *const down[] = {"backend_bound", "memory_bound", "l3_bound"};
	struct ctd_drill_path path;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct made_row row = {.cpus = 1};

		for (size_t k = 0; k < counting.metrics_count; k++) {
			table.metrics[k].threshold = "";
			table.metrics[k].unit = cases[i].unit;
			table.metrics[k].scale = cases[i].scale;
			row.truth[k] = 2 / cases[i].scale;
		}
		for (int level = 0; level < 3; level++)
			row.truth[find(down[level])] = (60 - 15 * level) / cases[i].scale;
		row.truth[find("retiring")] = 30 / cases[i].scale;
		begin_drill(CTD_DRILL_MEMORY_S);
		for (int second = 0; second < 25; second++)
			run_second(&row, 1, 0.05);
		path = path_of(0);
		assert_true(ends_at(&path, find("l3_bound")));
		assert_int_equal(path.steps_count, 3);
		assert_int_equal(path.confidence, CTD_DRILL_HIGH);
		/* From where on so many misses are too many nobody says. */
		metric_named("l2_bound")->unit = "MPKI";
		run_second(&row, 1, 0.05);
		assert_int_equal(path_of(0).confidence, CTD_DRILL_LOW);
	}
}

static void a_threshold_that_cannot_be_computed_is_not_another_vendors(void **state)
{
	struct made_row row = make_row("l3_bound", 2, 0.3);
	struct ctd_drill_path path;

	end_drill(state);
	without_threshold = "l3_bound";
	assert_int_equal(new_drill(state), 0);
	without_threshold = "";
	row.truth[find("retiring")] = 0.3;
	row.truth[find("l3_bound")] = 0.4;
	metric_named("l3_bound")->threshold_lacks = true;
	begin_drill(CTD_DRILL_MEMORY_S);
	for (int second = 0; second < 20; second++)
		run_second(&row, 1, 0.05);
	path = path_of(0);
	assert_true(ends_at(&path, find("memory_bound")));
	assert_int_equal(path.confidence, CTD_DRILL_LOW);
}

static void what_retires_is_the_bottleneck_only_where_nothing_else_is(void **state)
{
	struct made_row row = make_row("fetch_bandwidth", 2, 0.3);
	struct ctd_drill_path path;

	(void)state;
	/* As AMD has it: that the other thread of the core runs is no bottleneck of this one. */
	metric_named("bad_speculation")->name = "smt_contention";
	begin_drill(CTD_DRILL_MEMORY_S);
	row.truth[find("smt_contention")] = 0.9;
	row.truth[find("retiring")] = 0.9;
	for (int second = 0; second < 20; second++)
		run_second(&row, 1, 0.02);
	path = path_of(0);
	assert_int_equal(path.steps[0].index, find("frontend_bound"));
	assert_true(ends_at(&path, find("fetch_bandwidth")));
	assert_int_equal(path.confidence, CTD_DRILL_HIGH);
	row.truth[find("frontend_bound")] = row.truth[find("fetch_bandwidth")] = 0.05;
	for (int second = 0; second < 40; second++)
		run_second(&row, 1, 0.02);
	path = path_of(0);
	assert_true(ends_at(&path, find("retiring")));
	assert_int_equal(path.confidence, CTD_DRILL_HIGH);
	assert_int_equal(path.beside_count, 0);
}

/* What was below a metric when it was above its threshold may not be there when it is again. */
static void parts_that_were_not_counted_for_long_do_not_come_back(void **state)
{
	struct made_row rows[] = {make_row("l3_hit_latency", 2, 0.3),
				  make_row("mem_latency", 2, 0.3)},
			front = make_row("fetch_bandwidth", 2, 0.3);
	struct ctd_drill_path path;

	(void)state;
	rows[0].truth[find("retiring")] = rows[1].truth[find("retiring")] =
		front.truth[find("retiring")] = 0.3;
	rows[0].truth[find("l3_bound")] = 0.8;
	for (int second = 0; second < 20; second++)
		run_second(&rows[0], 1, 0.02);
	path = path_of(0);
	assert_true(ends_at(&path, find("l3_hit_latency")));
	for (int second = 0; second < 20; second++)
		run_second(&front, 1, 0.02);
	path = path_of(0);
	assert_true(ends_at(&path, find("fetch_bandwidth")));
	begin_interval(&rows[1], 1);
	for (uint64_t half = 1; half <= 40; half++) {
		run_half(&rows[1], 1, 0.02, half * SECOND / 2);
		path = path_of(0);
		assert_false(ends_at(&path, find("l3_hit_latency")) ||
			     ends_at(&path, find("l3_bound")));
	}
	assert_true(ends_at(&path, find("mem_latency")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, new_drill, end_drill)
		TEST(noise_around_a_threshold_does_not_change_the_path),
		TEST(what_has_no_parts_ends_the_path),
		TEST(parts_that_are_above_their_thresholds_stand_beside),
		TEST(a_condition_that_does_not_hold_keeps_a_part_out),
		TEST(without_thresholds_those_of_other_vendors_hold),
		TEST(a_threshold_that_cannot_be_computed_is_not_another_vendors),
		TEST(what_retires_is_the_bottleneck_only_where_nothing_else_is),
		TEST(parts_that_were_not_counted_for_long_do_not_come_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
