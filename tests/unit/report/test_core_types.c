/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_core_types.c - rows of each kind of cores by its own model, and what may be added up. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "unit/rollup/hybrid.h"

#define MILLION 1000000ull

static struct scene scene;
static const struct ctd_cpu_model *model;
static struct ctd_report report;

static int teardown(void **state)
{
	(void)state;
	ctd_report_free(&report);
	scene_end(&scene);
	return 0;
}

static int setup(void **state)
{
	(void)state;
	hybrid_begin(&scene);
	return 0;
}

static void make_report(void)
{
	report = scene_report(&scene);
	model = report.model;
}

static struct ctd_value value(const struct ctd_report_row *row, const char *name)
{
	for (int i = 0; i < model->nodes_count; i++) {
		if (strcmp(model->nodes[i].name, name) == 0)
			return row->values[i];
	}
	fail_msg("no column %s", name);
	return row->values[0];
}

static bool is(struct ctd_value got, double want)
{
	return got.quality == CTD_OK && fabs(got.ratio - want) < 1e-9;
}

/* "NAME/CORE", indented by depth. */
static const char *rows_text(void)
{
	static char text[2048];
	size_t said = 0;

	for (size_t i = 0; i < report.rows_count; i++)
		said += (size_t)snprintf(text + said, sizeof(text) - said, "%s%*s%s|%s",
					 i ? " " : "", report.rows[i].depth, "",
					 report.rows[i].name,
					 ctd_report_core_type_name(&report, &report.rows[i]));
	return text;
}

static void who_ran_on_several_kinds_has_a_row_of_each_below_their_sum(void **state)
{
	(void)state;
	make_report();
	assert_string_equal(rows_text(),
			    "/e|all /e|E-core /e|other /both|all /both|P-core /both|E-core "
			    "/p|P-core /both/below|other "
			    "(idle)|all (idle)|P-core (idle)|E-core (idle)|other");
}

static void each_row_is_evaluated_by_its_own_model(void **state)
{
	(void)state;
	make_report();
	const struct ctd_report_row *all = &report.rows[3];

	assert_string_equal(ctd_report_core_type_name(&report, &all[1]), "P-core");
	assert_true(is(value(&all[1], "retiring"), 0.5));
	assert_true(is(value(&all[1], "frontend_bound"), 0.1));
	assert_int_equal(all[1].slots, 400 * 18 * MILLION);
	assert_string_equal(ctd_report_core_type_name(&report, &all[2]), "E-core");
	assert_true(is(value(&all[2], "retiring"), 0.1));
	assert_true(is(value(&all[2], "frontend_bound"), 0.6));
	assert_int_equal(all[2].slots, 200 * 15 * MILLION);
	assert_string_equal(model->nodes[all[2].dominant].name, "frontend_bound");
	/* Level 2 of either would be of what fills up. */
	assert_int_equal(value(&all[1], "memory_bound").quality, CTD_UNSUPPORTED);
	assert_int_equal(value(&all[2], "resource_bound").quality, CTD_UNSUPPORTED);
	assert_int_equal(report.level, 1);
}

static void a_sum_of_kinds_has_time_and_slots_and_no_ratio(void **state)
{
	(void)state;
	make_report();
	const struct ctd_report_row *e = &report.rows[0], *both = &report.rows[3];

	assert_true(both->core_sum);
	assert_true(both->slots_known);
	assert_int_equal(both->slots, (400 * 18 + 200 * 15) * MILLION);
	assert_true(both->cpu_ns == 600 * MILLION);
	assert_int_equal(both->slices, 4);
	assert_int_equal(both->dominant, -1);
	for (int i = 0; i < model->nodes_count; i++)
		assert_false(ctd_value_known(both->values[i]));
	/* A part of it has no counters: what all of it had is not known. */
	assert_true(e->core_sum);
	assert_false(e->slots_known);
	assert_true(e->cpu_ns == 800 * MILLION);
	assert_int_equal(e[2].quality, CTD_NO_DATA);
	assert_false(e[2].slots_known);
}

static void totals_are_kept_for_each_kind_and_do_not_hide_each_other(void **state)
{
	(void)state;
	make_report();
	assert_int_equal(report.core_types_count, 3);
	assert_int_equal(report.core_types[0].totals.residual_slots, 6);
	assert_int_equal(report.core_types[1].totals.residual_slots, -30);
	assert_int_equal(report.totals.residual_slots, -24);
	assert_int_equal(report.core_types[0].totals.slots,
			 (400 + 500 + 100) * 18 * MILLION + 60 + 6);
	assert_int_equal(report.core_types[1].totals.slots, (200 + 700 + 1100) * 15 * MILLION - 30);
	assert_int_equal(report.core_types[1].totals.idle_slots, 1100 * 15 * MILLION);
	assert_false(report.core_types[2].totals.slots_known);
	assert_int_equal(report.totals.slots,
			 report.core_types[0].totals.slots + report.core_types[1].totals.slots);
	assert_string_equal(report.core_types[2].why, "no core PMU has them: cpu 3");
	assert_int_equal(report.core_types[1].totals.cpus_online, 2);
}

