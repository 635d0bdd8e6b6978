/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_make.c - the totals of a report hold, and it says what it knows. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "metrics.h"
#include "unit/rollup/scene.h"

static void build(struct scene *scene)
{
	scene_begin(scene);
	scene_run(scene, CTD_ROW_CGROUP, 1, 10, .1);
	scene_run(scene, CTD_ROW_CGROUP, 2, 20, .8)->quality = CTD_SCALED;
	scene_run(scene, CTD_ROW_CGROUP, 3, 5, .8)->quality = CTD_NO_DATA;
	scene_run(scene, CTD_ROW_KERNEL, 0, 7, .1);
	scene_run(scene, CTD_ROW_IDLE, 0, 90, .1);
	scene->interval.totals[0].unattributed[0] = 1234;
	scene->interval.unattributed_ns = 20300000;
	scene->interval.totals[0].residual[0] = -56;
}

static void rows_and_what_is_nobodys_add_up_to_the_total(void **state)
{
	static const enum ctd_group_by bys[] = {CTD_GROUP_CGROUP, CTD_GROUP_CONTAINER,
						CTD_GROUP_POD,	  CTD_GROUP_NAMESPACE,
						CTD_GROUP_OWNER,  CTD_GROUP_PROCESS};

	(void)state;
	for (size_t i = 0; i < sizeof(bys) / sizeof(bys[0]); i++) {
		struct scene scene;
		uint64_t sum = 0;

		build(&scene);
		scene.rollup_options.by = bys[i];
		struct ctd_report report = scene_report(&scene);

		for (size_t j = 0; j < report.rows_count; j++)
			if (report.rows[j].quality <= CTD_LOW_CONFIDENCE)
				sum += report.rows[j].slots;
		assert_true(report.totals.slots_known);
		assert_int_equal(sum + report.totals.unattributed_slots +
					 (uint64_t)report.totals.residual_slots,
				 report.totals.slots);
		assert_int_equal(report.totals.slots, 127LL * SCENE_SLOTS_PER_MS + 1234 - 56);
		assert_int_equal(report.totals.idle_slots, 90LL * SCENE_SLOTS_PER_MS);
		assert_int_equal(report.unattributed_ns, 20300000);
		ctd_report_free(&report);
		scene_end(&scene);
	}
}

static void a_report_says_how_it_came_about(void **state)
{
	struct scene scene;

	(void)state;
	build(&scene);
	scene.options.level = 1;
	struct ctd_report report = scene_report(&scene);

	assert_string_equal(report.source, "sim");
	assert_string_equal(report.method, "sim");
	assert_string_equal(report.scope, "thread");
	assert_true(report.simulated);
	assert_int_equal(report.level, 1);
	assert_int_equal(report.totals.cpus_online, 2);
	ctd_report_free(&report);
	scene_end(&scene);
}

