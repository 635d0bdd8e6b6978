/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_printable.c - no name acts on a terminal. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/auto.h"
#include "format/format.h"

static void what_does_not_print_is_escaped(void **state)
{
	static const struct {
		int line;
		bool unicode;
		const char *text, *printable;
		int width;
	} cases[] = {
		{__LINE__, true, "/a b\\x2d", "/a b\\x2d", 8},
		{__LINE__, true, "\033[2J", "\\x1b[2J", 7},
		{__LINE__, true, "\n\t\r\x7f", "\\x0a\\x09\\x0d\\x7f", 16},
		{__LINE__, true, "\xc3\xa9\xe4\xb8\xad", "\xc3\xa9\xe4\xb8\xad", 3},
		{__LINE__, false, "\xc3\xa9", "\\xc3\\xa9", 8},
		/* A control character of the second table, a turn of direction, a mark without
		   width. */
		{__LINE__, true, "\xc2\x9b", "\\xc2\\x9b", 8},
		{__LINE__, true, "\xe2\x80\xae", "\\xe2\\x80\\xae", 12},
		{__LINE__, true, "e\xcc\x81", "e\\xcc\\x81", 9},
		{__LINE__, true, "\xff", "\\xff", 4},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		autofree char *text = ctd_format_printable(cases[i].text, cases[i].unicode);

		if (strcmp(text, cases[i].printable) != 0)
			fail_msg("line %d: %s", cases[i].line, text);
		assert_int_equal(ctd_format_width(text), cases[i].width);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_does_not_print_is_escaped),
	};

	if (!setlocale(LC_ALL, "C.UTF-8")) {
		puts("no C.UTF-8 locale here");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
