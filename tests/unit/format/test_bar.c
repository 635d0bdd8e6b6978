/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_bar.c - a bar is as long as its share. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/auto.h"
#include "format/format.h"

static void bars_are_rounded_to_eighths_or_cells(void **state)
{
	static const struct {
		int line;
		double ratio;
		bool unicode;
		const char *bar;
	} cases[] = {
		{__LINE__, 0, true, ""},	  {__LINE__, 1, true, "████"},
		{__LINE__, .5, true, "██"},	  {__LINE__, .53125, true, "██▏"},
		{__LINE__, .96875, true, "███▉"}, {__LINE__, 2, true, "████"},
		{__LINE__, -1, true, ""},	  {__LINE__, .5, false, "##"},
		{__LINE__, .62, false, "##"},	  {__LINE__, .63, false, "###"},
	};
	char bar[3 * 4 + 1];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ctd_format_bar(cases[i].ratio, 4, cases[i].unicode, bar);
		if (strcmp(bar, cases[i].bar) != 0)
			fail_msg("line %d: %s", cases[i].line, bar);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bars_are_rounded_to_eighths_or_cells),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
