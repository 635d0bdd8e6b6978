/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_show.c - what is shown of snapshots: intervals, sums of steps, or a sentence of what is
 * wrong. */
#include "app/show.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/pmu/capture.h"
#include "unit/vendor/counted.h"

static const struct ctd_record_header header = {.source = "none", .groups_count = 2};

static void a_snapshot_of_another_run_is_named_with_what_to_do(void **state)
{
	struct ctd_snapshot before = {.sequence = 41, .monotonic_ns = 8200000000},
			    after = {.sequence = 2, .monotonic_ns = 3100000000};
	struct ctd_show show = {0};
	struct capture capture;
	const char *text;
	int error;

	(void)state;
	assert_int_equal(ctd_show_plan(&show, &header), 0);
	assert_int_equal(ctd_show_snapshot(&show, &before, NULL), 0);
	capture_begin(&capture);
	error = ctd_show_snapshot(&show, &after, NULL);
	text = capture_end(&capture);
	assert_int_equal(error, -EBADMSG);
	assert_string_equal(
		text,
		"cgtopdown: snapshot 2 (3.100 s, 0 counters) does not follow snapshot 41 (8.200 s, 0 counters): they are of different runs; -n shows the intervals before them\n");
	ctd_show_free(&show);
}

/* Of the first snapshot: behind it a command is run. */
static int sort_by(const char *key, bool silent, struct ctd_vendor_countings *vendor,
		   const struct ctd_record_header *of, const char **ret_text)
{
	struct ctd_show show = {.silent = silent,
				.report_options = {.sort = key, .vendor = vendor}};
	struct ctd_snapshot first = {.monotonic_ns = 1000000000};
	static struct capture capture;
	int error;

	assert_int_equal(ctd_show_plan(&show, of), 0);
	capture_begin(&capture);
	error = ctd_show_snapshot(&show, &first, NULL);
	*ret_text = capture_end(&capture);
	ctd_show_free(&show);
	return error;
}

static void what_rows_cannot_be_sorted_by_is_refused_before_anything_runs(void **state)
{
	static const struct ctd_record_header sim = {
		.source = "sim", .model = "sim", .counters_count = 9, .groups_count = 1};
	static const struct {
		int line;
		const char *key;
		bool of_vendor, of_model, silent;
		const char *want; /* NULL: it is good */
	} cases[] = {
		{__LINE__, NULL, false, false, false, NULL},
		{__LINE__, "cpu", true, false, false, NULL},
		{__LINE__, "first", true, false, false, NULL},
		{__LINE__, "firs", true, false, false, "'first' is meant"},
		{__LINE__, "nmae", true, false, false, "no such column here; use cpu, slots"},
		{__LINE__, "slot", true, false, false, "'slots' is meant"},
		{__LINE__, "beyond", true, false, false, "no such column here"},
		{__LINE__, "first", false, false, false, "no such column here; use cpu, slots"},
		{__LINE__, "memory_bound", false, true, false, NULL},
		{__LINE__, "memory_bond", false, true, false, "'memory_bound' is meant"},
		{__LINE__, "memory_bound", false, false, false, "no such column here"},
		{__LINE__, "ipc", false, true, false, "no such column here"},
		{__LINE__, "memory_bound", false, false, true, NULL},
	};

	(void)state;
	add_two_groups();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *text;
		int error = sort_by(cases[i].key, cases[i].silent,
				    cases[i].of_vendor ? &countings : NULL,
				    cases[i].of_model ? &sim : &header, &text);

		if (error != (cases[i].want ? -EINVAL : 0) ||
		    !strstr(text, cases[i].want ? cases[i].want : ""))
			fail_msg("line %d: %d, %s", cases[i].line, error, text);
	}
}

