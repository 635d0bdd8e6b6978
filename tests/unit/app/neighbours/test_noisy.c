/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_noisy.c - a row is marked by a tag whose victim it is. */
#include "app/neighbours/noisy.h"

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

/* Those tags, or none. */
static struct ctd_noisy_tags take(bool judged, uint64_t sample_period_ns)
{
	struct ctd_remote_tags remote = {
		.judged = judged,
		.sample_period_ns = sample_period_ns,
		.verdicts = {.tags = tags,
			     .tags_count = judged ? sizeof(tags) / sizeof(*tags) : 0}};
	struct ctd_noisy_tags taken;

	ctd_noisy_take(&remote, &taken);
	return taken;
}

static void a_row_has_the_first_mechanism_that_is_others_doing(void **state)
{
	struct ctd_report_row rows[] = {
		{.identity = &web}, {.identity = &db}, {.identity = &batch}, {.identity = NULL}};
	struct ctd_report report = {.by = CTD_GROUP_CONTAINER, .rows = rows, .rows_count = 4};
	struct ctd_noisy_tags taken = take(true, 1);

	(void)state;
	ctd_noisy_mark(&taken, &report);
	assert_true(report.noisy);
	assert_string_equal(rows[0].noisy, "memory");
	for (int i = 1; i < 4; i++)
		assert_string_equal(rows[i].noisy, "");
	ctd_noisy_tags_free(&taken);
}

static void each_of_many_rows_finds_its_tag(void **state)
{
	enum { COUNT = 50 };
	static char paths[COUNT][16];
	static struct ctd_neighbour_names names[COUNT];
	static struct ctd_neighbour_tag many[COUNT];
	static struct ctd_identity identities[COUNT];
	struct ctd_remote_tags remote = {.judged = true,
					 .verdicts = {.tags = many, .tags_count = COUNT}};
	struct ctd_noisy_tags taken;

	(void)state;
	for (int i = 0; i < COUNT; i++) {
		/* In no order. */
		snprintf(paths[i], sizeof(paths[i]), "/c%d", i * 37 % COUNT);
		names[i].cgroup = paths[i];
		identities[i].path = paths[i];
		many[i] = (struct ctd_neighbour_tag){.victim = &names[i],
						     .mechanism = i % 2 ? CTD_MECHANISM_SMT
									: CTD_MECHANISM_MEMORY,
						     .blame = CTD_BLAME_NEIGHBOUR};
	}
	ctd_noisy_take(&remote, &taken);
	for (int i = 0; i < COUNT; i++) {
		struct ctd_report_row row = {.identity = &identities[i]};
		struct ctd_report report = {
			.by = CTD_GROUP_CONTAINER, .rows = &row, .rows_count = 1};

		ctd_noisy_mark(&taken, &report);
		assert_string_equal(row.noisy, i % 2 ? "smt" : "memory");
	}
	ctd_noisy_tags_free(&taken);
}

/* Marks the row of a container, which gets no mark. @return may rows have one? */
static bool leaves_unmarked(enum ctd_group_by by, bool judged, uint64_t sample_period_ns)
{
	struct ctd_report_row row = {.identity = &web};
	struct ctd_report report = {.by = by, .rows = &row, .rows_count = 1};
	struct ctd_noisy_tags taken = take(judged, sample_period_ns);

	ctd_noisy_mark(&taken, &report);
	ctd_noisy_tags_free(&taken);
	assert_null(row.noisy);
	return report.noisy;
}

static void without_an_answer_no_row_is_said_to_be_undisturbed(void **state)
{
	(void)state;
	assert_true(leaves_unmarked(CTD_GROUP_CONTAINER, false, 1));
}

static void rows_of_pods_have_no_mark(void **state)
{
	(void)state;
	assert_false(leaves_unmarked(CTD_GROUP_POD, true, 1));
}

static void without_a_detector_nothing_is_marked(void **state)
{
	(void)state;
	assert_false(leaves_unmarked(CTD_GROUP_CONTAINER, false, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_has_the_first_mechanism_that_is_others_doing),
		cmocka_unit_test(each_of_many_rows_finds_its_tag),
		cmocka_unit_test(without_an_answer_no_row_is_said_to_be_undisturbed),
		cmocka_unit_test(rows_of_pods_have_no_mark),
		cmocka_unit_test(without_a_detector_nothing_is_marked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
