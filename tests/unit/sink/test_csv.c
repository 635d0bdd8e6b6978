/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_csv.c - every line has as many fields as the header, whatever the names contain. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/auto.h"
#include "golden.h"
#include "unit/sink/sample.h"

extern const struct ctd_sink ctd_sink_csv;

/* Reads one record of RFC 4180. @return its fields, with the last in @p last. */
static int read_record(const char **text, char last[256])
{
	int fields = 1;
	size_t bytes = 0;
	bool quoted = false;
	const char *at = *text;

	for (; *at && (quoted || *at != '\n'); at++) {
		if (*at == '"') {
			/* A doubled quote within quotes leaves and enters again. */
			quoted = !quoted;
		} else if (*at == ',' && !quoted) {
			fields++;
			bytes = 0;
		} else if (bytes < 255) {
			last[bytes++] = *at;
		}
	}
	last[bytes] = '\0';
	*text = *at ? at + 1 : at;
	return fields;
}

static void assert_all_records_are_alike(const char *text)
{
	char last[256];
	int fields = read_record(&text, last);

	while (*text)
		assert_int_equal(read_record(&text, last), fields);
}

static void csv_is_as_in_the_golden_files(void **state)
{
	static const struct {
		const char *name, *source;
		int level;
	} cases[] = {
		{"csv-level1.csv", "perf_metrics", 1},
		{"csv-level2-sim.csv", "sim", 2},
		{"csv-none.csv", "none", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ctd_report report = sample_report(cases[i].source, cases[i].level);
		autofree char *text = sample_write(&ctd_sink_csv, &report, 80, true, false);

		golden_compare(cases[i].name, text);
		assert_all_records_are_alike(text);
		ctd_report_free(&report);
	}
}

static void ipc_metrics_have_columns_where_they_were_asked_for(void **state)
{
	struct ctd_report report = sample_ipc(1);
	autofree char *text = sample_write(&ctd_sink_csv, &report, 80, true, false);

	(void)state;
	golden_compare("csv-general.csv", text);
	assert_all_records_are_alike(text);
	report.ipc = false;
	report.groups_count = 1;
	autofree char *without = sample_write(&ctd_sink_csv, &report, 80, true, false);

	assert_null(strstr(without, "ipc"));
	assert_all_records_are_alike(without);
	ctd_report_free(&report);
}

/* What was asked for has its columns, counted or not; coverage is of the group. */
static void vendors_metrics_have_columns_whether_they_were_counted_or_not(void **state)
{
	struct ctd_report report = sample_vendor();
	autofree char *text = sample_write(&ctd_sink_csv, &report, 80, true, false);

	(void)state;
	golden_compare("csv-vendor.csv", text);
	assert_all_records_are_alike(text);
	ctd_report_free(&report);
}

static void a_drill_shows_the_path_of_each_row(void **state)
{
	struct ctd_report report = sample_drill();
	autofree char *text = sample_write(&ctd_sink_csv, &report, 80, true, false);

	(void)state;
	golden_compare("csv-drill.csv", text);
	assert_all_records_are_alike(text);
	ctd_report_free(&report);
}

static void with_a_budget_each_line_says_what_is_given_up(void **state)
{
	struct ctd_report report = sample_report("sim", 1);

	(void)state;
	report.health.budget = (struct ctd_budget_state){.limit_ppm = 5000,
							 .cost_ns = 123456789,
							 .capacity_ns = 10000000000,
							 .given_up = 1 << CTD_BUDGET_WAITS |
								     1 << CTD_BUDGET_LEVEL};
	autofree char *text = sample_write(&ctd_sink_csv, &report, 80, true, false);

	assert_all_records_are_alike(text);
	assert_non_null(strstr(text, ",budget_limit,budget_cost,given_up\n"));
	assert_non_null(strstr(text, ",0.005000,0.01234568,waits level_2\n"));
	report.health.budget = (struct ctd_budget_state){.limit_ppm = 5000};
	autofree char *first = sample_write(&ctd_sink_csv, &report, 80, true, false);

	assert_all_records_are_alike(first);
	assert_non_null(strstr(first, ",0.005000,,\n"));
	ctd_report_free(&report);
}

static void the_header_comes_once(void **state)
{
	struct ctd_report report = sample_report("sim", 1);
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	struct ctd_sink_options options = {.out = out};

	(void)state;
	assert_int_equal(ctd_sink_csv.write(&options, &report, true), 0);
	assert_int_equal(ctd_sink_csv.write(&options, &report, false), 0);
	fclose(out);
	assert_ptr_equal(strstr(text, "time,"), text);
	assert_null(strstr(text + 1, "time,"));
	free(text);
	ctd_report_free(&report);
}

static void every_line_of_a_simulation_says_so(void **state)
{
	struct ctd_report report = sample_report("sim", 1);
	autofree char *text = sample_write(&ctd_sink_csv, &report, 80, true, false);
	char *rest = strchr(text, '\n') + 1;

	(void)state;
	for (char *line = strsep(&rest, "\n"); rest; line = strsep(&rest, "\n"))
		assert_non_null(strstr(line, ",sim,1,"));
	ctd_report_free(&report);
}

static void names_with_commas_quotes_and_newlines_are_quoted(void **state)
{
	static const struct {
		int line;
		const char *name, *field;
	} cases[] = {
		{__LINE__, "plain", ",plain,"},
		{__LINE__, "a,b", ",\"a,b\","},
		{__LINE__, "say \"hi\"", ",\"say \"\"hi\"\"\","},
		{__LINE__, "two\nlines", ",\"two\nlines\","},
		{__LINE__, "clear\033[2J\r", ",clear\\x1b[2J\\x0d,"},
		{__LINE__,
		 "c1\xc2\x9b"
		 "31m\xff",
		 ",c1\\xc2\\x9b31m\\xff,"},
		{__LINE__, "\xc3\xa9", ",\xc3\xa9,"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ctd_report report = sample_empty("perf_metrics", 1);

		sample_add(&report, CTD_ROLLUP_CGROUP, cases[i].name, 0.1,
			   (struct sample_shares){
				   .retiring = .1, .bad = .2, .frontend = .3, .backend = .4},
			   CTD_OK);
		autofree char *text = sample_write(&ctd_sink_csv, &report, 80, true, false);

		if (!strstr(text, cases[i].field))
			fail_msg("line %d: no %s in %s", cases[i].line, cases[i].field, text);
		assert_all_records_are_alike(text);
		ctd_report_free(&report);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(csv_is_as_in_the_golden_files),
		cmocka_unit_test(ipc_metrics_have_columns_where_they_were_asked_for),
		cmocka_unit_test(a_drill_shows_the_path_of_each_row),
		cmocka_unit_test(with_a_budget_each_line_says_what_is_given_up),
		cmocka_unit_test(vendors_metrics_have_columns_whether_they_were_counted_or_not),
		cmocka_unit_test(the_header_comes_once),
		cmocka_unit_test(every_line_of_a_simulation_says_so),
		cmocka_unit_test(names_with_commas_quotes_and_newlines_are_quoted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