static void a_metric_that_is_not_counted_is_refused_with_what_counts_it(void **state)
{
	static const struct ctd_record_header sim = {.model = "golden_cove",
						     .counters_count = 5,
						     .groups_count = 1},
					      zen = {.model = "zen4",
						     .counters_count = 5,
						     .groups_count = 1};
	static const struct {
		const char *key;
		const struct ctd_record_header *of;
		const char *want;
	} cases[] = {
		{"memory_bound", &sim,
		 "--sort memory_bound: it is not counted here: stat and record count it with --level 2, if there are enough counters\n"},
		{"memory_bond", &sim, "some of which take --general or --level 2, or"},
		{"ipc", &sim,
		 "--sort ipc: it is not counted here: stat and record count it with --general\n"},
		{"smt_contention", &zen,
		 "--sort smt_contention: it is not counted here: there are not enough counters for it\n"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *text;

		assert_int_equal(sort_by(cases[i].key, false, NULL, cases[i].of, &text), -EINVAL);
		if (!strstr(text, cases[i].want))
			fail_msg("%s", text);
	}
}

/* With the counters that another program takes: a command that runs goes on. */
static void a_column_that_goes_is_told_of_once_and_ends_nothing(void **state)
{
	static const struct ctd_record_header sim = {
		.source = "sim", .model = "sim", .counters_count = 9, .groups_count = 1};
	struct ctd_show show = {.report_options.sort = "memory_bound"};
	struct ctd_snapshot with = {.monotonic_ns = 1000000000},
			    without = {.monotonic_ns = 2000000000},
			    later = {.monotonic_ns = 3000000000};
	struct capture capture;
	const char *text;

	(void)state;
	capture_begin(&capture);
	assert_int_equal(ctd_show_plan(&show, &sim), 0);
	assert_int_equal(ctd_show_snapshot(&show, &with, NULL), 0);
	assert_int_equal(ctd_show_plan(&show, &header), 0);
	assert_int_equal(ctd_show_snapshot(&show, &without, NULL), 0);
	assert_int_equal(ctd_show_plan(&show, &header), 0);
	assert_int_equal(ctd_show_snapshot(&show, &later, NULL), 0);
	text = capture_end(&capture);
	assert_string_equal(
		text,
		"cgtopdown: warning: --sort memory_bound is not counted any more: rows are sorted by CPU time meanwhile\n");
	ctd_show_free(&show);
}

static double shown_s;
static int shown_times;

static int note_window(const struct ctd_sink_options *options, const struct ctd_report *report,
		       bool first)
{
	(void)options;
	assert_int_equal(first, shown_times == 0);
	shown_s = (double)report->window_ns / 1e9;
	shown_times++;
	return 0;
}

static void steps_are_shown_with_the_interval_that_they_are_of_and_no_other(void **state)
{
	static const struct {
		uint64_t at_ns;
		uint32_t in_between;
		int want_times;
		double want_s;
	} cases[] = {
		{1100000000, 1, 0, 0},	 {1250000000, 1, 0, 0},	   {1500000000, 0, 1, 0.5},
		{1600000000, 1, 1, 0.5}, {1750000000, 0, 2, 0.25}, {2750000000, 0, 3, 1},
	};
	static const struct ctd_sink sink = {.name = "test", .write = note_window};
	struct ctd_show show = {.sink = &sink, .report_options = {.sort = "cpu"}};
	struct ctd_snapshot before = {.monotonic_ns = 1000000000, .groups_count = 2};
	bool shown;

	(void)state;
	assert_int_equal(ctd_show_plan(&show, &header), 0);
	assert_int_equal(ctd_show_snapshot(&show, &before, NULL), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_snapshot after = {
			.sequence = i + 1,
			.monotonic_ns = cases[i].at_ns,
			.groups_count = 2,
			.group = i % 2,
			.in_between = cases[i].in_between,
		};

		assert_int_equal(ctd_show_snapshot(&show, &after, &shown), 0);
		assert_int_equal(shown_times, cases[i].want_times);
		assert_true(shown_s == cases[i].want_s);
		assert_int_equal(shown, !cases[i].in_between);
	}
	assert_int_equal(ctd_show_rest(&show, &shown), 0);
	assert_false(shown);
	ctd_show_free(&show);
}

static void a_table_of_all_rows_has_containers_unless_it_is_told_otherwise(void **state)
{
	static char *program[] = {"true", NULL};
	static const struct {
		int line;
		struct ctd_options options;
		enum ctd_group_by want;
	} cases[] = {
		{__LINE__, {.format = "table"}, CTD_GROUP_CONTAINER},
		{__LINE__, {.format = "table", .by_given = true}, CTD_GROUP_CGROUP},
		{__LINE__,
		 {.format = "table", .by_given = true, .by = CTD_GROUP_POD},
		 CTD_GROUP_POD},
		{__LINE__, {.format = "table", .by = CTD_GROUP_TASK}, CTD_GROUP_TASK},
		{__LINE__, {.format = "table", .tree = true}, CTD_GROUP_CGROUP},
		{__LINE__, {.format = "table", .cgroup_glob = "*"}, CTD_GROUP_CGROUP},
		{__LINE__, {.format = "table", .program = program}, CTD_GROUP_CGROUP},
		{__LINE__, {.format = "csv"}, CTD_GROUP_CGROUP},
		{__LINE__, {.format = "jsonl"}, CTD_GROUP_CGROUP},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (ctd_show_rows(&cases[i].options) != cases[i].want)
			fail_msg("line %d: %d", cases[i].line, ctd_show_rows(&cases[i].options));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_snapshot_of_another_run_is_named_with_what_to_do),
		cmocka_unit_test_setup_teardown(
			what_rows_cannot_be_sorted_by_is_refused_before_anything_runs, new_table,
			free_table),
		cmocka_unit_test(a_metric_that_is_not_counted_is_refused_with_what_counts_it),
		cmocka_unit_test(a_column_that_goes_is_told_of_once_and_ends_nothing),
		cmocka_unit_test(steps_are_shown_with_the_interval_that_they_are_of_and_no_other),
		cmocka_unit_test(a_table_of_all_rows_has_containers_unless_it_is_told_otherwise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
