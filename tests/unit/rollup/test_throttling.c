/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_throttling.c - limits belong to the rows that their cgroups are part of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/rollup/scene.h"

#define CONTAINER_A SCENE_POD "/" SCENE_ID_A
#define CONTAINER_B SCENE_POD "/" SCENE_ID_B

static struct ctd_throttling items[] = {
	{2, 50, 1, 10, 900, 0, 70}, /* the pod */
	{3, 100, 20, 3000, 500, 100, 40}, /* a container, whose tasks are in a cgroup below */
	{4, 7, 5, 40, 200, 0, 3}, /* that one, with a limit of its own */
	{5, 10, 9, 8, 300, 0, 50}, /* the other container */
	{9, 1, 1, 1, 1, 0, 0}, /* it did nothing */
};

static void build(struct scene *scene, enum ctd_group_by by)
{
	scene_begin(scene);
	scene_name(scene, 1, "/kubepods/burstable");
	scene_name(scene, 2, SCENE_POD);
	scene_name(scene, 3, CONTAINER_A);
	scene_name(scene, 4, CONTAINER_A "/init.scope");
	scene_name(scene, 5, CONTAINER_B);
	scene_name(scene, 9, "/idle");
	scene_run(scene, CTD_ROW_CGROUP, 4, 10, .2);
	scene_run(scene, CTD_ROW_CGROUP, 5, 30, .6);
	scene->interval.throttlings = (struct ctd_throttlings){items, 5, true};
	scene->rollup_options.by = by;
}

static const struct ctd_throttling *of(const struct ctd_rollup *rollup, size_t row)
{
	assert_true(row < rollup->rows_count);
	assert_true(rollup->rows[row].throttling_known);
	return &rollup->rows[row].throttling;
}

static void a_container_has_its_own_and_those_below(void **state)
{
	struct ctd_rollup rollup;
	struct scene scene;

	(void)state;
	build(&scene, CTD_GROUP_CONTAINER);
	rollup = scene_rollup(&scene);
	assert_int_equal(rollup.rows_count, 2);
	assert_int_equal(of(&rollup, 0)->periods, 107);
	assert_int_equal(of(&rollup, 0)->throttled, 25);
	assert_int_equal(of(&rollup, 0)->throttled_ns, 3040);
	/* The limit within is no further time. */
	assert_int_equal(of(&rollup, 0)->limit_ns, 500);
	assert_int_equal(of(&rollup, 0)->request_ns, 100);
	assert_int_equal(of(&rollup, 0)->weight, 40);
	assert_int_equal(of(&rollup, 1)->limit_ns, 300);
	ctd_rollup_free(&rollup);
	scene_end(&scene);
}

static void a_pods_limit_is_its_own_or_the_sum_of_its_containers(void **state)
{
	struct ctd_rollup rollup;
	struct scene scene;

	(void)state;
	build(&scene, CTD_GROUP_POD);
	rollup = scene_rollup(&scene);
	assert_int_equal(rollup.rows_count, 1);
	assert_int_equal(of(&rollup, 0)->periods, 167);
	assert_int_equal(of(&rollup, 0)->limit_ns, 900);
	ctd_rollup_free(&rollup);
	scene.interval.throttlings.items++;
	scene.interval.throttlings.count--;
	rollup = scene_rollup(&scene);
	assert_int_equal(of(&rollup, 0)->limit_ns, 800);
	ctd_rollup_free(&rollup);
	scene_end(&scene);
}

static void a_cgroup_has_its_own_alone_and_what_is_hidden_none(void **state)
{
	struct ctd_rollup rollup;
	struct scene scene;

	(void)state;
	build(&scene, CTD_GROUP_CGROUP);
	rollup = scene_rollup(&scene);
	assert_int_equal(rollup.rows_count, 2);
	assert_int_equal(of(&rollup, 0)->periods, 7);
	assert_int_equal(of(&rollup, 0)->limit_ns, 200);
	ctd_rollup_free(&rollup);
	scene.rollup_options.cgroup_glob = CONTAINER_B;
	rollup = scene_rollup(&scene);
	assert_int_equal(rollup.rows_count, 1);
	assert_int_equal(of(&rollup, 0)->periods, 10);
	ctd_rollup_free(&rollup);
	scene_end(&scene);
}

static void limits_of_several_pods_are_no_limit(void **state)
{
	struct ctd_rollup rollup;
	struct scene scene;

	(void)state;
	build(&scene, CTD_GROUP_NAMESPACE);
	rollup = scene_rollup(&scene);
	assert_int_equal(of(&rollup, 0)->limit_ns, 0);
	assert_int_equal(of(&rollup, 0)->weight, 0);
	ctd_rollup_free(&rollup);
	scene_end(&scene);
}

/* The next one that stopped anything: neither the container's own nor one that never did. */
static void what_waits_for_a_limit_knows_whose_above_it_that_is(void **state)
{
	static struct ctd_throttling limits[] = {
		{1, 50, 4, 10, 8000, 0, 0}, /* all pods of a class */
		{2, 50, 1, 10, 900, 0, 70}, /* the pod */
		{3, 100, 20, 3000, 500, 100, 40}, /* a container */
		{4, 100, 20, 3000, 200, 0, 40}, /* within it */
	};
	struct ctd_waits waits[2] = {{.ns[CTD_WAIT_THROTTLED] = 5}, {.ns[CTD_WAIT_OWN] = 5}};
	struct ctd_rollup rollup;
	struct scene scene;

	(void)state;
	build(&scene, CTD_GROUP_CONTAINER);
	scene.interval.throttlings = (struct ctd_throttlings){limits, 4, true};
	scene.interval.has_waits = true;
	for (size_t i = 0; i < 2; i++)
		scene.rows[i].waits = &waits[i];
	rollup = scene_rollup(&scene);
	assert_int_equal(rollup.rows[0].above_bytes, strlen(SCENE_POD));
	assert_int_equal(rollup.rows[0].above_limit_ns, 900);
	/* That one waited for its own tasks. */
	assert_int_equal(rollup.rows[1].above_bytes, 0);
	ctd_rollup_free(&rollup);
	limits[1].throttled = 0;
	rollup = scene_rollup(&scene);
	assert_int_equal(rollup.rows[0].above_bytes, strlen("/kubepods/burstable"));
	assert_int_equal(rollup.rows[0].above_limit_ns, 8000);
	ctd_rollup_free(&rollup);
	limits[0].throttled = 0;
	rollup = scene_rollup(&scene);
	assert_int_equal(rollup.rows[0].above_bytes, 0);
	ctd_rollup_free(&rollup);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_container_has_its_own_and_those_below),
		cmocka_unit_test(a_pods_limit_is_its_own_or_the_sum_of_its_containers),
		cmocka_unit_test(a_cgroup_has_its_own_alone_and_what_is_hidden_none),
		cmocka_unit_test(limits_of_several_pods_are_no_limit),
		cmocka_unit_test(what_waits_for_a_limit_knows_whose_above_it_that_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
