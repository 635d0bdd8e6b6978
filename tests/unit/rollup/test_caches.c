/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_caches.c - what a row has of all caches is its time, whatever is added up in it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene.h"

#define CACHES 2
#define PARTS (CACHES + 1)
#define MS 1000000ull

static uint64_t cache_ns[SCENE_ROWS_MAX][PARTS];

static void run_on(struct scene *scene, uint64_t id, uint64_t first_ms, uint64_t second_ms)
{
	size_t at = scene->interval.rows_count;
	struct ctd_interval_row *row =
		scene_run(scene, CTD_ROW_CGROUP, id, first_ms + second_ms, .5);

	cache_ns[at][0] = first_ms * MS;
	cache_ns[at][1] = second_ms * MS;
	cache_ns[at][CACHES] = 0;
	row->cache_ns = cache_ns[at];
	scene->interval.caches = (struct ctd_caches){.count = CACHES, .node = {0, 1}};
}

static void build(struct scene *scene, enum ctd_group_by by)
{
	scene_begin(scene);
	scene_name(scene, 2, SCENE_POD);
	scene_name(scene, 3, SCENE_POD "/" SCENE_ID_A);
	scene_name(scene, 4, SCENE_POD "/" SCENE_ID_A "/init.scope");
	scene_name(scene, 5, SCENE_POD "/" SCENE_ID_B);
	run_on(scene, 3, 10, 0);
	run_on(scene, 4, 20, 5);
	run_on(scene, 5, 0, 7);
	scene->rollup_options.by = by;
}

static void assert_ran(const struct ctd_rollup_part *part, uint64_t first_ms, uint64_t second_ms)
{
	assert_int_equal(part->cache_parts, PARTS);
	assert_int_equal(part->cache_ns[0], first_ms * MS);
	assert_int_equal(part->cache_ns[1], second_ms * MS);
	assert_int_equal(part->cache_ns[CACHES], 0);
	assert_int_equal(part->cpu_ns, (first_ms + second_ms) * MS);
}

static void rows_are_added_up_by_cache(void **state)
{
	struct ctd_rollup rollup;
	struct scene scene;
	const bool both[] = {true, true};

	(void)state;
	build(&scene, CTD_GROUP_CONTAINER);
	rollup = scene_rollup(&scene);
	assert_int_equal(rollup.caches.count, CACHES);
	assert_int_equal(rollup.rows_count, 2);
	assert_ran(&rollup.rows[0].parts[0], 30, 5);
	assert_ran(&rollup.rows[1].parts[0], 0, 7);
	/* So is the sum of what a report leaves out. */
	assert_ran(&rollup.rows[ctd_rollup_add_sum(&rollup, both)].parts[0], 30, 12);
	ctd_rollup_free(&rollup);
	scene_end(&scene);
	build(&scene, CTD_GROUP_POD);
	rollup = scene_rollup(&scene);
	assert_ran(&rollup.rows[0].parts[0], 30, 12);
	ctd_rollup_free(&rollup);
	scene_end(&scene);
}

static void where_none_are_told_apart_there_are_none(void **state)
{
	struct ctd_rollup rollup;
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	scene_name(&scene, 5, "/a");
	scene_run(&scene, CTD_ROW_CGROUP, 5, 10, .5);
	rollup = scene_rollup(&scene);
	assert_int_equal(rollup.caches.count, 0);
	assert_null(rollup.rows[0].parts[0].cache_ns);
	ctd_rollup_free(&rollup);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_added_up_by_cache),
		cmocka_unit_test(where_none_are_told_apart_there_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
