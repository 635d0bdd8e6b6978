/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_vendor_count.c - what has no room for all groups of vendors' metrics is warned of. */
#include "app/vendor_count.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/pmu/capture.h"

#define MS 1000000ull

static void an_interval_without_room_for_all_groups_is_warned_of(void **state)
{
	static const struct {
		int line, groups, others;
		uint64_t interval_ns;
		const char *wanted;
	} cases[] = {
		{__LINE__, 7, 0, 100 * MS,
		 "cgtopdown: warning: intervals of 0.1 s are too short for 7 groups of counters to rotate: each has the metrics of one group, and '-' for the others; with -i 0.14 or longer each has all\n"},
		{__LINE__, 7, 0, 140 * MS, ""},
		{__LINE__, 7, 1, 140 * MS,
		 "cgtopdown: warning: intervals of 0.14 s are too short for the 8 steps in which groups of counters rotate: not each has all of the vendor's metrics; with -i 0.16 or longer each has all\n"},
		{__LINE__, 51, 0, 1000 * MS,
		 "cgtopdown: warning: intervals of 1 s are too short for 51 groups of counters to rotate: each has the metrics of one group, and '-' for the others; with -i 1.02 or longer each has all\n"},
		{__LINE__, 50, 0, 1000 * MS, ""},
		{__LINE__, 1, 0, MS, ""},
		{__LINE__, 0, 0, MS, ""},
		{__LINE__, 64, 0, UINT64_MAX, ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_vendor_counting counting = {.rotation.groups_count = cases[i].groups};
		const struct ctd_vendor_count_run run = {
			.countings = {.core_types_count = 1, .of = {&counting}}};
		struct capture capture;
		const char *text;

		capture_begin(&capture);
		ctd_vendor_count_check_interval(&run, cases[i].others, cases[i].interval_ns);
		text = capture_end(&capture);
		if (strcmp(text, cases[i].wanted) != 0)
			fail_msg("line %d: '%s'", cases[i].line, text);
	}
}

static void a_command_that_ended_before_all_had_a_turn_is_warned_of(void **state)
{
	struct ctd_vendor_counting counting = {.rotation.groups_count = 7};
	const struct ctd_vendor_count_run run = {
		.countings = {.core_types_count = 1, .of = {&counting}}};
	struct capture capture;

	(void)state;
	capture_begin(&capture);
	ctd_vendor_count_check_command(&run, 600 * MS);
	assert_string_equal(
		capture_end(&capture),
		"cgtopdown: warning: the command ended before each of 7 groups of counters had counted for 0.1 s: metrics of the others are '-'; fewer metrics take fewer groups\n");
	capture_begin(&capture);
	ctd_vendor_count_check_command(&run, 601 * MS);
	counting.rotation.groups_count = 1;
	ctd_vendor_count_check_command(&run, MS);
	assert_string_equal(capture_end(&capture), "");
}

/* Of a round half at least, whatever the vendor's number. */
static void the_tree_has_half_of_the_steps(void **state)
{
	static const struct {
		int groups, others, want;
	} cases[] = {{1, 1, 1}, {7, 1, 7}, {7, 2, 4}, {1, 2, 1}, {59, 1, 59}, {59, 5, 12}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_vendor_counting counting = {.rotation.groups_count = cases[i].groups};
		const struct ctd_vendor_count_run run = {
			.countings = {.core_types_count = 1, .of = {&counting}}};
		int steps = ctd_vendor_count_tree_steps(&run, cases[i].others);

		assert_int_equal(steps, cases[i].want);
		assert_true(steps * cases[i].others >= cases[i].groups);
	}
}

static void many_series_are_warned_of(void **state)
{
	struct ctd_vendor_counted metrics[100] = {0};
	struct ctd_vendor_counting counting = {.metrics = metrics, .metrics_count = 100};
	const struct ctd_vendor_count_run run = {
		.countings = {.core_types_count = 1, .of = {&counting}}};
	struct capture capture;

	(void)state;
	capture_begin(&capture);
	ctd_vendor_count_check_series(&run, 2000);
	assert_string_equal(capture_end(&capture), "");
	capture_begin(&capture);
	ctd_vendor_count_check_series(&run, 2001);
	assert_string_equal(
		capture_end(&capture),
		"cgtopdown: warning: --metrics-dir: 100 series of each row are up to 200100 with --accounts-max 2001, some 130 bytes each in every scrape: leave out metrics by --metrics or --level, or take a lower --accounts-max\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_interval_without_room_for_all_groups_is_warned_of),
		cmocka_unit_test(many_series_are_warned_of),
		cmocka_unit_test(the_tree_has_half_of_the_steps),
		cmocka_unit_test(a_command_that_ended_before_all_had_a_turn_is_warned_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
