/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_clock.c - clocks go on, spinning takes as long as it should, and intervals end in time. */
#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>

#include <cmocka.h>

static void the_monotonic_clock_does_not_go_back(void **state)
{
	uint64_t before_ns = ctd_monotonic_ns();

	(void)state;
	for (int i = 0; i < 1000; i++) {
		uint64_t now_ns = ctd_monotonic_ns();

		assert_true(now_ns >= before_ns);
		before_ns = now_ns;
	}
}

static void the_wall_clock_is_that_of_the_system(void **state)
{
	time_t before = time(NULL);
	uint64_t now_ns = ctd_realtime_ns();

	(void)state;
	/* time() may lag by a tick. */
	assert_in_range(now_ns / 1000000000, before, time(NULL) + 1);
}

static void spinning_takes_its_time(void **state)
{
	uint64_t before_ns = ctd_monotonic_ns();

	(void)state;
	ctd_spin_ns(0);
	ctd_spin_ns(2000000);
	assert_true(ctd_monotonic_ns() - before_ns >= 2000000);
}

static void an_interval_ends_on_the_grid_and_after_a_pause_is_a_whole_one(void **state)
{
	static const struct {
		uint64_t last_ns, now_ns, next_ns;
	} cases[] = {
		{1000, 1000, 1100}, {1000, 1099, 1100}, /* late, but not by an interval */
		{1000, 1100, 1200}, {1000, 1101, 1201}, {1000, 36001000, 36001100},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(ctd_clock_next_ns(cases[i].last_ns, 100, cases[i].now_ns),
				 cases[i].next_ns);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_monotonic_clock_does_not_go_back),
		cmocka_unit_test(the_wall_clock_is_that_of_the_system),
		cmocka_unit_test(spinning_takes_its_time),
		cmocka_unit_test(an_interval_ends_on_the_grid_and_after_a_pause_is_a_whole_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
