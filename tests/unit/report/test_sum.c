/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_sum.c - all rows are added up once, and idle time is no work. */
#include <cgtopdown/report.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct ctd_cpu_model model = {.name = "made", .nodes_count = 2};

#define KNOWN(value)            \
	{                       \
		(value), CTD_OK \
	}
#define ROW(...)                          \
	{                                 \
		.parent = -1, __VA_ARGS__ \
	}

static struct ctd_report_sum add_up(struct ctd_report_row *rows, size_t count)
{
	const struct ctd_report report = {.model = &model, .rows = rows, .rows_count = count};
	struct ctd_report_sum sum;

	ctd_report_add_up(&report, &sum);
	return sum;
}

static void ratios_are_of_the_slots_of_which_they_are_known(void **state)
{
	struct ctd_report_row rows[] = {
		ROW(.cpu_ns = 10, .slots_known = true, .slots = 100,
		    .values = {KNOWN(0.5), KNOWN(0.25)}),
		ROW(.cpu_ns = 20, .slots_known = true, .slots = 300,
		    .values = {KNOWN(0.1), {.quality = CTD_NO_DATA}}),
		ROW(.cpu_ns = 5, .values = {{.quality = CTD_NO_DATA}, {.quality = CTD_NO_DATA}}),
		ROW(.kind = CTD_ROLLUP_IDLE, .cpu_ns = 1000, .slots_known = true, .slots = 5000,
		    .values = {KNOWN(1), KNOWN(1)}),
	};
	struct ctd_report_sum sum = add_up(rows, 4);

	(void)state;
	assert_int_equal(sum.rows_count, 3);
	assert_int_equal(sum.cpu_ns, 35);
	assert_int_equal(sum.idle_ns, 1000);
	assert_true(sum.known);
	assert_true(sum.values[0].ratio == (50. + 30) / 400);
	assert_true(sum.values[1].ratio == 0.25);
	assert_int_equal(sum.values[0].quality, CTD_OK);
}

static void a_node_that_no_row_counts_is_no_zero(void **state)
{
	struct ctd_report_row row = ROW(.slots_known = true, .slots = 100,
					.values = {KNOWN(0), {.quality = CTD_UNSUPPORTED}});
	struct ctd_report_sum sum = add_up(&row, 1);

	(void)state;
	assert_true(sum.known);
	assert_true(ctd_value_known(sum.values[0]) && sum.values[0].ratio == 0);
	assert_false(ctd_value_known(sum.values[1]));
}

/* A row of all core types is the sum of those after it, and in a tree a row has those below it. */
static void nothing_is_added_twice(void **state)
{
	static char root[] = "/", below[] = "/a", beside[] = "/b", in_it[] = "/b/c";
	struct ctd_report_row rows[] = {
		ROW(.name = root, .core_sum = true, .cpu_ns = 30),
		ROW(.name = root, .cpu_ns = 10),
		ROW(.name = root, .cpu_ns = 20),
		ROW(.name = below, .core_sum = true, .cpu_ns = 12),
		ROW(.name = below, .cpu_ns = 5),
		ROW(.name = below, .cpu_ns = 7),
		ROW(.name = below, .cpu_ns = 3),
		ROW(.name = beside, .cpu_ns = 7),
		ROW(.name = in_it, .cpu_ns = 5),
	};
	struct ctd_report_sum sum;

	(void)state;
	rows[1].parent = rows[2].parent = rows[3].parent = rows[6].parent = 0;
	rows[4].parent = rows[5].parent = 3;
	rows[8].parent = 7;
	sum = add_up(rows, 9);
	assert_int_equal(sum.cpu_ns, 37);
	assert_false(sum.known);
	/* Without a tree those of core types follow their sum. */
	for (int i = 0; i < 9; i++)
		rows[i].parent = -1;
	assert_int_equal(add_up(rows, 3).cpu_ns, 30);
}

static void a_quality_of_few_slots_is_not_that_of_all(void **state)
{
	struct ctd_report_row rows[] = {
		ROW(.slots_known = true, .slots = 1000, .quality = CTD_SCALED),
		ROW(.slots_known = true, .slots = 9, .quality = CTD_LOW_CONFIDENCE),
	};

	(void)state;
	assert_int_equal(add_up(rows, 2).values[0].quality, CTD_SCALED);
	rows[1].slots = 11;
	assert_int_equal(add_up(rows, 2).values[0].quality, CTD_LOW_CONFIDENCE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ratios_are_of_the_slots_of_which_they_are_known),
		cmocka_unit_test(a_node_that_no_row_counts_is_no_zero),
		cmocka_unit_test(nothing_is_added_twice),
		cmocka_unit_test(a_quality_of_few_slots_is_not_that_of_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
