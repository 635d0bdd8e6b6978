/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_top.c - what is cut off stays in the sum. */
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
	for (uint64_t id = 1; id <= 5; id++)
		scene_run(scene, CTD_ROW_CGROUP, id, 10 * id, .1 * (double)id);
	scene_run(scene, CTD_ROW_KERNEL, 0, 7, .1);
	scene_run(scene, CTD_ROW_IDLE, 0, 90, .1);
}

static void the_rest_is_one_row_before_kernel_and_idle(void **state)
{
	struct scene scene;

	(void)state;
	build(&scene);
	scene.options.top = 2;
	struct ctd_report report = scene_report(&scene);
	const struct ctd_report_row *more = &report.rows[2];

	assert_string_equal(scene_names(&report), "cgroup:5 cgroup:4 (3 more) (kernel) (idle)");
	assert_int_equal(more->kind, CTD_ROLLUP_OTHER);
	assert_true(more->hidden_sum);
	assert_true(report.filtered);
	assert_int_equal(more->slots, 60 * SCENE_SLOTS_PER_MS);
	assert_int_equal(more->cpu_ns, 60000000);
	/* (10 * 0.1 + 20 * 0.2 + 30 * 0.3) / 60 */
	assert_float_equal(more->values[3].ratio, 14. / 60, 1e-6);
	ctd_report_free(&report);
	scene_end(&scene);
}

static void nothing_is_added_where_nothing_is_cut(void **state)
{
	struct scene scene;

	(void)state;
	build(&scene);
	for (int top = 0; top <= 6; top += 5) {
		scene.options.top = top;
		struct ctd_report report = scene_report(&scene);

		assert_int_equal(report.rows_count, 7);
		assert_false(report.filtered);
		ctd_report_free(&report);
	}
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rest_is_one_row_before_kernel_and_idle),
		cmocka_unit_test(nothing_is_added_where_nothing_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
