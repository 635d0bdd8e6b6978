/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_habits.c - options of perf and others that do not work here are answered by what does. */
#include "app/options/options.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/app/options/command_line.h"
#include "unit/pmu/capture.h"

static void each_is_answered_by_what_to_use_instead(void **state)
{
	static const struct {
		int line;
		const char *text, *wanted;
	} cases[] = {
		{__LINE__, "top --json", "'cgtopdown stat --json' prints an object per interval"},
		{__LINE__, "top --csv", "'cgtopdown stat --csv' prints lines for each interval"},
		{__LINE__, "profile --json", "a profile is not written as JSON: -o FILE writes it"},
		{__LINE__, "profile --csv", "a profile is not written as CSV: -o FILE writes it"},
		{__LINE__, "serve --json", "--json is an option of stat, report, neighbours only"},
		{__LINE__, "serve -j", "-j is an option of stat, report, neighbours only"},
		{__LINE__, "record -o FILE", "'cgtopdown record FILE'"},
		{__LINE__, "record --output=FILE", "'cgtopdown record FILE'"},
		{__LINE__, "report -i FILE", "'cgtopdown report FILE'"},
		{__LINE__, "report --input FILE", "'cgtopdown report FILE'"},
		{__LINE__, "record -g FILE", "--profile records stacks, too"},
		{__LINE__, "profile -F 0", "--frequency wants a number between 1 and 1000"},
		{__LINE__, "profile -F", "a value is missing: it is as --frequency"},
		{__LINE__, "stat --per-core", "there is no --per-core: see --by"},
		{__LINE__, "stat -A", "there is no -A: see --by"},
		{__LINE__, "stat --no-aggr", "there is no -A: see --by"},
		{__LINE__, "stat -d", "--level 2 --general shows more, as perf's does"},
		{__LINE__, "stat --delay 2", "-i SECONDS is how long an interval is"},
		{__LINE__, "top -u root", "--filter TEXT, or the key /, shows those"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_options options;
		struct command_line line;
		struct capture capture;
		const char *message;
		int error;

		split(cases[i].text, &line);
		capture_begin(&capture);
		error = ctd_options_parse(line.argc, line.argv, &options);
		message = capture_end(&capture);
		if (error != -EINVAL || !strstr(message, cases[i].wanted) ||
		    strchr(message, '\n') != message + strlen(message) - 1)
			fail_msg("line %d: '%s' gives %d and says\n%snot\n%s", cases[i].line,
				 cases[i].text, error, message, cases[i].wanted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_is_answered_by_what_to_use_instead),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
