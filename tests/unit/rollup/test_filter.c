/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_filter.c - which rows are seen. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rollup/key.h"
#include "unit/rollup/scene.h"

static void build(struct scene *scene)
{
	scene_begin(scene);
	scene_name(scene, 1, "/");
	scene_name(scene, 2, "/a");
	scene_name(scene, 3, "/a/b");
	scene_name(scene, 4, "/ab");
	/* Its parent "/a/x" was never seen. */
	scene_name(scene, 5, "/a/x/y");
	for (uint64_t id = 1; id <= 6; id++)
		scene_run(scene, CTD_ROW_CGROUP, id, 10 * id, .1);
	scene_run(scene, CTD_ROW_KERNEL, 0, 5, .1);
	scene_run(scene, CTD_ROW_IDLE, 0, 5, .1);
}

static void rows_are_filtered_by_path_and_by_descent(void **state)
{
	static const struct {
		int line;
		const char *glob;
		uint64_t only;
		const char *names;
	} cases[] = {
		{__LINE__, NULL, 0, "cgroup:6 /a/x/y /ab /a/b /a / (kernel) (idle)"},
		{__LINE__, "/a/*", 0, "/a/x/y /a/b"},
		{__LINE__, "*b", 0, "/ab /a/b"},
		{__LINE__, "*", 0, "/a/x/y /ab /a/b /a /"},
		{__LINE__, NULL, 2, "/a/x/y /a/b /a"},
		{__LINE__, NULL, 1, "/a/x/y /ab /a/b /a /"},
		{__LINE__, NULL, 6, "cgroup:6"},
		{__LINE__, NULL, 7, ""},
		{__LINE__, "*y", 2, "/a/x/y"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct scene scene;

		build(&scene);
		scene.rollup_options.cgroup_glob = cases[i].glob;
		scene.rollup_options.cgroup_id_only = cases[i].only;
		struct ctd_report report = scene_report(&scene);

		if (strcmp(scene_names(&report), cases[i].names) != 0)
			fail_msg("line %d: %s", cases[i].line, scene_names(&report));
		assert_int_equal(report.filtered, i > 0);
		ctd_report_free(&report);
		scene_end(&scene);
	}
}

static void totals_cover_hidden_rows(void **state)
{
	struct scene scene;

	(void)state;
	build(&scene);
	struct ctd_report all = scene_report(&scene);

	scene.rollup_options.cgroup_glob = "/nothing";
	struct ctd_report none = scene_report(&scene);

	assert_int_equal(none.rows_count, 0);
	assert_true(all.totals.slots > 0);
	assert_int_equal(none.totals.slots, all.totals.slots);
	assert_int_equal(none.totals.idle_slots, all.totals.idle_slots);
	ctd_report_free(&all);
	ctd_report_free(&none);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_filtered_by_path_and_by_descent),
		cmocka_unit_test(totals_cover_hidden_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
