/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_backoff.c - waits grow, are not all alike, and are at least what was asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "serve/push/backoff.h"

#define MS 1000000ull

static void waits_are_within_these_bounds(void **state)
{
	static const struct {
		int line;
		unsigned int failures;
		uint64_t asked_s, least_ms, most_ms;
	} cases[] = {
		{__LINE__, 1, 0, 500, 1000},
		{__LINE__, 2, 0, 1000, 2000},
		{__LINE__, 3, 0, 2000, 4000},
		{__LINE__, 7, 0, 32000, 64000},
		{__LINE__, 8, 0, 32000, 64000},
		{__LINE__, UINT32_MAX, 0, 32000, 64000},
		{__LINE__, 1, 30, 30000, 30000},
		{__LINE__, 7, 1, 32000, 64000},
		{__LINE__, 1, 300, 300000, 300000},
		{__LINE__, 1, 86400, 300000, 300000},
		{__LINE__, 1, UINT64_MAX, 300000, 300000},
	};
	static const uint32_t numbers[] = {0, 1, 0x7fffffff, 0xffffffff};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (size_t at = 0; at < sizeof(numbers) / sizeof(numbers[0]); at++) {
			uint64_t ns = ctd_push_backoff_ns(cases[i].failures, cases[i].asked_s,
							  numbers[at]);

			if (ns < cases[i].least_ms * MS || ns > cases[i].most_ms * MS)
				fail_msg("case of line %d: %llu ms", cases[i].line,
					 (unsigned long long)(ns / MS));
		}
}

static void chance_decides_over_half_of_a_wait(void **state)
{
	(void)state;
	assert_true(ctd_push_backoff_ns(7, 0, 0) == 32000 * MS);
	assert_true(ctd_push_backoff_ns(7, 0, UINT32_MAX) > 63990 * MS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waits_are_within_these_bounds),
		cmocka_unit_test(chance_decides_over_half_of_a_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
