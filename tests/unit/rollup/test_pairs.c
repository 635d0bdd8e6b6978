/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_pairs.c - pairs of cgroups are added up by the rows that these belong to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene.h"

/* Two cgroups in a container, one beside it, and one that did nothing. */
static void begin(struct scene *scene, struct ctd_pair *items, size_t count)
{
	scene_begin(scene);
	scene_name(scene, 1, SCENE_POD "/" SCENE_ID_A "/one");
	scene_name(scene, 2, SCENE_POD "/" SCENE_ID_A "/two");
	scene_name(scene, 3, "/system.slice/ssh.service");
	for (uint64_t id = 1; id <= 3; id++)
		scene_run(scene, CTD_ROW_CGROUP, id, 10, .5);
	scene_run(scene, CTD_ROW_KERNEL, 0, 10, .5);
	scene->interval.pairs = (struct ctd_pairs){items, count};
}

static void pairs_are_those_of_rows(void **state)
{
	struct ctd_pair items[] = {
		{0, 0, 99, 9, 9, 1, 0}, /* had no room */
		{1, 2, 50, 5, 5, 1, 0}, /* inside the container */
		{1, 3, 10, 1, 1, 1, 0},	   {2, 3, 20, 2, 0, 1, 0}, {3, 1, 4, 1, 0, 1, 0},
		{3, 2, 5, 1, 1, 1, 0},	   {3, 77, 6, 1, 0, 1, 0}, /* behind what has no row in this
								   interval */
		{~1ull, 3, 7, 1, 0, 1, 0}, /* kernel threads behind a cgroup */
	};
	struct ctd_rollup rollup;
	struct scene scene;

	(void)state;
	begin(&scene, items, sizeof(items) / sizeof(*items));
	scene.rollup_options.by = CTD_GROUP_CONTAINER;
	rollup = scene_rollup(&scene);
	assert_int_equal(rollup.pairs.count, 2);
	assert_memory_equal(&rollup.evicted_pairs, &items[0], sizeof(items[0]));
	assert_int_equal(rollup.rows[rollup.pairs.items[0].victim_id].kind, CTD_ROLLUP_CONTAINER);
	assert_int_equal(rollup.rows[rollup.pairs.items[0].occupier_id].cgroup_id, 3);
	assert_int_equal(rollup.pairs.items[0].wait_ns, 30);
	assert_int_equal(rollup.pairs.items[0].waits, 3);
	assert_int_equal(rollup.pairs.items[0].preempted, 1);
	assert_int_equal(rollup.pairs.items[1].victim_id, rollup.pairs.items[0].occupier_id);
	assert_int_equal(rollup.pairs.items[1].wait_ns, 9);
	ctd_rollup_free(&rollup);
	scene.rollup_options.by = CTD_GROUP_CGROUP;
	rollup = scene_rollup(&scene);
	assert_int_equal(rollup.pairs.count, 5);
	assert_memory_equal(&rollup.evicted_pairs, &items[0], sizeof(items[0]));
	ctd_rollup_free(&rollup);
	scene.rollup_options.by = CTD_GROUP_PROCESS;
	rollup = scene_rollup(&scene);
	assert_int_equal(rollup.pairs.count, 0);
	assert_int_equal(rollup.evicted_pairs.wait_ns, 0);
	ctd_rollup_free(&rollup);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_are_those_of_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
