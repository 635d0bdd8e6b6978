/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_table.c - the table fits, marks what it must, and lets no name through to the terminal. */
#include <errno.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/auto.h"
#include "format/format.h"
#include "golden.h"
#include "unit/sink/sample.h"

extern const struct ctd_sink ctd_sink_table;

static void assert_every_line_fits(const char *text, int width)
{
	autofree char *copy = strdup(text);
	char *rest = copy;

	for (char *line = strsep(&rest, "\n"); rest; line = strsep(&rest, "\n"))
		if (ctd_format_width(line) > width)
			fail_msg("%d columns, not %d: %s", ctd_format_width(line), width, line);
}

static void assert_every_line_has(const char *text, const char *first, const char *second)
{
	autofree char *copy = strdup(text);
	char *rest = copy;

	for (char *line = strsep(&rest, "\n"); rest; line = strsep(&rest, "\n"))
		if (!strstr(line, first) && !strstr(line, second))
			fail_msg("neither %s nor %s: %s", first, second, line);
}

static void tables_are_as_in_the_golden_files(void **state)
{
	static const struct {
		int line;
		const char *name, *source;
		int level, width;
		bool unicode, colour;
	} cases[] = {
		{__LINE__, "table-80-level1.txt", "perf_metrics", 1, 80, true, false},
		{__LINE__, "table-80-level2.txt", "perf_metrics", 2, 80, true, false},
		{__LINE__, "table-80-level1-ascii.txt", "perf_metrics", 1, 80, false, false},
		{__LINE__, "table-80-level2-colour.txt", "perf_metrics", 2, 80, true, true},
		{__LINE__, "table-120-level2.txt", "perf_metrics", 2, 120, true, false},
		{__LINE__, "table-160-level2.txt", "perf_metrics", 2, 160, true, false},
		{__LINE__, "table-80-sim.txt", "sim", 2, 80, true, false},
		{__LINE__, "table-80-none.txt", "none", 0, 80, true, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ctd_report report = sample_report(cases[i].source, cases[i].level);
		autofree char *text = sample_write(&ctd_sink_table, &report, cases[i].width,
						   cases[i].unicode, cases[i].colour);

		golden_compare(cases[i].name, text);
		if (!cases[i].colour)
			assert_every_line_fits(text, cases[i].width);
		ctd_report_free(&report);
	}
}

static void ipc_metrics_have_the_columns_that_fit(void **state)
{
	static const struct {
		const char *name;
		int width, level;
		bool misses;
	} cases[] = {
		{"table-80-general.txt", 80, 1, false},
		{"table-120-general.txt", 120, 1, true},
		{"table-160-general-level2.txt", 160, 2, true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ctd_report report = sample_ipc(cases[i].level);
		autofree char *text =
			sample_write(&ctd_sink_table, &report, cases[i].width, true, false);

		golden_compare(cases[i].name, text);
		assert_every_line_fits(text, cases[i].width);
		assert_non_null(strstr(text, " IPC "));
		assert_non_null(strstr(text, " GHz "));
		assert_int_equal(strstr(text, "LLCMPKI") != NULL, cases[i].misses);
		/* ipc says it already. */
		assert_null(strstr(text, "CPI"));
		ctd_report_free(&report);
	}
}

static void every_line_of_a_simulation_says_so(void **state)
{
	static const int widths[] = {80, 120, 200};

	(void)state;
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		struct ctd_report report = sample_report("sim", 2);
		struct ctd_report empty = sample_empty("sim", 2);
		autofree char *text = sample_write(&ctd_sink_table, &report, widths[i], true, true);
		autofree char *nothing =
			sample_write(&ctd_sink_table, &empty, widths[i], true, false);

		assert_every_line_has(text, "sim", "SIM");
		assert_every_line_has(nothing, "sim", "SIM");
		ctd_report_free(&report);
	}
}

static void without_counters_there_are_no_topdown_columns(void **state)
{
	struct ctd_report report = sample_report("none", 0);
	autofree char *text = sample_write(&ctd_sink_table, &report, 200, true, false);

	(void)state;
	assert_null(strstr(text, "Retiring"));
	assert_null(strstr(text, "BOTTLENECK"));
	assert_null(strstr(text, " - "));
	assert_non_null(strstr(text, "SWITCHES"));
	ctd_report_free(&report);
}

static void vendors_metrics_are_a_tree_of_each_row(void **state)
{
	struct ctd_report report = sample_vendor();
	autofree char *text = sample_write(&ctd_sink_table, &report, 80, true, false);

	(void)state;
	golden_compare("table-80-vendor.txt", text);
	ctd_report_free(&report);
}

static size_t count_of(const char *text, const char *what)
{
	size_t count = 0;

	while ((text = strstr(text, what))) {
		text += strlen(what);
		count++;
	}
	return count;
}

static void rows_that_did_little_have_no_tree_where_others_have_one(void **state)
{
	struct ctd_report report = sample_vendor();
	char *text;

	(void)state;
	/* Just as much, and less. */
	report.rows[1].cpu_ns = report.window_ns / 20;
	report.rows[2].cpu_ns = report.window_ns / 20 - 1;
	text = sample_write(&ctd_sink_table, &report, 80, true, false);
	assert_int_equal(count_of(text, "tma_bound "), 2);
	assert_non_null(strstr(text, "\n1 row of less than 0.05 CPUs: see --format jsonl\n"));
	free(text);
	report.rows[1].cpu_ns = 0;
	text = sample_write(&ctd_sink_table, &report, 80, true, false);
	assert_int_equal(count_of(text, "tma_bound "), 1);
	assert_non_null(strstr(text, "\n2 rows of less than 0.05 CPUs: see --format jsonl\n"));
	free(text);
	/* Better these than none. */
	report.rows[0].cpu_ns = 0;
	text = sample_write(&ctd_sink_table, &report, 80, true, false);
	assert_int_equal(count_of(text, "tma_bound "), 3);
	assert_null(strstr(text, "of less than"));
	free(text);
	ctd_report_free(&report);
}

static int trees_of(const struct ctd_report *report)
{
	autofree char *text = sample_write(&ctd_sink_table, report, 80, true, false);

	return (int)count_of(text, "tma_bound ");
}

static void rows_that_were_asked_for_have_their_tree_however_little_they_did(void **state)
{
	struct ctd_report report = sample_vendor();

	(void)state;
	report.rows[1].kind = CTD_ROLLUP_OTHER;
	report.rows[1].hidden_sum = true;
	report.rows[0].cpu_ns = report.rows[2].cpu_ns = report.window_ns / 100;
	/* Only a sum of others is busy, which hides nothing. */
	assert_int_equal(trees_of(&report), 3);
	/* (kernel) was not asked for. */
	report.chosen = true;
	assert_int_equal(trees_of(&report), 2);
	autofree char *text = sample_write(&ctd_sink_table, &report, 80, true, false);
	assert_non_null(strstr(text, "\n/a\n"));
	assert_non_null(strstr(text, "\n/b\n"));
	assert_non_null(strstr(text, "\n1 row of less than 0.05 CPUs"));
	/* Nor is a sum that did little. */
	report.rows[1].cpu_ns = report.window_ns / 100;
	assert_int_equal(trees_of(&report), 1);
	/* A busy row hides those that nobody asked for. */
	report.rows[0].cpu_ns = report.window_ns / 2;
	report.chosen = false;
	assert_int_equal(trees_of(&report), 1);
	report.rows[2].kind = CTD_ROLLUP_CGROUP;
	assert_int_equal(trees_of(&report), 1);
	report.chosen = true;
	assert_int_equal(trees_of(&report), 2);
	ctd_report_free(&report);
}

static void each_line_of_simulated_trees_says_so(void **state)
{
	struct ctd_report report = sample_vendor();
	char *text, *line, *rest;

	(void)state;
	report.simulated = true;
	report.rows[2].cpu_ns = 0;
	text = sample_write(&ctd_sink_table, &report, 80, true, false);
	assert_non_null(strstr(text, "\nsim *: with mean latencies"));
	assert_non_null(strstr(text, "\nsim Not counted:\nsim   tma_uncore: it is of"));
	rest = strstr(text, "sim METRIC");
	assert_non_null(rest);
	/* Behind the trees is a line of how the measurement is. */
	for (line = strtok_r(rest, "\n", &rest); line && !strstr(line, "switches/s");
	     line = strtok_r(NULL, "\n", &rest))
		if (strncmp(line, "sim ", 4) != 0)
			fail_msg("%s", line);
	free(text);
	ctd_report_free(&report);
}

static void a_drill_shows_the_path_of_each_row(void **state)
{
	struct ctd_report report = sample_drill();
	autofree char *text = sample_write(&ctd_sink_table, &report, 80, true, false);

	(void)state;
	golden_compare("table-80-drill.txt", text);
	ctd_report_free(&report);
}

/* A model has five at most, vendors' metrics up to 64. */
static void any_number_of_groups_is_told(void **state)
{
	static const int counts[] = {2, 6, CTD_ROTATION_GROUPS_MAX};

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		struct ctd_report report = sample_report("none", 0);
		char wanted[32];

		report.source = report.method = "vendor";
		report.groups_count = counts[i];
		autofree char *text = sample_write(&ctd_sink_table, &report, 200, true, false);

		snprintf(wanted, sizeof(wanted), "  rotating %d groups  ", counts[i]);
		if (!strstr(text, wanted))
			fail_msg("no '%s' in %s", wanted, text);
		ctd_report_free(&report);
	}
}