static void a_tree_has_the_kinds_below_each_cgroup(void **state)
{
	(void)state;
	scene.rollup_options.tree = true;
	make_report();
	assert_string_equal(rows_text(),
			    "/|all  /|P-core  /|E-core  /|other  /e|all   /e|E-core   /e|other"
			    "  /both|all   /both|P-core   /both|E-core   /both|other"
			    "   /both/below|other  /p|P-core "
			    "(idle)|all  (idle)|P-core  (idle)|E-core  (idle)|other");
	for (size_t i = 0; i < report.rows_count; i++) {
		const struct ctd_report_row *row = &report.rows[i];

		assert_true(row->parent < (int)i);
		if (row->parent >= 0)
			assert_int_equal(report.rows[row->parent].depth, row->depth - 1);
	}
}

static void rows_cut_off_are_added_up_by_kind(void **state)
{
	(void)state;
	scene.options.top = 1;
	make_report();
	assert_string_equal(rows_text(), "/e|all /e|E-core /e|other (3 more)|all (3 more)|P-core "
					 "(3 more)|E-core (3 more)|other "
					 "(idle)|all (idle)|P-core (idle)|E-core (idle)|other");
	assert_int_equal(report.rows[4].slots, 900 * 18 * MILLION);
	assert_true(report.rows[4].hidden_sum);
}

static void a_sum_is_sorted_by_the_largest_of_its_kinds(void **state)
{
	(void)state;
	scene.options.sort = "retiring";
	make_report();
	assert_string_equal(report.rows[0].name, "/both");
	assert_string_equal(report.rows[3].name, "/p");
	assert_string_equal(report.rows[4].name, "/e");
}

static void the_columns_are_the_nodes_of_all_kinds_once(void **state)
{
	int seen = 0;

	(void)state;
	make_report();
	for (int i = 0; i < model->nodes_count; i++) {
		for (int j = 0; j < i; j++)
			assert_string_not_equal(model->nodes[i].name, model->nodes[j].name);
		assert_true(model->nodes[i].parent < i);
		seen += strcmp(model->nodes[i].name, "resource_bound") == 0;
		seen += strcmp(model->nodes[i].name, "memory_bound") == 0;
	}
	assert_int_equal(seen, 2);
}

static int find(const char *name)
{
	int i = 0;

	while (i < model->nodes_count && strcmp(model->nodes[i].name, name) != 0)
		i++;
	assert_true(i < model->nodes_count);
	return i;
}

/* E-cores rotate two groups, of which P-cores count the same in both. */
static void groups_of_a_kind_are_found_behind_what_fills_its_groups_up(void **state)
{
	const struct ctd_report_row *p, *e;
	int retiring, mispredicts;

	(void)state;
	scene.header.groups_count = scene.interval.groups_count = 2;
	scene.header.core_types[HYBRID_P].counters_count = 9;
	scene.header.core_types[HYBRID_E].counters_count = 6;
	scene.header.core_types[HYBRID_E].groups_count = 2;
	for (size_t i = 0; i < scene.interval.rows_count; i++) {
		struct ctd_interval_row *row = &scene.interval.rows[i];
		uint64_t leader = row->count[0];

		if (row->core_type != HYBRID_E)
			continue;
		memcpy(&row->count[9], (uint64_t[]){leader, leader, leader / 2},
		       3 * sizeof(*row->count));
		row->group_ns[1] = row->count_ns[1] = row->group_ns[0] /= 2;
	}
	scene.options.level = 2;
	make_report();
	p = &report.rows[4];
	e = &report.rows[5];
	assert_string_equal(ctd_report_core_type_name(&report, e), "E-core");
	assert_true(is(value(e, "retiring"), 0.1));
	assert_true(is(value(e, "branch_mispredicts"), 0.2));
	assert_true(is(value(e, "machine_clears"), 0.1));
	assert_int_equal(e->slots, 2 * 200 * 15 * MILLION);
	/* What P-cores count at once is in two groups, as it is told by group what was covered. */
	retiring = model->nodes[find("retiring")].group;
	mispredicts = model->nodes[find("branch_mispredicts")].group;
	assert_int_not_equal(retiring, mispredicts);
	assert_int_equal(model->nodes[find("memory_bound")].group, retiring);
	assert_int_equal(model->nodes[find("machine_clears")].group, mispredicts);
	assert_true(fabs(e->coverage[retiring] - 0.5) < 1e-9);
	assert_true(fabs(e->coverage[mispredicts] - 0.5) < 1e-9);
	assert_true(fabs(p->coverage[retiring] - 1) < 1e-9);
	assert_true(fabs(p->coverage[mispredicts] - 1) < 1e-9);
}

static void a_model_of_another_version_is_named(void **state)
{
	struct ctd_rollup_plan *none;
	const char *name;

	(void)state;
	make_report();
	snprintf(scene.header.core_types[1].model, sizeof(scene.header.core_types[1].model),
		 "past_cove");
	assert_int_equal(ctd_rollup_plan_new(&scene.header, &none, &name), -EINVAL);
	assert_string_equal(name, "past_cove");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(who_ran_on_several_kinds_has_a_row_of_each_below_their_sum),
		TEST(each_row_is_evaluated_by_its_own_model),
		TEST(a_sum_of_kinds_has_time_and_slots_and_no_ratio),
		TEST(totals_are_kept_for_each_kind_and_do_not_hide_each_other),
		TEST(a_tree_has_the_kinds_below_each_cgroup),
		TEST(rows_cut_off_are_added_up_by_kind),
		TEST(a_sum_is_sorted_by_the_largest_of_its_kinds),
		TEST(the_columns_are_the_nodes_of_all_kinds_once),
		TEST(groups_of_a_kind_are_found_behind_what_fills_its_groups_up),
		TEST(a_model_of_another_version_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
