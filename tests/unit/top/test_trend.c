/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_trend.c - the last minute of a row, in cells of any width. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "top/trend.h"
#include "unit/top/past.h"

static const struct ctd_top_grouping by_container = {.by = CTD_GROUP_CONTAINER};
static const struct ctd_top_grouping by_namespace = {.by = CTD_GROUP_NAMESPACE};
static const struct ctd_top_grouping as_tree = {.by = CTD_GROUP_CGROUP, .tree = true};

static struct ctd_top_frame *last(struct past *past)
{
	return past->history.frames[past->history.count - 1];
}

static uint64_t key_of(struct past *past, uint64_t id, enum ctd_rollup_kind kind)
{
	return ctd_top_row_key(kind, ctd_identities_get(past->history.identities, id), id, 0);
}

static void cells_are_means_and_what_is_not_known_is_no_zero(void **state)
{
	struct past past;
	double cpus[6];

	(void)state;
	past_begin(&past);
	for (int i = 0; i < 10; i++)
		past_add(&past, 200, 0, 0);
	for (int i = 0; i < 5; i++)
		past_add(&past, i % 2 ? 0 : 500, 100, 0);
	/* 15 s of 60 are known: all of the last cell, and half of the cell before it. */
	assert_true(fabs(ctd_top_trend(&past.history, last(&past), by_container,
				       key_of(&past, 4, CTD_ROLLUP_CONTAINER), -1, 6, cpus) -
			 .25) < 1e-9);
	for (int i = 0; i < 4; i++)
		assert_true(isnan(cpus[i]));
	assert_true(fabs(cpus[4] - .2) < 1e-9);
	assert_true(fabs(cpus[5] - .25) < 1e-9);
	ctd_top_trend(&past.history, last(&past), by_container,
		      key_of(&past, 5, CTD_ROLLUP_CONTAINER), -1, 6, cpus);
	assert_true(cpus[4] == 0 && fabs(cpus[5] - .05) < 1e-9);
	past_end(&past);
}

static void in_a_tree_a_row_has_what_is_below_it(void **state)
{
	struct past past;
	double cpus[60];

	(void)state;
	past_begin(&past);
	past_add(&past, 300, 400, 50);
	ctd_top_trend(&past.history, last(&past), as_tree, key_of(&past, 2, CTD_ROLLUP_CGROUP), -1,
		      60, cpus);
	assert_true(fabs(cpus[59] - .7) < 1e-9);
	/* Grouped otherwise, it is summed up otherwise. */
	ctd_top_trend(&past.history, last(&past), by_container, key_of(&past, 2, CTD_ROLLUP_CGROUP),
		      -1, 60, cpus);
	assert_true(cpus[59] == 0);
	past_end(&past);
}

static void what_is_older_than_a_minute_is_not_in_it(void **state)
{
	struct past past;
	double cpus[4];

	(void)state;
	past_begin(&past);
	past_add(&past, 900, 0, 0);
	for (int i = 0; i < 60; i++)
		past_add(&past, 0, 100, 0);
	assert_true(ctd_top_trend(&past.history, last(&past), by_container,
				  key_of(&past, 4, CTD_ROLLUP_CONTAINER), -1, 4, cpus) == 0);
	past_end(&past);
}

/* What @p shown of two machines did in the newest second. */
static void tell_nodes(struct past *past, size_t shown)
{
	struct ctd_top_nodes nodes = {.shown = shown, .asked = 2};

	assert_int_equal(ctd_top_history_tell_nodes(&past->history, &nodes, true), 0);
}

