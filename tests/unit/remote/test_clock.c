/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_clock.c - when the next view is made is learned of those that come. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "remote/clock.h"

#define NOW_NS 1000000000000ull

/* Of intervals of a minute. */
static const struct ctd_remote_view view = {.elapsed_ns = 100000000000ull,
					    .interval_ns = 60000000000ull};

static uint64_t shown_ms(const struct ctd_remote_clock *clock)
{
	return ctd_remote_clock_ns(clock, NOW_NS) / 1000000;
}

static void the_first_view_may_be_as_old_as_can_be(void **state)
{
	struct ctd_remote_clock clock;

	(void)state;
	ctd_remote_clock_begin(&clock, &view, NOW_NS, 5000000000);
	assert_int_equal(shown_ms(&clock), 105000);
	assert_int_equal(ctd_remote_clock_ns(&clock, NOW_NS + 1) % 1000000, 1);
}

/* What is thought of a clock that was thought to show @p thought_ms, when a view of 100 s comes
 * and the answer before was asked for @p age_max_ms ago. */
static uint64_t learned_ms(uint64_t thought_ms, uint64_t age_max_ms)
{
	struct ctd_remote_clock clock = {.ahead_ns = thought_ms * 1000000 - NOW_NS};

	ctd_remote_clock_take(&clock, &view, NOW_NS, age_max_ms * 1000000);
	return shown_ms(&clock);
}

static void a_view_is_not_of_the_future_nor_older_than_the_answer_before(void **state)
{
	(void)state;
	assert_int_equal(learned_ms(100000, 50), 100000);
	assert_int_equal(learned_ms(100050, 50), 100050);
	assert_int_equal(learned_ms(100051, 50), 100050);
	assert_int_equal(learned_ms(99999, 50), 100000);
	assert_int_equal(learned_ms(40000, 50), 100000);
	/* Where we have slept. */
	assert_int_equal(learned_ms(39999, 50), 160000);
	assert_int_equal(learned_ms(3700000, 1000), 101000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_view_may_be_as_old_as_can_be),
		cmocka_unit_test(a_view_is_not_of_the_future_nor_older_than_the_answer_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
