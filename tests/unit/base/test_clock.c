/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_clock.c - clocks go on, and spinning takes as long as it should. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_monotonic_clock_does_not_go_back),
		cmocka_unit_test(the_wall_clock_is_that_of_the_system),
		cmocka_unit_test(spinning_takes_its_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
