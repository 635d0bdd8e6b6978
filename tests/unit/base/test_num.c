/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_num.c - numbers are taken whole, exactly and in range, or not at all. */
#include "base/num.h"

#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void integers_are_whole_texts_within_their_range(void **state)
{
	static const struct {
		int line;
		const char *text;
		long long min, max;
		int want;
		long long value;
	} cases[] = {
		{__LINE__, "0", 0, 9, 0, 0},
		{__LINE__, "42", 0, 99, 0, 42},
		{__LINE__, "007", 0, 9, 0, 7},
		{__LINE__, "-5", -5, 5, 0, -5},
		{__LINE__, "5", -5, 5, 0, 5},
		{__LINE__, "6", -5, 5, -ERANGE, 0},
		{__LINE__, "-6", -5, 5, -ERANGE, 0},
		{__LINE__, "9223372036854775807", LLONG_MIN, LLONG_MAX, 0, LLONG_MAX},
		{__LINE__, "-9223372036854775808", LLONG_MIN, LLONG_MAX, 0, LLONG_MIN},
		{__LINE__, "9223372036854775808", LLONG_MIN, LLONG_MAX, -ERANGE, 0},
		{__LINE__, "", 0, 9, -EINVAL, 0},
		{__LINE__, "-", -9, 9, -EINVAL, 0},
		{__LINE__, "--1", -9, 9, -EINVAL, 0},
		{__LINE__, "+1", 0, 9, -EINVAL, 0},
		{__LINE__, " 1", 0, 9, -EINVAL, 0},
		{__LINE__, "- 1", -9, 9, -EINVAL, 0},
		{__LINE__, "1 ", 0, 9, -EINVAL, 0},
		{__LINE__, "1\n", 0, 9, -EINVAL, 0},
		{__LINE__, "0x1", 0, 9, -EINVAL, 0},
		{__LINE__, "1.0", 0, 9, -EINVAL, 0},
		{__LINE__, "99999999999999999999x", 0, 9, -EINVAL, 0},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		long long value = -77;
		int got = ctd_parse_integer(cases[i].text, cases[i].min, cases[i].max, &value);
		long long want = cases[i].want ? -77 : cases[i].value;

		if (got != cases[i].want || value != want)
			fail_msg("line %d: got %d, %lld", cases[i].line, got, value);
	}
}

/* Texts longer than a double can tell apart, built once so that the table stays readable. */
static char many_nines[400], tiny_fraction[400], long_fraction[400];

static int make_long_texts(void **state)
{
	(void)state;
	memset(many_nines, '9', sizeof(many_nines) - 1);
	memset(tiny_fraction, '0', sizeof(tiny_fraction) - 1);
	tiny_fraction[1] = '.';
	tiny_fraction[sizeof(tiny_fraction) - 2] = '1';
	memset(long_fraction, '1', sizeof(long_fraction) - 1);
	long_fraction[1] = '.';
	return 0;
}

static void durations_are_exact_to_the_nanosecond(void **state)
{
	static const struct {
		int line;
		const char *text;
		uint64_t min_ns, max_ns;
		int want;
		uint64_t ns;
	} cases[] = {
		{__LINE__, "100ms", 0, UINT64_MAX, 0, 100000000},
		{__LINE__, "2s", 0, UINT64_MAX, 0, 2000000000},
		{__LINE__, "250us", 0, UINT64_MAX, 0, 250000},
		{__LINE__, "0.5s", 0, UINT64_MAX, 0, 500000000},
		{__LINE__, "0.1", 0, UINT64_MAX, 0, 100000000},
		{__LINE__, "3", 0, UINT64_MAX, 0, 3000000000},
		{__LINE__, "1.000000001", 0, UINT64_MAX, 0, 1000000001},
		{__LINE__, "1.0000000019", 0, UINT64_MAX, 0, 1000000001},
		{__LINE__, "1.5us", 0, UINT64_MAX, 0, 1500},
		{__LINE__, "18446744073.709551615", 0, UINT64_MAX, 0, UINT64_MAX},
		{__LINE__, "18446744073.709551616", 0, UINT64_MAX, -ERANGE, 0},
		{__LINE__, "18446744074", 0, UINT64_MAX, -ERANGE, 0},
		{__LINE__, "99999999999999999999999us", 0, UINT64_MAX, -ERANGE, 0},
		{__LINE__, many_nines, 0, UINT64_MAX, -ERANGE, 0},
		{__LINE__, tiny_fraction, 0, UINT64_MAX, 0, 0},
		{__LINE__, long_fraction, 0, UINT64_MAX, 0, 1111111111},
		{__LINE__, "10ms", 10000000, 20000000, 0, 10000000},
		{__LINE__, "20ms", 10000000, 20000000, 0, 20000000},
		{__LINE__, "9.999999ms", 10000000, 20000000, -ERANGE, 0},
		{__LINE__, "20.000001ms", 10000000, 20000000, -ERANGE, 0},
		{__LINE__, "", 0, UINT64_MAX, -EINVAL, 0},
		{__LINE__, "ms", 0, UINT64_MAX, -EINVAL, 0},
		{__LINE__, "5m", 0, UINT64_MAX, -EINVAL, 0},
		{__LINE__, "5 s", 0, UINT64_MAX, -EINVAL, 0},
		{__LINE__, "5ss", 0, UINT64_MAX, -EINVAL, 0},
		{__LINE__, "-5s", 0, UINT64_MAX, -EINVAL, 0},
		{__LINE__, "5.s", 0, UINT64_MAX, -EINVAL, 0},
		{__LINE__, "1.2.3s", 0, UINT64_MAX, -EINVAL, 0},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		uint64_t ns = 77;
		int got =
			ctd_parse_duration_ns(cases[i].text, cases[i].min_ns, cases[i].max_ns, &ns);
		uint64_t want = cases[i].want ? 77 : cases[i].ns;

		if (got != cases[i].want || ns != want)
			fail_msg("line %d: got %d, %llu", cases[i].line, got,
				 (unsigned long long)ns);
	}
}

