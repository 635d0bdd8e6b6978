/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_rotation.c - reports of counters that rotate: whose slots, whose metrics, of how much of
 * the time. */
#include <cgtopdown/report.h>

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/rollup/scene.h"

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
	memset(row->raw, 0, SCENE_COUNTS_BYTES);
	memcpy(row->raw, counts, sizeof(counts));
	memcpy(row->count, row->raw, SCENE_COUNTS_BYTES);
	for (int group = 0; group < GROUPS; group++) {
		row->group_ns[group] = group ? 20 * MILLION : 40 * MILLION;
		scene->interval.totals[0].unattributed[group * COUNTERS] = 10;
		scene->interval.totals[0].residual[group * COUNTERS] = group ? 0 : -1;
	}
}

static struct ctd_report report_of(struct scene *scene)
{
	strcpy(scene->header.model, "zen4");
	return scene_report(scene);
}

/* Of the first row. */
static struct ctd_ipc_counts ipc_of(struct scene *scene)
{
	struct ctd_rollup rollup = scene_rollup(scene);
	struct ctd_ipc_counts ipc = rollup.rows[0].parts[0].ipc;

	ctd_rollup_free(&rollup);
	return ipc;
}

static void slots_are_those_of_all_groups(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	run(&scene);
	struct ctd_report report = report_of(&scene);

	assert_true(report.rows[0].slots_known);
	assert_int_equal(report.rows[0].slots, 600 * MILLION);
	assert_int_equal(report.totals.unattributed_slots, 6 * 40);
	assert_int_equal(report.totals.residual_slots, -6);
	assert_int_equal(report.totals.slots, 600 * MILLION + 6 * 40 - 6);
	ctd_report_free(&report);
	scene_end(&scene);
}

static void each_metric_is_of_its_own_group(void **state)
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

/* An interval too short for all groups. */
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
		int group = ctd_cpu_zen4.nodes[node].group;

		assert_int_equal(report.rows[0].values[node].quality, group == 2 ? CTD_NO_DATA
								      : group == CTD_IPC_GROUP
									      ? CTD_UNSUPPORTED
									      : CTD_OK);
	}
	assert_int_equal(report.rows[0].quality, CTD_OK);
	assert_int_equal(report.rows[0].slots, 480 * MILLION);
	ctd_report_free(&report);
	scene_end(&scene);
}

/* One group: its nodes only, and so level 1. */
static void without_rotation_there_is_what_the_first_group_has(void **state)
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

/* Beside level 1 alone they are of the second group, whatever the model's groups are. */
static void ipc_metrics_are_of_the_last_group(void **state)
{
	static const uint64_t ipc[COUNTERS] = {80 * MILLION, 120 * MILLION, 600000, 240000};
	static const struct {
		const char *name;
		double value;
	} cases[] = {
		{"backend_bound", 0.4}, {"ipc", 1.5},	{"cpi", 1 / 1.5}, {"ghz", 4},
		{"branch_mpki", 5},	{"l2_mpki", 2},
	};
	struct scene scene;
	size_t checked = 0;

	(void)state;
	scene_begin(&scene);
	run(&scene);
	scene.interval.groups_count = 2;
	scene.header.ipc = 1;
	memcpy(&scene.rows[0].count[COUNTERS], ipc, sizeof(ipc));
	scene.rows[0].count_ns[1] = 20 * MILLION;
	struct ctd_report report = report_of(&scene);

	assert_true(report.ipc);
	assert_int_equal(report.level, 1);
	/* The totals are of all groups. */
	assert_int_equal(report.rows[0].slots, 6 * 120 * MILLION);
	assert_true(fabs(report.rows[0].coverage[CTD_IPC_GROUP] - 0.2) < 1e-12);
	for (int node = 0; node < ctd_cpu_zen4.nodes_count; node++) {
		const struct ctd_value *value = &report.rows[0].values[node];

		assert_int_equal(ctd_report_has(&report, node),
				 ctd_cpu_zen4.nodes[node].level <= 1);
		assert_int_equal(value->quality,
				 ctd_cpu_zen4.nodes[node].level <= 1 ? CTD_OK : CTD_UNSUPPORTED);
		for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
			if (strcmp(ctd_cpu_zen4.nodes[node].name, cases[i].name) != 0)
				continue;
			assert_true(fabs(value->ratio - cases[i].value) < 1e-12);
			checked++;
		}
	}
	assert_int_equal(checked, sizeof(cases) / sizeof(*cases));
	/* For totals: as counted, and the time that is of. */
	assert_int_equal(ipc_of(&scene).known, CTD_IPC_COUNTS);
	assert_memory_equal(ipc_of(&scene).count, ipc, sizeof(ipc_of(&scene).count));
	assert_int_equal(ipc_of(&scene).counted_ns, 20 * MILLION);
	assert_true(report.rows[0].dominant >= 0);
	assert_string_equal(ctd_cpu_zen4.nodes[report.rows[0].dominant].name, "backend_bound");
	ctd_report_free(&report);
	scene_end(&scene);
}