static void what_slows_rows_down_has_a_column_where_there_is_a_detector(void **state)
{
	static const char *const sources[] = {"perf_metrics", "none"};
	static const int widths[] = {80, 120, 160};

	(void)state;
	for (size_t i = 0; i < 6; i++) {
		struct ctd_report report = sample_report(sources[i / 3], i / 3 ? 0 : 2);
		autofree char *text = NULL;

		report.noisy = true;
		report.rows[0].noisy = "run_queue";
		report.rows[1].noisy = "";
		text = sample_write(&ctd_sink_table, &report, widths[i % 3], true, false);
		assert_every_line_fits(text, widths[i % 3]);
		assert_non_null(strstr(text, " NOISY "));
		assert_non_null(strstr(text, " run_queue "));
		/* Of the third it is not known. */
		assert_non_null(strstr(text, " -   "));
		ctd_report_free(&report);
	}
}

static void what_the_budget_gives_up_is_said_below_the_rows(void **state)
{
	struct ctd_report report = sample_report("sim", 1);

	(void)state;
	report.health.budget = (struct ctd_budget_state){.limit_ppm = 5000};
	autofree char *first = sample_write(&ctd_sink_table, &report, 80, true, false);

	assert_non_null(strstr(first, "budget - of 0.5%"));
	assert_null(strstr(first, "given up"));
	report.health.budget = (struct ctd_budget_state){.limit_ppm = 5000,
							 .cost_ns = 71,
							 .capacity_ns = 10000,
							 .given_up = (1 << CTD_BUDGET_PARTS) - 1,
							 .exceeded = 1};
	autofree char *text = sample_write(&ctd_sink_table, &report, 80, true, false);

	assert_non_null(strstr(text, "budget 0.71% of 0.5%, exceeded"));
	assert_non_null(strstr(text, "given up: waits profile_frequency rotation general "
				     "level_2 interval"));
	assert_every_line_fits(text, 80);
	ctd_report_free(&report);
}

