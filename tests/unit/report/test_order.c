/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_order.c - siblings follow the sort key, and what is cut off stays in a sum. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/rollup/scene.h"

static void build(struct scene *scene)
{
	scene_begin(scene);
	scene_name(scene, 2, "/a");
	scene_name(scene, 3, "/b");
	scene_name(scene, 4, "/a/x");
	scene_name(scene, 5, "/a/y");
	scene_name(scene, 6, "/b/z");
	scene_name(scene, 7, "/c");
	scene_run(scene, CTD_ROW_CGROUP, 4, 10, .9);
	scene_run(scene, CTD_ROW_CGROUP, 5, 20, .1);
	scene_run(scene, CTD_ROW_CGROUP, 6, 25, .5);
	scene_run(scene, CTD_ROW_CGROUP, 7, 7, .2);
	scene_run(scene, CTD_ROW_IDLE, 0, 50, .1);
	scene->rollup_options.tree = true;
}

static void siblings_are_sorted_and_rows_cut(void **state)
{
	static const struct {
		int line;
		const char *sort;
		int top;
		const char *names;
	} cases[] = {
		{__LINE__, "cpu", 0, "/a /a/y /a/x /b /b/z /c (idle)"},
		{__LINE__, "name", 0, "/a /a/x /a/y /b /b/z /c (idle)"},
		{__LINE__, "backend_bound", 0, "/b /b/z /a /a/x /a/y /c (idle)"},
		/* By CPU: /a 30, /b and /b/z 25, /a/y 20, /a/x 10, /c 7. */
		{__LINE__, "cpu", 1, "/a (2 more) (idle)"},
		{__LINE__, "cpu", 3, "/a /b /b/z (1 more) (idle)"},
		{__LINE__, "cpu", 5, "/a /a/y /a/x /b /b/z (1 more) (idle)"},
		/* The first by ratio is /a/x: what is above it stays too. */
		{__LINE__, "backend_bound", 1, "/a /a/x (2 more) (idle)"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct scene scene;
		uint64_t topmost = 0;

		build(&scene);
		scene.options.sort = cases[i].sort;
		scene.options.top = cases[i].top;
		struct ctd_report report = scene_report(&scene);

		if (strcmp(scene_names(&report), cases[i].names) != 0)
			fail_msg("line %d: %s", cases[i].line, scene_names(&report));
		for (size_t j = 0; j < report.rows_count; j++)
			if (report.rows[j].parent < 0)
				topmost += report.rows[j].slots;
		assert_int_equal(topmost, report.totals.slots);
		assert_int_equal(report.filtered, cases[i].top > 0);
		ctd_report_free(&report);
		scene_end(&scene);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(siblings_are_sorted_and_rows_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
