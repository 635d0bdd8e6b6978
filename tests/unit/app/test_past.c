/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_past.c - options that a history does not have are refused. */
#include "app/past.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/pmu/capture.h"

static void what_is_not_of_a_history_is_refused(void **state)
{
	static const struct {
		int line;
		struct ctd_options options;
		const char *want;
	} cases[] = {
		{__LINE__, {.file = "/", .count = 1}, "--count is of the intervals of a recording"},
		{__LINE__, {.report.since_ns = 1, .count = 9}, "--count is of the intervals"},
		{__LINE__, {.file = "/", .by = CTD_GROUP_TASK}, "a history has cgroups"},
		{__LINE__, {.file = "/dev/null", .report.at_ns = 1}, "'/dev/null' is no directory"},
		{__LINE__, {.report = {.since_ns = 2, .until_ns = 2}}, "--until is not after"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct capture capture;
		const char *text;
		int status;

		capture_begin(&capture);
		status = ctd_past_main(&cases[i].options);
		text = capture_end(&capture);
		if (status != 1 || !strstr(text, cases[i].want))
			fail_msg("line %d: %d, %s", cases[i].line, status, text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_of_a_history_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