static void quality_is_marked_and_unknown_is_a_dash(void **state)
{
	struct ctd_report report = sample_report("perf_metrics", 1);
	autofree char *text = sample_write(&ctd_sink_table, &report, 80, true, false);
	char *getty = strstr(text, "S0.service");

	(void)state;
	assert_non_null(strstr(text, "~52.0"));
	assert_non_null(strstr(text, "?35.0"));
	assert_non_null(getty);
	*strchr(getty, '\n') = '\0';
	assert_non_null(strstr(getty, " - "));
	assert_null(strstr(getty, "0.0"));
	ctd_report_free(&report);
}

static void a_node_that_is_not_counted_is_a_dash_in_the_sum_too(void **state)
{
	struct ctd_report report = sample_report("perf_metrics", 1);
	char *text, *busy;

	(void)state;
	for (size_t i = 0; i < report.rows_count; i++)
		report.rows[i].values[1].quality = CTD_UNSUPPORTED;
	text = sample_write(&ctd_sink_table, &report, 80, true, false);
	busy = strstr(text, "\n(busy) ");
	assert_non_null(busy);
	if (!strstr(busy, "     - ") || strstr(busy, " 0.0 "))
		fail_msg("%s", text);
	free(text);
	ctd_report_free(&report);
}

static void a_tree_shows_branches_and_last_components(void **state)
{
	struct ctd_report report = sample_empty("perf_metrics", 2);
	struct sample_shares shares = {.12, .03, .08, .77, .01, .02, .05, .62};
	static const struct {
		const char *path;
		int parent, depth;
	} rows[] = {
		{"/", -1, 0},
		{"/system.slice", 0, 1},
		{"/system.slice/a.service", 1, 2},
		{"/system.slice/b.service", 1, 2},
		{SAMPLE_POD, 0, 1},
		{SAMPLE_POD "/cri-containerd-" SAMPLE_ID ".scope", 4, 2},
		{SAMPLE_POD "/cri-containerd-" SAMPLE_ID ".scope/init", 5, 3},
	};

	(void)state;
	report.tree = true;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ctd_report_row *row =
			sample_add(&report, CTD_ROLLUP_CGROUP, rows[i].path, 0.5, shares, CTD_OK);

		row->parent = rows[i].parent;
		row->depth = rows[i].depth;
	}
	sample_add(&report, CTD_ROLLUP_IDLE, "(idle)", 0.5, shares, CTD_OK);
	autofree char *text = sample_write(&ctd_sink_table, &report, 80, true, false);
	autofree char *ascii = sample_write(&ctd_sink_table, &report, 80, false, false);

	golden_compare("table-80-tree.txt", text);
	golden_compare("table-80-tree-ascii.txt", ascii);
	assert_every_line_fits(text, 80);
	ctd_report_free(&report);
}

