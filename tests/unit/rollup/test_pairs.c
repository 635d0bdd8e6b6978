/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_pairs.c - pairs of cgroups are added up by the rows that these belong to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hybrid.h"

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

/* The sum of the row's core types. */
static struct ctd_waits waits_of(const struct ctd_rollup *rollup, enum ctd_rollup_kind kind)
{
	struct ctd_waits sum = {};

	for (size_t i = 0; i < rollup->rows_count; i++)
		for (int type = 0; type < rollup->plan->core_types_count; type++)
			if (rollup->rows[i].kind == kind)
				ctd_waits_add(&sum, rollup->rows[i].parts[type].waits);
	return sum;
}

static void set_waits(struct scene *scene, struct ctd_waits *waits)
{
	for (size_t i = 0; i < scene->interval.rows_count; i++)
		scene->rows[i].waits = &waits[i];
	scene->interval.has_waits = true;
}

static void what_cgroups_of_a_row_wait_for_each_other_is_its_own(void **state)
{
	struct ctd_pair items[] = {
		{1, 2, 50, 5, 5, 1, 0}, {2, 1, 20, 2, 1, 1, 0}, {1, 3, 10, 1, 2, 1, 0}};
	/* Of the first one 7 ns have lost their pair, as there was no room. */
	struct ctd_waits waits[] = {
		{.ns = {3, 67, 4}, .preempted = 9, .preempted_by_other = 7, .preempted_others = 1},
		{.ns = {1, 20, 0}, .preempted = 1, .preempted_by_other = 1, .preempted_others = 5},
		{.ns = {0, 30, 0}, .preempted_others = 2},
		{},
	};
	struct ctd_rollup rollup;
	struct ctd_waits sum;
	struct scene scene;

	(void)state;
	begin(&scene, items, sizeof(items) / sizeof(*items));
	set_waits(&scene, waits);
	scene.rollup_options.by = CTD_GROUP_CONTAINER;
	rollup = scene_rollup(&scene);
	sum = waits_of(&rollup, CTD_ROLLUP_CONTAINER);
	assert_int_equal(sum.ns[CTD_WAIT_OWN], 4 + 70);
	assert_int_equal(sum.ns[CTD_WAIT_OTHER], 10 + 7);
	assert_int_equal(sum.ns[CTD_WAIT_KERNEL], 4);
	assert_int_equal(sum.preempted, 10);
	assert_int_equal(sum.preempted_by_other, 2);
	assert_int_equal(sum.preempted_others, 0);
	sum = waits_of(&rollup, CTD_ROLLUP_CGROUP);
	assert_int_equal(sum.ns[CTD_WAIT_OTHER], 30);
	assert_int_equal(sum.preempted_others, 2);
	ctd_rollup_free(&rollup);
	/* There each is a row. */
	scene.rollup_options.by = CTD_GROUP_CGROUP;
	rollup = scene_rollup(&scene);
	sum = waits_of(&rollup, CTD_ROLLUP_CGROUP);
	assert_int_equal(sum.ns[CTD_WAIT_OWN], 4);
	assert_int_equal(sum.ns[CTD_WAIT_OTHER], 117);
	assert_int_equal(sum.preempted_by_other, 8);
	ctd_rollup_free(&rollup);
	scene_end(&scene);
}

/* As where waits were not counted in the interval's first part. */
static void no_more_is_its_own_than_it_waited(void **state)
{
	struct ctd_pair items[] = {{1, 2, 50, 5, 5, 1, 0}};
	struct ctd_waits waits[4] = {{.ns = {3, 40, 4}, .preempted_by_other = 2}};
	struct ctd_rollup rollup;
	struct ctd_waits sum;
	struct scene scene;

	(void)state;
	begin(&scene, items, sizeof(items) / sizeof(*items));
	scene.rollup_options.by = CTD_GROUP_CONTAINER;
	/* None are known. */
	rollup = scene_rollup(&scene);
	assert_int_equal(rollup.pairs.count, 0);
	ctd_rollup_free(&rollup);
	set_waits(&scene, waits);
	rollup = scene_rollup(&scene);
	sum = waits_of(&rollup, CTD_ROLLUP_CONTAINER);
	assert_int_equal(sum.ns[CTD_WAIT_OWN], 43);
	assert_int_equal(sum.ns[CTD_WAIT_OTHER], 0);
	assert_int_equal(sum.preempted_by_other, 0);
	ctd_rollup_free(&rollup);
	scene_end(&scene);
}

static void where_core_types_differ_each_has_its_part_of_that(void **state)
{
	struct ctd_pair items[] = {{6, 7, 50, 5, 0, 1, 0}};
	struct ctd_waits waits[SCENE_ROWS_MAX] = {};
	const struct ctd_rollup_part *parts = NULL;
	struct ctd_rollup rollup;
	struct scene scene;
	size_t first;

	(void)state;
	hybrid_begin(&scene);
	first = scene.interval.rows_count -= 3; /* those that are idle */
	scene_name(&scene, 6, SCENE_POD "/" SCENE_ID_A "/one");
	scene_name(&scene, 7, SCENE_POD "/" SCENE_ID_A "/two");
	hybrid_run(&scene, CTD_ROW_CGROUP, 6, HYBRID_P, 10);
	hybrid_run(&scene, CTD_ROW_CGROUP, 6, HYBRID_E, 10);
	hybrid_run(&scene, CTD_ROW_CGROUP, 7, HYBRID_P, 10);
	waits[first].ns[CTD_WAIT_OTHER] = 30;
	waits[first + 1].ns[CTD_WAIT_OTHER] = 90;
	set_waits(&scene, waits);
	scene.interval.pairs = (struct ctd_pairs){items, 1};
	scene.rollup_options.by = CTD_GROUP_CONTAINER;
	rollup = scene_rollup(&scene);
	for (size_t i = 0; i < rollup.rows_count; i++)
		if (rollup.rows[i].kind == CTD_ROLLUP_CONTAINER)
			parts = rollup.rows[i].parts;
	assert_non_null(parts);
	assert_int_equal(parts[HYBRID_P].waits->ns[CTD_WAIT_OWN], 12);
	assert_int_equal(parts[HYBRID_P].waits->ns[CTD_WAIT_OTHER], 18);
	assert_int_equal(parts[HYBRID_E].waits->ns[CTD_WAIT_OWN], 38);
	assert_int_equal(parts[HYBRID_E].waits->ns[CTD_WAIT_OTHER], 52);
	ctd_rollup_free(&rollup);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_are_those_of_rows),
		cmocka_unit_test(what_cgroups_of_a_row_wait_for_each_other_is_its_own),
		cmocka_unit_test(no_more_is_its_own_than_it_waited),
		cmocka_unit_test(where_core_types_differ_each_has_its_part_of_that),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
