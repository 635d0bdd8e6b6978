/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_pairs.c - a report says of each row which others it waited behind, and of those cut off as
 * one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/rollup/scene.h"

static struct ctd_report report_of(struct scene *scene, int top)
{
	static struct ctd_pair items[] = {{1, 2, 10, 1, 1, 1, 0},
					  {1, 3, 20, 2, 0, 1, 0},
					  {1, 4, 15, 1, 0, 1, 0},
					  {2, 1, 9, 1, 1, 1, 0},
					  {3, 4, 8, 1, 0, 1, 0}};
	static const char *const names[] = {"/a", "/b", "/c", "/d"};

	scene_begin(scene);
	for (uint64_t id = 1; id <= 4; id++) {
		scene_name(scene, id, names[id - 1]);
		scene_run(scene, CTD_ROW_CGROUP, id, 100 - 10 * id, .5);
	}
	scene->interval.pairs = (struct ctd_pairs){items, sizeof(items) / sizeof(*items)};
	scene->interval.has_waits = true;
	scene->options.waits = true;
	scene->options.top = top;
	return scene_report(scene);
}

static void assert_pair(const struct ctd_report *report, size_t at, const char *victim,
			const char *other, uint64_t wait_ns)
{
	const struct ctd_pair *pair = &report->pairs.items[at];

	assert_string_equal(report->rows[pair->victim_id].name, victim);
	assert_string_equal(report->rows[pair->occupier_id].name, other);
	assert_int_equal(pair->wait_ns, wait_ns);
}

static void those_of_one_victim_stand_together_the_longest_first(void **state)
{
	struct scene scene;
	struct ctd_report report = report_of(&scene, 0);

	(void)state;
	assert_int_equal(report.pairs.count, 5);
	assert_pair(&report, 0, "/a", "/c", 20);
	assert_pair(&report, 1, "/a", "/d", 15);
	assert_pair(&report, 2, "/a", "/b", 10);
	assert_pair(&report, 3, "/b", "/a", 9);
	assert_pair(&report, 4, "/c", "/d", 8);
	ctd_report_free(&report);
	scene_end(&scene);
}

static void rows_that_are_cut_off_are_one(void **state)
{
	struct scene scene;
	struct ctd_report report = report_of(&scene, 2);

	(void)state;
	assert_int_equal(report.pairs.count, 3);
	assert_pair(&report, 0, "/a", "(2 more)", 35);
	assert_int_equal(report.pairs.items[0].waits, 3);
	assert_pair(&report, 1, "/a", "/b", 10);
	assert_pair(&report, 2, "/b", "/a", 9);
	ctd_report_free(&report);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(those_of_one_victim_stand_together_the_longest_first),
		cmocka_unit_test(rows_that_are_cut_off_are_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
