/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_show.c - regions in each format: sorted, cut, and nothing made up. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "app/regions/show.h"
#include "base/auto.h"

/* Level 2; level 1; nothing known; no pass; with a name that is to do harm. */
static struct ctd_region_sum sums[] = {
	{.name = "walk",
	 .now = {.measured = 40,
		 .lost = 2,
		 .measured_ns = 500000000,
		 .lost_ns = 100000000,
		 .nodes_known = 12,
		 .slots = 1000,
		 .whole_slots = 1000,
		 .rounded_slots = 2550,
		 .part = {100, 50, 50, 800, 20, 40, 10, 700}},
	 .why_lost = "the region is too long"},
	{.name = "add",
	 .now = {.measured = 10,
		 .measured_ns = 900000000,
		 .nodes_known = 4,
		 .slots = 12345678901,
		 .whole_slots = 1000,
		 .part = {700, 100, 100, 100}}},
	{.name = "io", .now = {.lost = 7, .lost_ns = 5000000}, .why_lost = "the region is too long"},
	{.name = "never"},
	{.name = "a,\"\033[31m\xff", .now = {.lost = 1}, .why_lost = "\033[2J"},
};

static struct ctd_region_program offering[] = {
	{.pid = 4711,
	 .comm = "worker",
	 .cgroup = "/a/b",
	 .sums = {.items = sums, .count = sizeof(sums) / sizeof(*sums)}},
	{.pid = 12, .comm = "old", .cgroup = "/", .why = "the layout is of version 7"},
};
static const struct ctd_region_programs programs = {.items = offering, .count = 2};

static char text[8192];

static int show(const struct ctd_options *options, bool first)
{
	autofclose FILE *out = fmemopen(text, sizeof(text), "w");
	const struct ctd_sink_options outlet = {.out = out, .width = 80};

	assert_non_null(out);
	memset(text, 0, sizeof(text));
	return ctd_region_show(options, &outlet, &programs, 1000000000, first);
}

/* Of the row of a region, the line from there on. */
static const char *line_of(const char *region, char *ret_line, size_t bytes)
{
	const char *at = strstr(text, region);

	assert_non_null(at);
	snprintf(ret_line, bytes, "%.*s", (int)strcspn(at, "\n"), at);
	return ret_line;
}

static void a_table_has_what_is_known(void **state)
{
	struct ctd_options options = {.format = "table"};
	char line[200];

	(void)state;
	assert_int_equal(show(&options, true), 0);
	assert_non_null(strstr(text, "1.000 s  regions of 1 process, as they count them\n"));
	assert_non_null(strstr(text, "Retiring BadSpec FrontEnd BackEnd"));
	assert_null(strstr(text, "MemBound"));
	assert_string_equal(
		line_of("walk", line, sizeof(line)),
		"walk         worker[4711]    42    2  60.0  1000     10.0     5.0      5.0    80.0 1.0");
	assert_string_equal(
		line_of("io ", line, sizeof(line)),
		"io           worker[4711]     7    7   0.5     -        -       -        -       -   -");
	/* By time; each reason once; nothing acts on a terminal. */
	assert_true(strstr(text, "add ") < strstr(text, "walk "));
	assert_true(strstr(text, "walk ") < strstr(text, "io "));
	assert_null(strstr(text, "never"));
	assert_non_null(strstr(text, "lost of walk: the region is too long\n"));
	assert_null(strstr(text, "lost of io"));
	assert_null(strchr(text, '\033'));
	options.level = 2;
	options.top = 1;
	options.sort = "memory_bound";
	assert_int_equal(show(&options, false), 0);
	assert_non_null(strstr(text, "MemBound"));
	assert_non_null(strstr(text, "(3 more)\n"));
	assert_null(strstr(text, "add "));
	assert_non_null(strstr(text, " 70.0 "));
}

