/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_turns.c - reports of counters that took turns: whose slots, whose metrics, of how much of
 * the time. */
#include <cgtopdown/report.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene.h"

extern const struct ctd_cpu_model
	ctd_cpu_zen4; /* 6 slots a cycle; level 1, branches, memory, fetch */

enum { COUNTERS = 6, GROUPS = 4, MILLION = 1000000 };

/* A cgroup that ran for 100 ms, 40 of them with the first group and 20 with each of the others. */
static void run(struct scene *scene)
{
	static const uint64_t counts[GROUPS][COUNTERS] = {
		/* cycles, no ops from the front end, back-end stalls, dispatched, retired,
		   contention */
		{40 * MILLION, 48 * MILLION, 96 * MILLION, 84 * MILLION, 72 * MILLION,
		 12 * MILLION},
		{20 * MILLION, 42 * MILLION, 36 * MILLION, 3 * MILLION, MILLION},
		{20 * MILLION, 48 * MILLION, 30 * MILLION, 40 * MILLION},
		{20 * MILLION, 24 * MILLION, 2 * MILLION, 36 * MILLION, 6 * MILLION},
	};
	struct ctd_interval_row *row = scene_run(scene, CTD_ROW_CGROUP, 1, 100, 0);

	scene->interval.counters_count = COUNTERS;
	scene->interval.groups_count = GROUPS;
	memset(row->raw, 0, sizeof(row->raw));
	memcpy(row->raw, counts, sizeof(counts));
	memcpy(row->count, row->raw, sizeof(row->count));
	for (int group = 0; group < GROUPS; group++) {
		row->group_ns[group] = group ? 20 * MILLION : 40 * MILLION;
		scene->interval.unattributed[group * COUNTERS] = 10;
		scene->interval.residual[group * COUNTERS] = group ? 0 : -1;
	}
}

static struct ctd_report report_of(struct scene *scene)
{
	struct ctd_report report;

	assert_int_equal(ctd_report_make(&scene->interval, &scene->header, &ctd_cpu_zen4,
					 scene->identities, scene_comm, NULL, &scene->options,
					 &report),
			 0);
	return report;
}

static void slots_are_those_of_all_turns(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	run(&scene);
	struct ctd_report report = report_of(&scene);

	assert_true(report.rows[0].slots_known);
	assert_int_equal(report.rows[0].slots, 600 * MILLION);
	assert_int_equal(report.unattributed_slots, 6 * 40);
	assert_int_equal(report.residual_slots, -6);
	assert_int_equal(report.slots, 600 * MILLION + 6 * 40 - 6);
	ctd_report_free(&report);
	scene_end(&scene);
}

static void each_metric_is_of_its_own_turns(void **state)
{
	static const struct {
		const char *name;
		double ratio;
		int group;
	} cases[] = {
		{"retiring", 0.3, 0},	       {"bad_speculation", 0.05, 0},
		{"frontend_bound", 0.2, 0},    {"backend_bound", 0.4, 0},
		{"smt_contention", 0.05, 0},   {"branch_mispredicts", 0.05 * 3 / 4, 1},
		{"memory_bound", 0.3, 2},      {"fetch_latency", 0.1, 3},
		{"heavy_operations", 0.05, 3},
	};
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	run(&scene);
	struct ctd_report report = report_of(&scene);

	assert_int_equal(report.level, 2);
	assert_int_equal(report.groups_count, GROUPS);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		for (int node = 0; node < ctd_cpu_zen4.nodes_count; node++) {
			const struct ctd_value *value = &report.rows[0].values[node];

			if (strcmp(ctd_cpu_zen4.nodes[node].name, cases[i].name) != 0)
				continue;
			assert_int_equal(ctd_cpu_zen4.nodes[node].group, cases[i].group);
			if (value->quality != CTD_OK || fabs(value->ratio - cases[i].ratio) > 1e-12)
				fail_msg("%s is %.17g, %s", cases[i].name, value->ratio,
					 ctd_quality_name(value->quality));
		}
	}
	for (int group = 0; group < GROUPS; group++)
		assert_true(fabs(report.rows[0].coverage[group] - (group ? 0.2 : 0.4)) < 1e-12);
	ctd_report_free(&report);
	scene_end(&scene);
}

/* An interval too short for all turns. */
static void a_metric_whose_turn_did_not_come_is_not_known(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	run(&scene);
	scene.rows[0].group_ns[2] = 0;
	for (int i = 2 * COUNTERS; i < 3 * COUNTERS; i++)
		scene.rows[0].count[i] = scene.rows[0].raw[i] = 0;
	struct ctd_report report = report_of(&scene);

	for (int node = 0; node < ctd_cpu_zen4.nodes_count; node++) {
		bool is_missing = ctd_cpu_zen4.nodes[node].group == 2;

		assert_int_equal(report.rows[0].values[node].quality,
				 is_missing ? CTD_NO_DATA : CTD_OK);
	}
	assert_int_equal(report.rows[0].quality, CTD_OK);
	assert_int_equal(report.rows[0].slots, 480 * MILLION);
	ctd_report_free(&report);
	scene_end(&scene);
}

/* One group: its nodes only, and so level 1. */
static void without_turns_there_is_what_the_first_group_has(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	run(&scene);
	scene.interval.groups_count = 1;
	struct ctd_report report = report_of(&scene);

	assert_int_equal(report.level, 1);
	assert_int_equal(report.rows[0].slots, 240 * MILLION);
	for (int node = 0; node < ctd_cpu_zen4.nodes_count; node++)
		assert_int_equal(report.rows[0].values[node].quality,
				 ctd_cpu_zen4.nodes[node].level == 1 ? CTD_OK : CTD_UNSUPPORTED);
	ctd_report_free(&report);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slots_are_those_of_all_turns),
		cmocka_unit_test(each_metric_is_of_its_own_turns),
		cmocka_unit_test(a_metric_whose_turn_did_not_come_is_not_known),
		cmocka_unit_test(without_turns_there_is_what_the_first_group_has),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