static void a_machine_without_figures_was_not_idle(void **state)
{
	struct past past;
	double cpus[60];

	(void)state;
	past_begin(&past);
	/* That of the second is away in every fourth second. */
	for (int i = 1; i <= 60; i++) {
		past_add(&past, 200, i % 4 ? 400 : 0, 0);
		tell_nodes(&past, i % 4 ? 2 : 1);
	}
	past_add(&past, 200, 0, 0);
	tell_nodes(&past, 2);
	ctd_top_trend(&past.history, last(&past), by_container,
		      key_of(&past, 5, CTD_ROLLUP_CONTAINER), -1, 60, cpus);
	assert_true(isnan(cpus[58]) && fabs(cpus[57] - .4) < 1e-9);
	/* Where all answered, nothing is 0. */
	assert_true(cpus[59] == 0);
	ctd_top_trend(&past.history, last(&past), by_container,
		      key_of(&past, 4, CTD_ROLLUP_CONTAINER), -1, 60, cpus);
	assert_true(fabs(cpus[58] - .2) < 1e-9);
	/* Wider cells are of what is known in them. */
	ctd_top_trend(&past.history, last(&past), by_container,
		      key_of(&past, 5, CTD_ROLLUP_CONTAINER), -1, 15, cpus);
	assert_true(fabs(cpus[7] - .4) < 1e-9);
	/* Nobody's namespace is a sum over both. */
	ctd_top_trend(&past.history, last(&past), by_namespace,
		      key_of(&past, 4, CTD_ROLLUP_NAMESPACE), -1, 60, cpus);
	assert_true(isnan(cpus[58]) && !isnan(cpus[57]));
	past_end(&past);
}

static void a_row_that_is_left_out_was_not_idle(void **state)
{
	struct past past;
	double cpus[60];

	(void)state;
	past_begin(&past);
	past_add(&past, 200, 0, 0);
	last(&past)->is_past = last(&past)->is_cut = true;
	past_add(&past, 200, 0, 0);
	last(&past)->is_past = true;
	past_add(&past, 200, 400, 0);
	ctd_top_trend(&past.history, last(&past), by_container,
		      key_of(&past, 5, CTD_ROLLUP_CONTAINER), -1, 60, cpus);
	assert_true(isnan(cpus[57]) && cpus[58] == 0 && fabs(cpus[59] - .4) < 1e-9);
	ctd_top_trend(&past.history, last(&past), by_container,
		      key_of(&past, 4, CTD_ROLLUP_CONTAINER), -1, 60, cpus);
	assert_true(fabs(cpus[57] - .2) < 1e-9);
	/* Some of its namespace may be among what is left out. */
	ctd_top_trend(&past.history, last(&past), by_namespace,
		      key_of(&past, 4, CTD_ROLLUP_NAMESPACE), -1, 60, cpus);
	assert_true(isnan(cpus[57]) && !isnan(cpus[58]));
	past_end(&past);
}

static void a_point_has_the_figures_that_a_report_has(void **state)
{
	struct past past;
	const struct ctd_top_point *point;

	(void)state;
	past_begin(&past);
	past_add(&past, 300, 400, 50);
	struct ctd_top_view view = past_view(&past);

	for (size_t i = 0; i < view.lines_count; i++) {
		const struct ctd_report_row *row = ctd_top_view_row(&view, i);

		point = ctd_top_point_get(&past.history, view.frame, by_container,
					  view.lines[i].key, row->core_type);
		assert_int_equal(point->cpu_ns, row->cpu_ns);
		assert_true(point->known && isnan(point->ipc));
		for (int node = 0; node < 4; node++)
			assert_true(fabs(point->values[node].ratio - row->values[node].ratio) <
				    1e-9);
	}
	ctd_top_view_free(&view);
	past_end(&past);
}

enum { P_CORE, E_CORE };

static void plan_hybrid(struct past *past)
{
	static const struct ctd_record_header header = {
		.source = "perf_metrics+atom",
		.model = "golden_cove",
		.counters_count = 5,
		.groups_count = 1,
		.core_types_count = 2,
		.core_types = {{"P-core", "perf_metrics", "golden_cove", "", 5, 1, 0, false},
			       {"E-core", "atom", "gracemont", "", 4, 1, 0, false}}};
	const char *unknown;

	assert_int_equal(ctd_top_history_plan(&past->history, &header, &unknown), 0);
}

/* A second: how long web was on both, and db on E-cores. On P-cores half of its slots retire, on
 * E-cores a tenth. */
