/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_rollup.c - rows are added up once, and evaluated from what was added up. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_memory.h"
#include "unit/rollup/scene.h"

static void build(struct scene *scene)
{
	scene_begin(scene);
	scene_name(scene, 4, SCENE_POD "/" SCENE_ID_A);
	scene_name(scene, 5, SCENE_POD "/" SCENE_ID_A "/init");
	scene_name(scene, 6, "/system.slice/a.service");
	scene_run(scene, CTD_ROW_CGROUP, 4, 10, .1);
	scene_run(scene, CTD_ROW_CGROUP, 5, 30, .5);
	scene_run(scene, CTD_ROW_CGROUP, 6, 20, .8);
	scene_run(scene, CTD_ROW_CGROUP, 7, 5, .8)->quality = CTD_NO_DATA;
	scene_run(scene, CTD_ROW_IDLE, 0, 90, .1);
	scene->rollup_options.by = CTD_GROUP_CONTAINER;
}

static void sums_are_integers_and_nodes_have_whole_slots(void **state)
{
	struct scene scene;
	struct ctd_rollup rollup;
	const struct ctd_rollup_row *container;
	const struct ctd_rollup_part *part;

	(void)state;
	build(&scene);
	rollup = scene_rollup(&scene);
	assert_int_equal(rollup.rows_count, 4);
	container = &rollup.rows[0];
	part = &container->parts[0];
	assert_int_equal(container->kind, CTD_ROLLUP_CONTAINER);
	assert_int_equal(container->cgroup_id, 4);
	assert_int_equal(container->members, 2);
	assert_int_equal(part->cpu_ns, 40000000);
	assert_int_equal(part->slots, 40 * SCENE_SLOTS_PER_MS);
	/* 10 ms of 10 %, 30 ms of 50 %. */
	assert_int_equal(part->node_slots[3], 16 * SCENE_SLOTS_PER_MS);
	assert_int_equal(part->node_slots[0], 24 * SCENE_SLOTS_PER_MS);
	assert_true(part->node_slots_known & 1);
	/* Not known: none of either. */
	part = &rollup.rows[2].parts[0];
	assert_int_equal(rollup.rows[2].cgroup_id, 7);
	assert_false(part->slots_known);
	assert_int_equal(part->node_slots_known, 0);
	assert_int_equal(rollup.totals[0].slots, 150LL * SCENE_SLOTS_PER_MS);
	ctd_rollup_free(&rollup);
	scene_end(&scene);
}

static void the_sum_of_rows_is_one_more_row(void **state)
{
	static const bool which[] = {true, true, false, false};
	struct scene scene;
	struct ctd_rollup rollup;
	size_t at;

	(void)state;
	build(&scene);
	rollup = scene_rollup(&scene);
	at = ctd_rollup_add_sum(&rollup, which);
	assert_int_equal(at, 4);
	assert_int_equal(rollup.rows_count, 5);
	assert_int_equal(rollup.rows[at].kind, CTD_ROLLUP_OTHER);
	assert_int_equal(rollup.rows[at].slots, 60 * SCENE_SLOTS_PER_MS);
	/* 16 ms and 80 % of 20 ms, of 60 ms. */
	assert_float_equal(rollup.rows[at].parts[0].values[3].ratio, 32. / 60, 1e-9);
	ctd_rollup_free(&rollup);
	scene_end(&scene);
}

static void an_interval_of_other_counters_does_not_fit(void **state)
{
	struct scene scene;
	struct ctd_rollup rollup;
	const struct ctd_rollup_plan *plan;

	(void)state;
	build(&scene);
	plan = scene_plan(&scene);
	scene.interval.counters_count--;
	assert_int_equal(ctd_rollup_make(plan, &scene.interval, scene.identities,
					 &scene.rollup_options, &rollup),
			 -EBADMSG);
	scene_end(&scene);
}

static void without_memory_there_is_none(void **state)
{
	const struct ctd_rollup_plan *plan;
	struct ctd_rollup rollup = {0};
	struct scene scene;
	int error = -ENOMEM;

	(void)state;
	build(&scene);
	plan = scene_plan(&scene);
	for (long failing = 0; CAN_FAIL && error == -ENOMEM; failing++) {
		fail_allocation(failing);
		error = ctd_rollup_make(plan, &scene.interval, scene.identities,
					&scene.rollup_options, &rollup);
		fail_allocation(-1);
		assert_int_equal(rollup.rows_count, error ? 0 : 4);
		assert_true(!error || error == -ENOMEM);
	}
	ctd_rollup_free(&rollup);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_are_integers_and_nodes_have_whole_slots),
		cmocka_unit_test(the_sum_of_rows_is_one_more_row),
		cmocka_unit_test(an_interval_of_other_counters_does_not_fit),
		cmocka_unit_test(without_memory_there_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