static void csv_has_one_head_and_empty_fields_for_what_is_unknown(void **state)
{
	struct ctd_options options = {.format = "csv", .sort = "name"};
	char line[400];

	(void)state;
	assert_int_equal(show(&options, true), 0);
	assert_memory_equal(text, "time,window_s,region,pid,comm,cgroup,calls,lost,", 48);
	assert_string_equal(
		line_of("walk", line, sizeof(line)),
		"walk,4711,worker,/a/b,42,2,the region is too long,0.600000000,0.100000000,1000,0.100000,0.050000,0.050000,0.800000,0.020000,0.040000,0.010000,0.700000,0.080000,0.010000,0.040000,0.100000,0.010000");
	assert_string_equal(
		line_of("add,", line, sizeof(line)),
		"add,4711,worker,/a/b,10,0,,0.900000000,0.000000000,12345678901,0.700000,0.100000,0.100000,0.100000,,,,,,,,,0.000000");
	assert_string_equal(
		line_of("io,", line, sizeof(line)),
		"io,4711,worker,/a/b,7,7,the region is too long,0.005000000,0.005000000,,,,,,,,,,,,,,");
	assert_true(strstr(text, "add,") < strstr(text, "io,"));
	assert_null(strchr(text, '\033'));
	options.level = 1;
	assert_int_equal(show(&options, false), 0);
	assert_null(strstr(text, "time,"));
	assert_non_null(strstr(text, "0.800000,0.010000\n"));
}

static void json_has_null_for_what_is_unknown_and_what_was_refused(void **state)
{
	struct ctd_options options = {.format = "jsonl", .level = 1, .sort = "slots"};
	static const char *const parts[] = {
		"{\"schema\":\"cgtopdown/regions/1\",\"time\":\"",
		"\"window_s\":1.0,\"rows_left_out\":0,\"rows\":[{\"region\":\"add\",\"pid\":4711,\"comm\":\"worker\",\"cgroup\":\"/a/b\",\"calls\":10,\"lost\":0,\"why_lost\":null,\"time_s\":0.9,\"lost_s\":0.0,\"slots\":12345678901,\"metrics\":{\"retiring\":0.7,\"bad_speculation\":0.1,\"frontend_bound\":0.1,\"backend_bound\":0.1},\"error\":0.0}",
		"{\"region\":\"io\",\"pid\":4711,\"comm\":\"worker\",\"cgroup\":\"/a/b\",\"calls\":7,\"lost\":7,\"why_lost\":\"the region is too long\",\"time_s\":0.005,\"lost_s\":0.005,\"slots\":null,\"metrics\":{\"retiring\":null,\"bad_speculation\":null,\"frontend_bound\":null,\"backend_bound\":null},\"error\":null}",
		"],\"refused\":[{\"pid\":12,\"comm\":\"old\",\"why\":\"the layout is of version 7\"}]}\n",
	};

	(void)state;
	assert_int_equal(show(&options, true), 0);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (!strstr(text, parts[i]))
			fail_msg("%s is not in\n%s", parts[i], text);
	assert_null(strchr(text, '\033'));
}

static void only_figures_of_regions_are_keys(void **state)
{
	static const char *const keys[] = {"cpu", "slots", "name", "retiring", "core_bound", NULL};
	static const char *const others[] = {"ipc", "", "time", "memory"};

	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		assert_true(ctd_region_can_sort(keys[i]));
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		assert_false(ctd_region_can_sort(others[i]));
}

static void what_cannot_be_written_is_told(void **state)
{
	struct ctd_options options = {.format = "nonsense"};

	(void)state;
	assert_int_equal(show(&options, true), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_has_what_is_known),
		cmocka_unit_test(csv_has_one_head_and_empty_fields_for_what_is_unknown),
		cmocka_unit_test(json_has_null_for_what_is_unknown_and_what_was_refused),
		cmocka_unit_test(only_figures_of_regions_are_keys),
		cmocka_unit_test(what_cannot_be_written_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