static void percentages_are_exact_to_the_millionth(void **state)
{
	static const struct {
		int line;
		const char *text;
		int want;
		uint64_t ppm;
	} cases[] = {
		{__LINE__, "0.5%", 0, 5000},
		{__LINE__, "100%", 0, 1000000},
		{__LINE__, "0.0001%", 0, 1},
		{__LINE__, "12.3456%", 0, 123456},
		{__LINE__, "12.34567%", 0, 123456},
		{__LINE__, long_fraction, -EINVAL, 0},
		{__LINE__, "0%", -ERANGE, 0},
		{__LINE__, "0.00009%", -ERANGE, 0},
		{__LINE__, "100.0001%", -ERANGE, 0},
		{__LINE__, "99999999999999999999%", -ERANGE, 0},
		{__LINE__, "0.5", -EINVAL, 0},
		{__LINE__, "%", -EINVAL, 0},
		{__LINE__, "", -EINVAL, 0},
		{__LINE__, "-1%", -EINVAL, 0},
		{__LINE__, "1 %", -EINVAL, 0},
		{__LINE__, "1%%", -EINVAL, 0},
		{__LINE__, ".5%", -EINVAL, 0},
		{__LINE__, "1.%", -EINVAL, 0},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		uint64_t ppm = 77;
		int got = ctd_parse_percentage_ppm(cases[i].text, 1, 1000000, &ppm);

		if (got != cases[i].want || ppm != (cases[i].want ? 77 : cases[i].ppm))
			fail_msg("line %d: got %d, %llu", cases[i].line, got,
				 (unsigned long long)ppm);
	}
}

static void cpu_lists_set_exactly_their_cpus(void **state)
{
	/* set: one character per CPU; NULL where the list is refused. */
	static const struct {
		int line;
		const char *text;
		int want;
		const char *set;
	} cases[] = {
		{__LINE__, "", 0, "........"},
		{__LINE__, "\n", 0, "........"},
		{__LINE__, "0", 0, "x......."},
		{__LINE__, "0\n", 0, "x......."},
		{__LINE__, "7", 0, ".......x"},
		{__LINE__, "0-7", 0, "xxxxxxxx"},
		{__LINE__, "0-2,4,6-7\n", 0, "xxx.x.xx"},
		{__LINE__, "3-3", 0, "...x...."},
		{__LINE__, "6,1", 0, ".x....x."},
		{__LINE__, "1-3,2-4", 0, ".xxxx..."},
		{__LINE__, "8", -ERANGE, NULL},
		{__LINE__, "0-8", -ERANGE, NULL},
		{__LINE__, "99999999999999999999999999", -ERANGE, NULL},
		{__LINE__, "3-1", -EINVAL, NULL},
		{__LINE__, "0,", -EINVAL, NULL},
		{__LINE__, ",0", -EINVAL, NULL},
		{__LINE__, "0,,1", -EINVAL, NULL},
		{__LINE__, "0-", -EINVAL, NULL},
		{__LINE__, "-1", -EINVAL, NULL},
		{__LINE__, "1-2-3", -EINVAL, NULL},
		{__LINE__, "0 1", -EINVAL, NULL},
		{__LINE__, " 0", -EINVAL, NULL},
		{__LINE__, "0\n\n", -EINVAL, NULL},
		{__LINE__, "0-7:2/4", -EINVAL, NULL},
		{__LINE__, "all", -EINVAL, NULL},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		/* Neither the all-set nor the all-clear array may hide a missing write. */
		bool set[8] = {true, false, true, false, true, false, true, false};
		const char *before = "x.x.x.x.";
		const char *want = cases[i].set ? cases[i].set : before;
		size_t bytes = strlen(cases[i].text);
		/* A copy of exactly this size, so that the sanitizer sees a read behind its end. */
		char *text = malloc(bytes + 1);
		int got;

		assert_non_null(text);
		memcpy(text, cases[i].text, bytes);
		text = realloc(text, bytes ? bytes : 1);
		got = ctd_parse_cpu_list(text, bytes, set, COUNT(set));
		free(text);
		if (got != cases[i].want)
			fail_msg("line %d: got %d", cases[i].line, got);
		for (size_t cpu = 0; cpu < COUNT(set); cpu++)
			if (set[cpu] != (want[cpu] == 'x'))
				fail_msg("line %d: CPU %zu is %d", cases[i].line, cpu, set[cpu]);
	}
}

static void a_nul_inside_a_cpu_list_is_refused(void **state)
{
	bool set[8] = {false};

	(void)state;
	assert_int_equal(ctd_parse_cpu_list("1\0,2", 4, set, COUNT(set)), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers_are_whole_texts_within_their_range),
		cmocka_unit_test(durations_are_exact_to_the_nanosecond),
		cmocka_unit_test(percentages_are_exact_to_the_millionth),
		cmocka_unit_test(cpu_lists_set_exactly_their_cpus),
		cmocka_unit_test(a_nul_inside_a_cpu_list_is_refused),
	};

	return cmocka_run_group_tests_name("num", tests, make_long_texts, NULL);
}