static void hostile_names_reach_no_terminal(void **state)
{
	static const char *const names[] = {
		"/a\033[2J\033]0;owned\007b",
		"/new\nline",
		"/tab\there\r",
		"/bad\xff\xc3utf8",
		"/c1\xc2\x9b"
		"31m",
		"/turn\xe2\x80\xae"
		"ed",
		"/del\x7f",
		"/\\x2d",
		"/wide\xe4\xb8\xad\xe6\x96\x87\xe4\xb8\xad\xe6\x96\x87\xe4\xb8\xad\xe6\x96\x87",
	};
	struct sample_shares shares = {.12, .03, .08, .77, .01, .02, .05, .62};

	(void)state;
	for (int unicode = 0; unicode < 2; unicode++) {
		struct ctd_report report = sample_empty("perf_metrics", 1);

		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			sample_add(&report, CTD_ROLLUP_CGROUP, names[i], 0.1, shares, CTD_OK);
		autofree char *text = sample_write(&ctd_sink_table, &report, 80, unicode, false);

		for (const char *at = text; *at; at++)
			assert_true(*at == '\n' || (unsigned char)*at >= 0x20);
		assert_null(strchr(text, 0x7f));
		assert_null(strstr(text, "\xff"));
		assert_null(strstr(text, "\xc2\x9b"));
		assert_null(strstr(text, "\xe2\x80\xae"));
		assert_non_null(strstr(text, "/\\x2d "));
		assert_non_null(strstr(text, "/new\\x0aline"));
		assert_every_line_fits(text, 80);
		golden_compare(unicode ? "table-80-hostile.txt" : "table-80-hostile-ascii.txt",
			       text);
		ctd_report_free(&report);
	}
}

