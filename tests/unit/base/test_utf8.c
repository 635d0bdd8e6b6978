/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_utf8.c - bytes that are not UTF-8 become U+FFFD, one each. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/auto.h"
#include "base/utf8.h"

static void invalid_bytes_are_replaced_and_valid_ones_kept(void **state)
{
#define R "\xef\xbf\xbd"
	static const struct {
		int line;
		const char *text, *repaired;
	} cases[] = {
		{__LINE__, "", ""},
		{__LINE__, "plain", "plain"},
		{__LINE__, "\xc3\xa9", "\xc3\xa9"},
		{__LINE__, "\xe2\x82\xac", "\xe2\x82\xac"},
		{__LINE__, "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
		{__LINE__, "\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"},
		{__LINE__,
		 "a\xff"
		 "b",
		 "a" R "b"},
		{__LINE__, "\x80", R},
		/* Controls: ESC, BEL, CR, newline, DEL, CSI. */
		{__LINE__, "a\033[2J\a\r\n\177\xc2\x9b", "a\\x1b[2J\\x07\\x0d\\x0a\\x7f\\x9b"},
		/* Cut off. */
		{__LINE__, "\xe2\x82", R R},
		{__LINE__,
		 "\xe2"
		 "a",
		 R "a"},
		{__LINE__, "\xf0\x9f\x98", R R R},
		/* Overlong, surrogate, beyond U+10FFFF. */
		{__LINE__, "\xc0\x80", R R},
		{__LINE__, "\xc1\xbf", R R},
		{__LINE__, "\xe0\x80\x80", R R R},
		{__LINE__, "\xed\xa0\x80", R R R},
		{__LINE__, "\xf4\x90\x80\x80", R R R R},
		{__LINE__, "\xf5\x80\x80\x80", R R R R},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		auto_ctd_strbuf struct ctd_strbuf repaired = {0};

		ctd_strbuf_add(&repaired, "");
		ctd_utf8_add(&repaired, cases[i].text, 100);
		if (strcmp(repaired.text, cases[i].repaired) != 0)
			fail_msg("line %d: %s", cases[i].line, repaired.text);
	}
}

static void code_points_are_decoded(void **state)
{
	int code;

	(void)state;
	assert_int_equal(ctd_utf8_next("A", &code), 1);
	assert_int_equal(code, 'A');
	assert_int_equal(ctd_utf8_next("\xc3\xa9x", &code), 2);
	assert_int_equal(code, 0xe9);
	assert_int_equal(ctd_utf8_next("\xe2\x82\xac", &code), 3);
	assert_int_equal(code, 0x20ac);
	assert_int_equal(ctd_utf8_next("\xf0\x9f\x98\x80", &code), 4);
	assert_int_equal(code, 0x1f600);
	assert_int_equal(ctd_utf8_next("\xffz", &code), 1);
	assert_int_equal(code, -1);
}

static void a_cut_text_ends_with_a_whole_character(void **state)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};

	(void)state;
	ctd_utf8_add(&text, "ab\xe2\x82\xac", 4);
	ctd_utf8_add(&text, "\xff", 2);
	assert_string_equal(text.text, "ab");
	ctd_utf8_add(&text, "\xff.", 3);
	assert_string_equal(text.text, "ab\xef\xbf\xbd");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(invalid_bytes_are_replaced_and_valid_ones_kept),
		cmocka_unit_test(code_points_are_decoded),
		cmocka_unit_test(a_cut_text_ends_with_a_whole_character),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
