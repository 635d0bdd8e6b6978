/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_divide.c - parts come to the whole, to the last one. */
#include "base/divide.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define PARTS 3

static void parts_are_by_weight_and_come_to_the_whole(void **state)
{
	static const struct {
		uint64_t whole, weights[PARTS], parts[PARTS];
	} cases[] = {
		{60, {1, 2, 3}, {10, 20, 30}},
		{100, {1, 1, 1}, {33, 33, 34}},
		{2, {1, 1, 1}, {0, 1, 1}},
		{10, {0, 7, 0}, {0, 10, 0}},
		{0, {1, 2, 3}, {0, 0, 0}},
		/* None has a weight. */
		{10, {0, 0, 0}, {10, 0, 0}},
		{UINT64_MAX, {UINT64_MAX, 0, UINT64_MAX}, {UINT64_MAX / 2, 0, UINT64_MAX / 2 + 1}},
		{UINT64_MAX, {UINT64_MAX, UINT64_MAX, 1}, {UINT64_MAX / 2, UINT64_MAX / 2, 1}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint64_t parts[PARTS] = {1, 1, 1};

		ctd_divide(cases[i].whole, cases[i].weights, PARTS, parts);
		assert_memory_equal(parts, cases[i].parts, sizeof(parts));
	}
}

static void no_part_is_more_than_its_weight_if_the_whole_is_not(void **state)
{
	(void)state;
	for (uint64_t whole = 0; whole <= 12; whole++) {
		static const uint64_t weights[PARTS] = {5, 0, 7};
		uint64_t parts[PARTS];

		ctd_divide(whole, weights, PARTS, parts);
		assert_int_equal(parts[0] + parts[1] + parts[2], whole);
		for (int i = 0; i < PARTS; i++)
			assert_true(parts[i] <= weights[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_are_by_weight_and_come_to_the_whole),
		cmocka_unit_test(no_part_is_more_than_its_weight_if_the_whole_is_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
