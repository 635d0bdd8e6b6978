/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_profiler.c - samples are taken every tick, however the calls for it are late or early. */
#include "app/profile/profiler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define TICK CTD_PROFILER_TICK_NS
#define START 1000000000000ull

/* The collector's clock is read before ours: a call may come earlier, by ours, than a tick after
 * the last one, which must not cost every second tick. */
static void every_call_of_a_tick_takes_samples(void **state)
{
	static const int64_t late_ns[] = {0, 5000000, -20000, 900000, 0, 30000000, 100};
	struct ctd_profiler profiler = {0};

	(void)state;
	for (uint64_t tick = 0; tick < 70; tick++)
		assert_true(ctd_profiler_is_due(&profiler,
						START + tick * TICK + (uint64_t)late_ns[tick % 7]));
}

/* Requests come at any time: they are answered, and take no samples. */
static void calls_between_ticks_take_none(void **state)
{
	struct ctd_profiler profiler = {0};
	int taken = 0;

	(void)state;
	for (uint64_t at_ns = 0; at_ns < 10 * TICK; at_ns += TICK / 100)
		taken += ctd_profiler_is_due(&profiler, START + at_ns);
	assert_in_range(taken, 10, 14);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_call_of_a_tick_takes_samples),
		cmocka_unit_test(calls_between_ticks_take_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