static void the_level_is_what_the_counters_can_tell(void **state)
{
	static const struct {
		int line, wanted;
		uint32_t counters;
		int level;
	} cases[] = {
		{__LINE__, 0, 9, 2}, {__LINE__, 1, 9, 1}, {__LINE__, 2, 9, 2},
		{__LINE__, 5, 9, 2}, {__LINE__, 0, 5, 1}, {__LINE__, 2, 5, 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct scene scene;

		build(&scene);
		scene.options.level = cases[i].wanted;
		scene.interval.counters_count = cases[i].counters;
		struct ctd_report report = scene_report(&scene);

		if (report.level != cases[i].level)
			fail_msg("line %d: level %d", cases[i].line, report.level);
		ctd_report_free(&report);
		scene_end(&scene);
	}
}

static void quality_of_rows_follows_their_counts(void **state)
{
	struct scene scene;

	(void)state;
	build(&scene);
	struct ctd_interval_row *few = scene_run(&scene, CTD_ROW_CGROUP, 4, 4, .1);
	struct ctd_interval_row *none = scene_run(&scene, CTD_ROW_CGROUP, 5, 3, .1);

	few->count[0] = few->count[4] = CTD_SLOTS_CONFIDENT - 1;
	few->count[1] = few->count[2] = few->count[3] = 0;
	memset(none->count, 0, SCENE_COUNTS_BYTES);
	scene.options.level = 1;
	struct ctd_report report = scene_report(&scene);

	assert_string_equal(scene_names(&report),
			    "cgroup:2 cgroup:1 cgroup:3 cgroup:4 cgroup:5 (kernel) (idle)");
	assert_int_equal(report.rows[0].quality, CTD_SCALED);
	assert_int_equal(report.rows[1].quality, CTD_OK);
	assert_int_equal(report.rows[2].quality, CTD_NO_DATA);
	assert_int_equal(report.rows[3].quality, CTD_LOW_CONFIDENCE);
	assert_int_equal(report.rows[4].quality, CTD_NO_DATA);
	assert_int_equal(report.rows[0].dominant, 3);
	assert_int_equal(report.rows[2].dominant, -1);
	ctd_report_free(&report);
	scene_end(&scene);
}

/* A row whose parts contradict each other has no figures, but the totals are of slots. */
static void slots_of_rows_are_those_of_the_totals_whatever_their_parts(void **state)
{
	struct scene scene;
	uint64_t slots = 0;

	(void)state;
	build(&scene);
	scene_run(&scene, CTD_ROW_CGROUP, 4, 4, .1)->count[2] = 1u << 31;
	struct ctd_report report = scene_report(&scene);

	for (size_t i = 0; i < report.rows_count; i++) {
		assert_int_equal(report.rows[i].slots_known,
				 report.rows[i].quality <= CTD_LOW_CONFIDENCE ||
					 report.rows[i].cgroup_id == 4);
		slots += report.rows[i].slots_known ? report.rows[i].slots : 0;
		if (report.rows[i].cgroup_id == 4)
			assert_int_equal(report.rows[i].quality, CTD_NO_DATA);
	}
	assert_int_equal(slots + report.totals.unattributed_slots +
				 (uint64_t)report.totals.residual_slots,
			 report.totals.slots);
	ctd_report_free(&report);
	scene_end(&scene);
}

static void idle_has_no_bottleneck(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	scene_run(&scene, CTD_ROW_IDLE, 0, 90, .9);
	struct ctd_report report = scene_report(&scene);

	assert_true(ctd_metric_hot(metrics_of(report.model), report.rows[0].values, 3));
	assert_int_equal(report.rows[0].dominant, -1);
	ctd_report_free(&report);
	scene_end(&scene);
}

static void without_counters_all_is_unsupported(void **state)
{
	struct scene scene;

	(void)state;
	build(&scene);
	for (size_t i = 0; i < scene.interval.rows_count; i++)
		scene.rows[i].quality = CTD_UNSUPPORTED;
	scene.interval.counters_count = 0;
	scene.interval.totals[0].cpus_online = 2;
	strcpy(scene.header.source, "none");
	scene.header.model[0] = '\0';
	struct ctd_report report = scene_report(&scene);

	assert_string_equal(report.method, "none");
	assert_int_equal(report.core_types[0].totals.cpus_online, 2);
	assert_null(report.model);
	assert_int_equal(report.level, 0);
	assert_false(report.totals.slots_known);
	for (size_t i = 0; i < report.rows_count; i++) {
		assert_int_equal(report.rows[i].quality, CTD_UNSUPPORTED);
		assert_int_equal(report.rows[i].values[0].quality, CTD_UNSUPPORTED);
		assert_true(report.rows[i].cpu_ns > 0);
	}
	ctd_report_free(&report);
	scene_end(&scene);
}

static void where_nothing_was_counted_slots_are_not_known(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	scene_run(&scene, CTD_ROW_CGROUP, 1, 10, .1)->quality = CTD_NO_DATA;
	struct ctd_report report = scene_report(&scene);

	assert_false(report.totals.slots_known);
	ctd_report_free(&report);
	scene_end(&scene);
}

/* Cycles are no slots: the figures of a row are known, its slots are not, nor are the total's. */
static void where_cycles_are_counted_slots_are_not_known(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	strcpy(scene.header.model, "neoverse_n1");
	scene.interval.counters_count = 3;
	for (uint64_t id = 1; id <= 2; id++) {
		struct ctd_interval_row *row = scene_run(&scene, CTD_ROW_CGROUP, id, 10 * id, .1);

		row->count[0] = 1000000000;
		row->count[1] = 150000000 * id;
		row->count[2] = 300000000;
	}
	scene.interval.totals[0].unattributed[0] = 1234;
	scene.interval.totals[0].residual[0] = -56;
	struct ctd_report report = scene_report(&scene);

	assert_false(report.totals.slots_known);
	assert_int_equal(report.level, 1);
	assert_int_equal(report.rows_count, 2);
	for (size_t i = 0; i < report.rows_count; i++) {
		const struct ctd_report_row *row = &report.rows[i];

		assert_false(row->slots_known);
		assert_int_equal(row->quality, CTD_OK);
		assert_float_equal(row->values[0].ratio, .15 * (double)row->cgroup_id, 1e-9);
		assert_float_equal(row->values[1].ratio, .3, 1e-9);
	}
	ctd_report_free(&report);
	scene_end(&scene);
}

static void an_empty_interval_makes_an_empty_report(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	struct ctd_report report = scene_report(&scene);

	assert_int_equal(report.rows_count, 0);
	ctd_report_free(&report);
	ctd_report_free(NULL);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_and_what_is_nobodys_add_up_to_the_total),
		cmocka_unit_test(a_report_says_how_it_came_about),
		cmocka_unit_test(the_level_is_what_the_counters_can_tell),
		cmocka_unit_test(quality_of_rows_follows_their_counts),
		cmocka_unit_test(slots_of_rows_are_those_of_the_totals_whatever_their_parts),
		cmocka_unit_test(idle_has_no_bottleneck),
		cmocka_unit_test(without_counters_all_is_unsupported),
		cmocka_unit_test(where_nothing_was_counted_slots_are_not_known),
		cmocka_unit_test(where_cycles_are_counted_slots_are_not_known),
		cmocka_unit_test(an_empty_interval_makes_an_empty_report),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