static void counters_that_count_no_instructions_have_no_ipc_counts(void **state)
{
	static const uint64_t ipc[COUNTERS] = {80 * MILLION, 0, 600000, 240000};
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	run(&scene);
	scene.interval.groups_count = 2;
	scene.header.ipc = 1;
	memcpy(&scene.rows[0].count[COUNTERS], ipc, sizeof(ipc));
	scene.rows[0].count_ns[1] = 20 * MILLION;
	strcpy(scene.header.model, "zen4");
	assert_int_equal(ipc_of(&scene).known, 0);
	assert_int_equal(ipc_of(&scene).counted_ns, 0);
	scene_end(&scene);
}

static void rows_are_sorted_by_ipc_metrics_only_where_they_are(void **state)
{
	struct ctd_report report;
	struct ctd_rollup rollup;
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	run(&scene);
	scene.options.sort = "ipc";
	scene.interval.groups_count = 2;
	strcpy(scene.header.model, "zen4");
	rollup = scene_rollup(&scene);
	assert_int_equal(ctd_report_make(&rollup, NULL, NULL, &scene.options, &report), -EINVAL);
	ctd_rollup_free(&rollup);
	scene.header.ipc = 1;
	report = report_of(&scene);
	ctd_report_free(&report);
	scene_end(&scene);
}

/* Its cycles stand still while it is halted. */
static void the_clock_of_an_idle_cpu_is_not_known(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	run(&scene);
	scene.interval.groups_count = 2;
	scene.header.ipc = 1;
	scene.rows[0].kind = CTD_ROW_IDLE;
	scene.rows[0].cgroup_id = 0;
	scene.rows[0].count_ns[1] = 20 * MILLION;
	struct ctd_report report = report_of(&scene);

	for (int node = 0; node < ctd_cpu_zen4.nodes_count; node++) {
		const char *name = ctd_cpu_zen4.nodes[node].name;

		if (!strcmp(name, "ipc"))
			assert_int_equal(report.rows[0].values[node].quality, CTD_OK);
		if (!strcmp(name, "ghz"))
			assert_int_equal(report.rows[0].values[node].quality, CTD_UNSUPPORTED);
	}
	ctd_report_free(&report);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slots_are_those_of_all_groups),
		cmocka_unit_test(each_metric_is_of_its_own_group),
		cmocka_unit_test(a_metric_whose_turn_did_not_come_is_not_known),
		cmocka_unit_test(without_rotation_there_is_what_the_first_group_has),
		cmocka_unit_test(ipc_metrics_are_of_the_last_group),
		cmocka_unit_test(counters_that_count_no_instructions_have_no_ipc_counts),
		cmocka_unit_test(rows_are_sorted_by_ipc_metrics_only_where_they_are),
		cmocka_unit_test(the_clock_of_an_idle_cpu_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