static void more_switches_than_a_number_holds_are_many(void **state)
{
	struct ctd_report report = sample_report("none", 0);

	(void)state;
	report.window_ns = 1;
	report.health.count[CTD_HEALTH_SWITCHES] = UINT64_MAX;
	autofree char *text = sample_write(&ctd_sink_table, &report, 200, true, false);

	if (!strstr(text, "10.0E switches/s"))
		fail_msg("%s", text);
	ctd_report_free(&report);
}

static void an_empty_interval_is_said_in_words(void **state)
{
	struct ctd_report report = sample_empty("perf_metrics", 1);

	(void)state;
	report.totals.slots_known = false;
	autofree char *text = sample_write(&ctd_sink_table, &report, 80, true, false);

	golden_compare("table-80-empty.txt", text);
}

static void rename_row(struct ctd_report_row *row, const char *name)
{
	free(row->name);
	row->name = strdup(name);
	assert_non_null(row->name);
}

static void the_root_is_its_own_tasks_and_ids_are_short(void **state)
{
	struct ctd_report report = sample_report("perf_metrics", 1);
	autofree char *text = NULL, *tree = NULL;

	(void)state;
	rename_row(&report.rows[0], "/");
	rename_row(&report.rows[1],
		   "/docker/0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef");
	text = sample_write(&ctd_sink_table, &report, 200, true, false);
	assert_non_null(strstr(text, "\n/ (root's own tasks) "));
	assert_non_null(strstr(text, "\n/docker/0123456789ab… "));
	/* In a tree it has what is below it, too. */
	report.tree = true;
	tree = sample_write(&ctd_sink_table, &report, 200, true, false);
	assert_null(strstr(tree, "own tasks"));
	ctd_report_free(&report);
}

static void a_full_disk_is_an_error(void **state)
{
	struct ctd_report report = sample_report("sim", 1);
	FILE *full = fopen("/dev/full", "w");
	struct ctd_sink_options options = {.out = full, .width = 80};

	(void)state;
	assert_non_null(full);
	assert_int_equal(ctd_sink_table.write(&options, &report, true), -ENOSPC);
	fclose(full);
	ctd_report_free(&report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_are_as_in_the_golden_files),
		cmocka_unit_test(ipc_metrics_have_the_columns_that_fit),
		cmocka_unit_test(every_line_of_a_simulation_says_so),
		cmocka_unit_test(without_counters_there_are_no_topdown_columns),
		cmocka_unit_test(a_drill_shows_the_path_of_each_row),
		cmocka_unit_test(vendors_metrics_are_a_tree_of_each_row),
		cmocka_unit_test(rows_that_did_little_have_no_tree_where_others_have_one),
		cmocka_unit_test(rows_that_were_asked_for_have_their_tree_however_little_they_did),
		cmocka_unit_test(each_line_of_simulated_trees_says_so),
		cmocka_unit_test(any_number_of_groups_is_told),
		cmocka_unit_test(what_slows_rows_down_has_a_column_where_there_is_a_detector),
		cmocka_unit_test(what_the_budget_gives_up_is_said_below_the_rows),
		cmocka_unit_test(quality_is_marked_and_unknown_is_a_dash),
		cmocka_unit_test(a_node_that_is_not_counted_is_a_dash_in_the_sum_too),
		cmocka_unit_test(a_tree_shows_branches_and_last_components),
		cmocka_unit_test(hostile_names_reach_no_terminal),
		cmocka_unit_test(more_switches_than_a_number_holds_are_many),
		cmocka_unit_test(an_empty_interval_is_said_in_words),
		cmocka_unit_test(the_root_is_its_own_tasks_and_ids_are_short),
		cmocka_unit_test(a_full_disk_is_an_error),
	};

	setenv("TZ", "UTC", 1);
	tzset();
	if (!setlocale(LC_ALL, "C.UTF-8")) {
		puts("no C.UTF-8 locale here");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
