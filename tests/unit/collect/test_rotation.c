/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_rotation.c - how long the steps of a rotation are. */
#include "collect/rotation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MS 1000000ULL

/* As ctd_collector_interval() cuts it: a step ends where there is room for one more. */
static uint64_t count_steps(uint64_t interval_ns, uint64_t length_ns)
{
	uint64_t steps = 1;

	while (length_ns < interval_ns / steps)
		steps++;
	return steps;
}

static void each_group_has_as_many_steps_as_the_others(void **state)
{
	static const struct {
		int line;
		uint64_t interval_ns, groups_count, want_steps;
	} cases[] = {
		{__LINE__, 1000 * MS, 2, 10},
		{__LINE__, 1000 * MS, 3, 9},
		{__LINE__, 1000 * MS, 5, 10},
		{__LINE__, 1000 * MS + 1, 3, 9},
		{__LINE__, 15000 * MS, 2, 150},
		/* As long as can be: less than a tenth of a second each. */
		{__LINE__, 299 * MS, 3, 3},
		{__LINE__, 60 * MS, 3, 3},
		/* Too short to be shared. */
		{__LINE__, 60 * MS - 1, 3, 1},
		{__LINE__, 1, 2, 1},
		{__LINE__, 3600000 * MS, 2, 36000},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint64_t length_ns =
			ctd_rotation_step_ns(cases[i].interval_ns, cases[i].groups_count);
		uint64_t steps = count_steps(cases[i].interval_ns, length_ns);

		if (steps != cases[i].want_steps)
			fail_msg("line %d: %lu ns, %lu steps", cases[i].line,
				 (unsigned long)length_ns, (unsigned long)steps);
	}
}

static void an_interval_without_an_end_has_steps_of_a_tenth_of_a_second(void **state)
{
	(void)state;
	assert_int_equal(ctd_rotation_step_ns(UINT64_MAX - 5, 2), 100 * MS);
	assert_int_equal(ctd_rotation_step_ns(3600000 * MS + 1, 5), 100 * MS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_group_has_as_many_steps_as_the_others),
		cmocka_unit_test(an_interval_without_an_end_has_steps_of_a_tenth_of_a_second),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
