/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_siblings.c - slots beside each state of the other hardware thread are the row's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "scene.h"

static struct ctd_interval_sibling siblings[SCENE_ROWS_MAX][CTD_SIBLINGS];

/* A row that ran for some time beside an idle thread, and for some beside another cgroup, where
 * twice as many slots were back-end bound. */
static void run_beside(struct scene *scene, uint64_t id, uint64_t alone_ms, uint64_t other_ms)
{
	const uint64_t ms[CTD_SIBLINGS] = {
		[CTD_SIBLING_IDLE] = alone_ms, [CTD_SIBLING_OTHER] = other_ms};
	size_t at = scene->interval.rows_count;
	struct ctd_interval_row *row = scene_run(scene, CTD_ROW_CGROUP, id, alone_ms + other_ms, 0);

	row->siblings = siblings[at];
	row->count[1] = row->count[4] = 0;
	for (int part = 0; part < CTD_SIBLINGS; part++) {
		struct ctd_interval_sibling *to = &siblings[at][part];
		uint64_t slots = ms[part] * SCENE_SLOTS_PER_MS;
		uint64_t backend = part == CTD_SIBLING_OTHER ? slots / 2 : slots / 4;

		*to = (struct ctd_interval_sibling){
			.cpu_ns = ms[part] * 1000000,
			.counted_ns = ms[part] * 1000000,
			.leader_count = slots,
			.count = {[0] = slots, [1] = slots - backend, [4] = backend}};
		row->count[1] += slots - backend;
		row->count[4] += backend;
	}
	scene->interval.has_siblings = true;
}

static void each_part_has_its_own_ratio(void **state)
{
	const struct ctd_beside *smt;
	struct ctd_rollup rollup;
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	scene_name(&scene, 5, "/a");
	scene_name(&scene, 6, "/b");
	run_beside(&scene, 5, 300, 100);
	run_beside(&scene, 6, 100, 0);
	rollup = scene_rollup(&scene);
	smt = &rollup.rows[0].parts[0].smt;
	assert_true(smt->known && smt->slots_known);
	assert_int_equal(smt->parts[CTD_SIBLING_IDLE].cpu_ns, 300000000);
	assert_int_equal(smt->parts[CTD_SIBLING_OTHER].cpu_ns, 100000000);
	assert_int_equal(smt->parts[CTD_SIBLING_IDLE].slots + smt->parts[CTD_SIBLING_OTHER].slots,
			 rollup.rows[0].slots);
	assert_float_equal((double)smt->parts[CTD_SIBLING_IDLE].retired_slots,
			   300.0 * SCENE_SLOTS_PER_MS * 3 / 4, 2);
	assert_float_equal((double)smt->parts[CTD_SIBLING_OTHER].retired_slots,
			   100.0 * SCENE_SLOTS_PER_MS / 2, 2);
	assert_float_equal(ctd_beside_speed(smt), 2.0 / 3, 1e-6);
	/* It was never beside another one. */
	assert_true(isnan(ctd_beside_speed(&rollup.rows[1].parts[0].smt)));
	ctd_rollup_free(&rollup);
	scene_end(&scene);
}

static void rows_of_one_pod_are_added_up(void **state)
{
	const struct ctd_beside *smt;
	struct ctd_rollup rollup;
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	scene_name(&scene, 5, SCENE_POD "/" SCENE_ID_A);
	scene_name(&scene, 6, SCENE_POD "/" SCENE_ID_B);
	run_beside(&scene, 5, 300, 100);
	run_beside(&scene, 6, 100, 100);
	scene.rollup_options.by = CTD_GROUP_POD;
	rollup = scene_rollup(&scene);
	assert_int_equal(rollup.rows_count, 1);
	smt = &rollup.rows[0].parts[0].smt;
	assert_int_equal(smt->parts[CTD_SIBLING_IDLE].cpu_ns, 400000000);
	assert_int_equal(smt->parts[CTD_SIBLING_OTHER].slots, 200LL * SCENE_SLOTS_PER_MS);
	assert_float_equal(ctd_beside_speed(smt), 2.0 / 3, 1e-6);
	ctd_rollup_free(&rollup);
	scene_end(&scene);
}

/* The last row's CPU time is known, and nothing else. */
static void lose_counts(struct scene *scene)
{
	size_t at = scene->interval.rows_count - 1;

	memset(scene->rows[at].count, 0, SCENE_COUNTS_BYTES);
	memset(scene->rows[at].raw, 0, SCENE_COUNTS_BYTES);
	scene->rows[at].quality = CTD_NO_DATA;
	scene->rows[at].running_ns = 0;
	for (int part = 0; part < CTD_SIBLINGS; part++)
		siblings[at][part] =
			(struct ctd_interval_sibling){.cpu_ns = siblings[at][part].cpu_ns};
}

static void time_without_counts_is_in_no_speed(void **state)
{
	struct ctd_beside sum = {};

	(void)state;
	/* Rows of one pod, one of which has no counts; then a spell in which none has. */
	for (int counted = 1; counted >= 0; counted--) {
		const struct ctd_beside *smt;
		struct ctd_rollup rollup;
		struct scene scene;

		scene_begin(&scene);
		scene_name(&scene, 5, SCENE_POD "/" SCENE_ID_A);
		scene_name(&scene, 6, SCENE_POD "/" SCENE_ID_B);
		run_beside(&scene, 5, 300, 100);
		if (!counted)
			lose_counts(&scene);
		run_beside(&scene, 6, 0, 100);
		lose_counts(&scene);
		scene.rollup_options.by = CTD_GROUP_POD;
		rollup = scene_rollup(&scene);
		smt = &rollup.rows[0].parts[0].smt;
		assert_int_equal(smt->slots_known, counted);
		assert_int_equal(smt->parts[CTD_SIBLING_OTHER].cpu_ns, 200000000);
		assert_int_equal(smt->parts[CTD_SIBLING_OTHER].counted_ns, counted * 100000000);
		ctd_beside_add(&sum, smt);
		assert_float_equal(ctd_beside_speed(&sum), 2.0 / 3, 1e-6);
		ctd_rollup_free(&rollup);
		scene_end(&scene);
	}
	assert_int_equal(sum.parts[CTD_SIBLING_OTHER].cpu_ns, 400000000);
}

static void without_siblings_nothing_is_known(void **state)
{
	struct ctd_rollup rollup;
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	scene_name(&scene, 5, "/a");
	scene_run(&scene, CTD_ROW_CGROUP, 5, 100, .5);
	rollup = scene_rollup(&scene);
	assert_false(rollup.rows[0].parts[0].smt.known);
	ctd_rollup_free(&rollup);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_part_has_its_own_ratio),
		cmocka_unit_test(rows_of_one_pod_are_added_up),
		cmocka_unit_test(time_without_counts_is_in_no_speed),
		cmocka_unit_test(without_siblings_nothing_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
