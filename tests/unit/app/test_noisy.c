/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_noisy.c - a row is marked by a tag whose victim it is. */
#include "app/noisy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct ctd_identity web = {.path = "/pods/web"}, db = {.path = "/pods/db"},
			   batch = {.path = "/batch"};
static const struct ctd_neighbour_names web_names = {.key = "web", .cgroup = "/pods/web"},
					db_names = {.key = "db", .cgroup = "/pods/db"},
					gone_names = {.key = "gone"};
static struct ctd_neighbour_tag tags[] = {
	{.victim = &gone_names, .mechanism = CTD_MECHANISM_SMT},
	{.victim = &web_names, .mechanism = CTD_MECHANISM_THROTTLING, .blame = CTD_BLAME_SELF},
	{.victim = &web_names, .mechanism = CTD_MECHANISM_MEMORY, .blame = CTD_BLAME_NEIGHBOUR},
	{.victim = &web_names, .mechanism = CTD_MECHANISM_RUN_QUEUE, .blame = CTD_BLAME_MACHINE},
	{.victim = &db_names, .mechanism = CTD_MECHANISM_MEMORY, .blame = CTD_BLAME_INPUT},
};
static const struct ctd_remote_tags judged = {
	.judged = true, .verdicts = {.tags = tags, .tags_count = sizeof(tags) / sizeof(*tags)}};

static void a_row_has_the_first_mechanism_that_is_others_doing(void **state)
{
	struct ctd_report_row rows[] = {
		{.identity = &web}, {.identity = &db}, {.identity = &batch}, {.identity = NULL}};
	struct ctd_report report = {.by = CTD_GROUP_CONTAINER, .rows = rows, .rows_count = 4};

	(void)state;
	ctd_noisy_mark_by(&judged, &report);
	assert_true(report.noisy);
	assert_string_equal(rows[0].noisy, "memory");
	for (int i = 1; i < 4; i++)
		assert_string_equal(rows[i].noisy, "");
}

static void without_an_answer_no_row_is_said_to_be_undisturbed(void **state)
{
	struct ctd_report_row row = {.identity = &web};
	struct ctd_remote_tags unknown = {0};
	struct ctd_report report = {.by = CTD_GROUP_CONTAINER, .rows = &row, .rows_count = 1};

	(void)state;
	ctd_noisy_mark_by(&unknown, &report);
	assert_true(report.noisy);
	assert_null(row.noisy);
}

static void rows_of_pods_have_no_mark(void **state)
{
	struct ctd_report_row row = {.identity = &web};
	struct ctd_report report = {.by = CTD_GROUP_POD, .rows = &row, .rows_count = 1};

	(void)state;
	ctd_noisy_mark_by(&judged, &report);
	assert_false(report.noisy);
}

static void without_a_detector_nothing_is_marked(void **state)
{
	struct ctd_report report = {.by = CTD_GROUP_CONTAINER};

	(void)state;
	ctd_noisy_mark(NULL, &report);
	assert_false(report.noisy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_has_the_first_mechanism_that_is_others_doing),
		cmocka_unit_test(without_an_answer_no_row_is_said_to_be_undisturbed),
		cmocka_unit_test(rows_of_pods_have_no_mark),
		cmocka_unit_test(without_a_detector_nothing_is_marked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
