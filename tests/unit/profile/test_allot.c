/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_allot.c - parts add up to their total, and no part is one away from its share. */
#include "profile/allot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void the_largest_remainders_get_what_is_left(void **state)
{
	static const struct {
		int line;
		uint64_t total, weights[4], parts[4];
	} cases[] = {
		{__LINE__, 10, {1, 1, 1, 0}, {4, 3, 3, 0}},
		{__LINE__, 100, {47000, 16000, 15900, 21100}, {47, 16, 16, 21}},
		{__LINE__, 3, {5, 5, 5, 5}, {1, 1, 1, 0}},
		{__LINE__, 0, {1, 2, 3, 4}, {0, 0, 0, 0}},
		{__LINE__, 7, {0, 0, 1, 0}, {0, 0, 7, 0}},
		{__LINE__,
		 UINT64_MAX,
		 {UINT64_MAX, UINT64_MAX, UINT64_MAX, 0},
		 {UINT64_MAX / 3, UINT64_MAX / 3, UINT64_MAX / 3, 0}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ctd_fraction fractions[4];
		uint64_t parts[4];

		assert_int_equal(ctd_allot(cases[i].total, cases[i].weights, 4, fractions, parts),
				 cases[i].total);
		for (size_t k = 0; k < 4; k++)
			if (parts[k] != cases[i].parts[k])
				fail_msg("line %d: part %zu is %ju", cases[i].line, k,
					 (uintmax_t)parts[k]);
	}
}

static void weights_that_are_all_0_say_nothing(void **state)
{
	struct ctd_fraction fractions[2];
	uint64_t weights[2] = {0, 0}, parts[2] = {9, 9};

	(void)state;
	assert_int_equal(ctd_allot(5, weights, 2, fractions, parts), 0);
	assert_int_equal(parts[0] + parts[1], 0);
}

static void any_total_is_divided_without_a_rest(void **state)
{
	(void)state;
	srandom(1);
	for (int round = 0; round < 300; round++) {
		struct ctd_fraction fractions[50];
		uint64_t weights[50], parts[50], sum = 0, total;
		size_t count = 1 + (size_t)random() % 50;
		long double whole = 0;

		total = (uint64_t)random() * (uint64_t)random() % 10000000000000ull;
		for (size_t i = 0; i < count; i++) {
			weights[i] = (uint64_t)random() >> random() % 32;
			whole += (long double)weights[i];
		}
		if (whole == 0)
			continue;
		assert_int_equal(ctd_allot(total, weights, count, fractions, parts), total);
		for (size_t i = 0; i < count; i++) {
			long double exact = (long double)total * (long double)weights[i] / whole;

			sum += parts[i];
			assert_true((long double)parts[i] > exact - 1 &&
				    (long double)parts[i] < exact + 1);
		}
		assert_int_equal(sum, total);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_largest_remainders_get_what_is_left),
		cmocka_unit_test(weights_that_are_all_0_say_nothing),
		cmocka_unit_test(any_total_is_divided_without_a_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
