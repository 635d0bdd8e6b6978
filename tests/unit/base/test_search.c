/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_search.c - an address is found among elements that begin with theirs. */
#include "base/search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct element {
	uint64_t start;
	uint32_t bytes;
};

static void all_up_to_an_address_are_counted(void **state)
{
	static const struct element elements[] = {{10, 5}, {20, 5}, {20, 9}, {UINT64_MAX, 1}};
	static const struct {
		uint64_t address;
		size_t count;
	} cases[] = {{0, 0}, {9, 0}, {10, 1}, {19, 1}, {20, 3}, {21, 3}, {UINT64_MAX, 4}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(ctd_search_up_to(elements, 4, sizeof(*elements), cases[i].address),
				 cases[i].count);
	assert_int_equal(ctd_search_up_to(NULL, 0, sizeof(*elements), 5), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_up_to_an_address_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
