/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_regions.c - regions of programs, on the command line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "app/options/options.h"
#include "app/options/table.h"
#include "unit/app/options/command_line.h"
#include "unit/pmu/capture.h"

static void regions_are_of_processes_cgroups_or_a_command(void **state)
{
	struct ctd_options options = {0};
	struct command_line line = {0};

	(void)state;
	assert_int_equal(parse("stat --by region -p 12,345 --sort core_bound --level 2", &line,
			       &options),
			 0);
	assert_int_equal(options.by, CTD_GROUP_REGION);
	assert_string_equal(options.pids, "12,345");
	assert_int_equal(parse("stat --by region --cgroup */a -i 2 -n 3", &line, &options), 0);
	assert_int_equal(parse("stat --by region --format csv -- true", &line, &options), 0);
	assert_string_equal(options.program[0], "true");
}

static void each_command_has_its_own_rows(void **state)
{
	static const struct {
		const char *text;
		enum ctd_group_by by;
	} cases[] = {
		{"stat --by cgroup", CTD_GROUP_CGROUP},
		{"stat --by task", CTD_GROUP_TASK},
		{"record --by process f", CTD_GROUP_PROCESS},
		{"report --by owner f", CTD_GROUP_OWNER},
		{"top --by container", CTD_GROUP_CONTAINER},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_options options = {0};
		struct command_line line = {0};
		const struct ctd_option *option = ctd_option_next(NULL);
		struct ctd_strbuf text = {0};

		assert_int_equal(parse(cases[i].text, &line, &options), 0);
		assert_int_equal(options.by, cases[i].by);
		while (strcmp(option->name, "by") != 0)
			option = ctd_option_next(option);
		assert_true(ctd_option_show(option, &options, 0, &text));
		assert_non_null(strstr(cases[i].text, text.text));
		ctd_strbuf_free(&text);
	}
}

static void what_regions_do_not_have_is_refused(void **state)
{
	static const struct {
		int line;
		const char *text, *wanted;
	} cases[] = {
		{__LINE__, "stat -p 12", "--pid goes with --by region"},
		{__LINE__, "stat --by process -p 12", "--pid goes with --by region"},
		{__LINE__, "record -p 12 f", "there is no -p here"},
		{__LINE__, "stat --by region -p 12 -- true", "either --pid, --cgroup or a COMMAND"},
		{__LINE__, "stat --by region -p 12 --cgroup x",
		 "either --pid, --cgroup or a COMMAND"},
		{__LINE__, "stat --by region --cgroup x -- true", "leave out --cgroup"},
		{__LINE__, "stat --by region --source sim", "it has no --source"},
		{__LINE__, "stat --by region --waits", "it has no --source, --waits"},
		{__LINE__, "stat --by region --general", "it has no --source"},
		{__LINE__, "stat --by region --root x", "it has no --source"},
		{__LINE__, "stat --by region -r 2 -- true", "it has no --source"},
		{__LINE__, "stat --by region --metrics-dir x", "it has no --source"},
		{__LINE__, "stat --by region --tree", "--tree is of cgroups"},
		{__LINE__, "stat --by region --sort ipc", "not ipc"},
		{__LINE__, "stat --by region --sort nonsense", "nonsense"},
		{__LINE__, "stat --by node", "--by wants"},
		{__LINE__, "report --by region f", "--by wants"},
		{__LINE__, "record --by region f", "--by wants"},
		{__LINE__, "top --by region", "--by wants"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_options options = {0};
		struct command_line line = {0};
		struct capture capture;
		int error;

		capture_begin(&capture);
		error = parse(cases[i].text, &line, &options);
		capture_end(&capture);
		if (error != -EINVAL || !strstr(capture.text, cases[i].wanted))
			fail_msg("line %d: %d, %s", cases[i].line, error, capture.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(regions_are_of_processes_cgroups_or_a_command),
		cmocka_unit_test(each_command_has_its_own_rows),
		cmocka_unit_test(what_regions_do_not_have_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