static void add_hybrid(struct past *past, uint64_t web_p_ms, uint64_t web_e_ms, uint64_t db_ms)
{
	const uint64_t ms[] = {web_p_ms, web_e_ms, db_ms};
	struct ctd_top_frame *frame;

	past_add(past, 1, 1, 1);
	frame = last(past);
	for (uint32_t i = 0; i < 3; i++) {
		struct ctd_interval_row *row = &frame->interval.rows[i];
		uint64_t leader = ms[i] * 3000000;

		row->cgroup_id = i < 2 ? 4 : 5;
		row->core_type = i ? E_CORE : P_CORE;
		row->oncpu_ns = row->running_ns = ms[i] * 1000000;
		memset(row->count, 0, 5 * sizeof(*row->count));
		row->count[0] = leader;
		row->count[1] = i ? 3 * leader : leader / 2;
		row->count[i ? 2 : 4] = i ? leader + leader / 2 : leader / 2;
		row->count[3] = i ? leader / 2 : 0;
	}
}

/* In any order of lines each has its own, or all of a row that has one line. */
static void lines_of_core_types_have_their_own_minute(void **state)
{
	static const double want[] = {.4, .3, .1, .2};
	struct past past;
	struct ctd_top_view view;
	double cpus[60];

	(void)state;
	past_begin(&past);
	past_add(&past, 700, 100, 0);
	plan_hybrid(&past);
	add_hybrid(&past, 300, 100, 200);
	for (int reversed = 0; reversed < 2; reversed++) {
		past.state.reversed = reversed;
		view = past_view(&past);
		assert_int_equal(view.lines_count, 4);
		for (int i = 0; i < 4; i++) {
			const struct ctd_top_line *line = &view.lines[reversed ? 3 - i : i];

			ctd_top_trend(&past.history, view.frame, by_container, line->key,
				      line->trend_core_type, 60, cpus);
			assert_true(fabs(cpus[59] - want[i]) < 1e-9);
			/* Core types were not told apart. */
			assert_true(i == 0   ? fabs(cpus[58] - .7) < 1e-9
				    : i == 3 ? fabs(cpus[58] - .1) < 1e-9
					     : isnan(cpus[58]));
		}
		ctd_top_view_free(&view);
	}
	/* Before it was on one core type alone, it was on both. */
	add_hybrid(&past, 0, 500, 0);
	last(&past)->interval.rows[0].core_type = E_CORE;
	past.state.reversed = false;
	view = past_view(&past);
	assert_int_equal(view.lines[0].trend_core_type, -1);
	ctd_top_trend(&past.history, view.frame, by_container, view.lines[0].key, -1, 60, cpus);
	assert_true(fabs(cpus[59] - .5) < 1e-9 && fabs(cpus[58] - .4) < 1e-9);
	ctd_top_view_free(&view);
	past_end(&past);
}

static void a_point_is_of_one_core_type(void **state)
{
	const struct ctd_top_point *point;
	struct past past;
	uint64_t web;

	(void)state;
	past_begin(&past);
	plan_hybrid(&past);
	add_hybrid(&past, 300, 100, 200);
	web = key_of(&past, 4, CTD_ROLLUP_CONTAINER);
	point = ctd_top_point_get(&past.history, last(&past), by_container, web, P_CORE);
	assert_int_equal(point->cpu_ns, 300000000);
	assert_true(point->known && fabs(point->values[0].ratio - .5) < 1e-9);
	point = ctd_top_point_get(&past.history, last(&past), by_container, web, E_CORE);
	assert_int_equal(point->cpu_ns, 100000000);
	assert_true(point->known && fabs(point->values[0].ratio - .1) < 1e-9);
	past_end(&past);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_are_means_and_what_is_not_known_is_no_zero),
		cmocka_unit_test(in_a_tree_a_row_has_what_is_below_it),
		cmocka_unit_test(what_is_older_than_a_minute_is_not_in_it),
		cmocka_unit_test(a_machine_without_figures_was_not_idle),
		cmocka_unit_test(a_row_that_is_left_out_was_not_idle),
		cmocka_unit_test(a_point_has_the_figures_that_a_report_has),
		cmocka_unit_test(lines_of_core_types_have_their_own_minute),
		cmocka_unit_test(a_point_is_of_one_core_type),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
