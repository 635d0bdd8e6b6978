/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_tree.c - each cgroup stands for itself and all below it. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/rollup/scene.h"

/* "/" has time of its own; "/a" and "/b" have none. */
static void build(struct scene *scene)
{
	scene_begin(scene);
	scene_name(scene, 1, "/");
	scene_name(scene, 2, "/a");
	scene_name(scene, 3, "/b");
	scene_name(scene, 4, "/a/x");
	scene_name(scene, 5, "/a/y");
	scene_name(scene, 6, "/b/z");
	scene_name(scene, 7, "/idle-cgroup");
	scene_run(scene, CTD_ROW_CGROUP, 1, 1, 0);
	scene_run(scene, CTD_ROW_CGROUP, 4, 10, .2);
	scene_run(scene, CTD_ROW_CGROUP, 5, 30, .6);
	scene_run(scene, CTD_ROW_CGROUP, 6, 20, .4);
	scene_run(scene, CTD_ROW_CGROUP, 9, 5, .4);
	scene_run(scene, CTD_ROW_KERNEL, 0, 5, .1);
	scene_run(scene, CTD_ROW_IDLE, 0, 50, .1);
	scene->rollup_options.tree = true;
}

static void parents_come_first_and_include_their_children(void **state)
{
	static const struct {
		const char *name;
		int depth, parent;
		uint64_t cpu_ms;
		double backend;
	} rows[] = {
		{"/", 0, -1, 61, 28. / 61}, {"/a", 1, 0, 40, .5},	{"/a/y", 2, 1, 30, .6},
		{"/a/x", 2, 1, 10, .2},	    {"/b", 1, 0, 20, .4},	{"/b/z", 2, 4, 20, .4},
		{"cgroup:9", 0, -1, 5, .4}, {"(kernel)", 0, -1, 5, .1}, {"(idle)", 0, -1, 50, .1},
	};
	struct scene scene;

	(void)state;
	build(&scene);
	struct ctd_report report = scene_report(&scene);

	assert_true(report.tree);
	assert_int_equal(report.rows_count, sizeof(rows) / sizeof(rows[0]));
	for (size_t i = 0; i < report.rows_count; i++) {
		assert_string_equal(report.rows[i].name, rows[i].name);
		assert_int_equal(report.rows[i].depth, rows[i].depth);
		assert_int_equal(report.rows[i].parent, rows[i].parent);
		assert_int_equal(report.rows[i].slots, rows[i].cpu_ms * SCENE_SLOTS_PER_MS);
		assert_float_equal(report.rows[i].values[3].ratio, rows[i].backend, 1e-6);
	}
	ctd_report_free(&report);
	scene_end(&scene);
}

static void totals_of_a_tree_are_those_of_the_flat_rows(void **state)
{
	struct scene scene;
	uint64_t topmost = 0;

	(void)state;
	build(&scene);
	struct ctd_report tree = scene_report(&scene);

	scene.rollup_options.tree = false;
	struct ctd_report flat = scene_report(&scene);

	assert_int_equal(tree.totals.slots, flat.totals.slots);
	for (size_t i = 0; i < tree.rows_count; i++)
		if (tree.rows[i].parent < 0)
			topmost += tree.rows[i].slots;
	assert_int_equal(topmost, tree.totals.slots);
	ctd_report_free(&tree);
	ctd_report_free(&flat);
	scene_end(&scene);
}

static void a_tree_below_one_cgroup_begins_there(void **state)
{
	struct scene scene;

	(void)state;
	build(&scene);
	scene.rollup_options.cgroup_id_only = 2;
	struct ctd_report report = scene_report(&scene);

	assert_string_equal(scene_names(&report), "/a /a/y /a/x");
	assert_int_equal(report.rows[0].depth, 0);
	ctd_report_free(&report);
	scene_end(&scene);
}

static void only_cgroups_make_a_tree(void **state)
{
	struct scene scene;

	(void)state;
	build(&scene);
	scene.rollup_options.by = CTD_GROUP_CONTAINER;
	struct ctd_report report = scene_report(&scene);

	assert_false(report.tree);
	assert_int_equal(report.rows_count, 7);
	ctd_report_free(&report);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parents_come_first_and_include_their_children),
		cmocka_unit_test(totals_of_a_tree_are_those_of_the_flat_rows),
		cmocka_unit_test(a_tree_below_one_cgroup_begins_there),
		cmocka_unit_test(only_cgroups_make_a_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
