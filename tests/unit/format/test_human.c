/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_human.c - figures as people read them. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/auto.h"
#include "format/format.h"

#include <math.h>

static void counts_have_three_digits_and_a_unit(void **state)
{
	static const struct {
		int line;
		uint64_t count;
		const char *text;
	} cases[] = {
		{__LINE__, 0, "0"},
		{__LINE__, 9999, "9999"},
		{__LINE__, 10000, "10.0k"},
		{__LINE__, 12345, "12.3k"},
		{__LINE__, 99949, "99.9k"},
		{__LINE__, 99950, "100k"},
		{__LINE__, 999499, "999k"},
		{__LINE__, 999500, "1.00M"},
		{__LINE__, 9994999, "9.99M"},
		{__LINE__, 9995000, "10.0M"},
		{__LINE__, 4560000000, "4.56G"},
		{__LINE__, UINT64_MAX, "18.4E"},
	};
	char text[CTD_FIGURE_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ctd_format_count(cases[i].count, text);
		if (strcmp(text, cases[i].text) != 0)
			fail_msg("line %d: %s", cases[i].line, text);
	}
}

static void a_negative_count_has_its_sign(void **state)
{
	char text[CTD_FIGURE_BYTES];

	(void)state;
	ctd_format_signed(-12345, text);
	assert_string_equal(text, "-12.3k");
	ctd_format_signed(7, text);
	assert_string_equal(text, "7");
	ctd_format_signed(INT64_MIN, text);
	assert_string_equal(text, "-9.22E");
}

static void figures_have_the_digits_of_their_unit_and_the_mark_of_their_quality(void **state)
{
	static const struct {
		int line;
		struct ctd_value value;
		enum ctd_unit unit;
		const char *text;
	} cases[] = {
		{__LINE__, {.123, CTD_OK}, CTD_UNIT_RATIO, "12.3"},
		{__LINE__, {1, CTD_SCALED}, CTD_UNIT_RATIO, "~100.0"},
		{__LINE__, {0, CTD_LOW_CONFIDENCE}, CTD_UNIT_RATIO, "?0.0"},
		{__LINE__, {.5, CTD_NO_DATA}, CTD_UNIT_RATIO, "-"},
		{__LINE__, {NAN, CTD_UNSUPPORTED}, CTD_UNIT_GHZ, "-"},
		{__LINE__, {1.234, CTD_OK}, CTD_UNIT_PER_CYCLE, "1.23"},
		{__LINE__, {12.345, CTD_SCALED}, CTD_UNIT_CYCLES, "~12.35"},
		{__LINE__, {3.4, CTD_LOW_CONFIDENCE}, CTD_UNIT_GHZ, "?3.40"},
		{__LINE__, {123.45, CTD_OK}, CTD_UNIT_PER_THOUSAND, "123.5"},
	};
	char text[CTD_FIGURE_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ctd_format_value(cases[i].value, cases[i].unit, text);
		if (strcmp(text, cases[i].text) != 0)
			fail_msg("line %d: %s", cases[i].line, text);
	}
}

static void cpu_time_is_per_cent_of_one_cpu(void **state)
{
	char text[CTD_FIGURE_BYTES];

	(void)state;
	ctd_format_cpu(1960000000, 2000000000, text);
	assert_string_equal(text, "98.0");
	ctd_format_cpu(64000000000, 1000000000, text);
	assert_string_equal(text, "6400");
	ctd_format_cpu(0, 0, text);
	assert_string_equal(text, "-");
}

static void time_is_utc_with_milliseconds(void **state)
{
	char text[CTD_FIGURE_BYTES];

	(void)state;
	ctd_format_time(1767323045250999999, text);
	assert_string_equal(text, "2026-01-02T03:04:05.250Z");
	ctd_format_time(0, text);
	assert_string_equal(text, "1970-01-01T00:00:00.000Z");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_have_three_digits_and_a_unit),
		cmocka_unit_test(a_negative_count_has_its_sign),
		cmocka_unit_test(
			figures_have_the_digits_of_their_unit_and_the_mark_of_their_quality),
		cmocka_unit_test(cpu_time_is_per_cent_of_one_cpu),
		cmocka_unit_test(time_is_utc_with_milliseconds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
