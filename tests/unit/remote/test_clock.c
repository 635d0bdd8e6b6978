/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_clock.c - what the clock of another machine shows is learned of its views. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "remote/clock.h"

#define SECOND_NS 1000000000ull
#define NOW_NS (1000 * SECOND_NS)

/* Of intervals of one second. */
static struct ctd_remote_view view_of(uint64_t time_ns)
{
	return (struct ctd_remote_view){.time_ns = time_ns, .interval_ns = SECOND_NS};
}

static void a_clock_that_is_set_is_not_steady(void **state)
{
	static const struct {
		uint64_t its_ms, our_ms; /* since 100 s */
		bool steady;
	} cases[] = {
		{101000, 1000, true},	{104010, 1000, true},  {104020, 1000, false},
		{99999, 1000, false},	{100000, 3000, true},  {100000, 3100, false},
		{160000, 60000, true},	{156500, 60000, true}, {156300, 60000, false},
		{3700000, 1000, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_remote_view before = view_of(100 * SECOND_NS);
		struct ctd_remote_view after = view_of(cases[i].its_ms * 1000000);

		if (ctd_remote_clock_is_steady(&before, &after, cases[i].our_ms * 1000000) !=
		    cases[i].steady)
			fail_msg("case %zu", i);
	}
}

/* As where a budget gave up four of five. */
static void an_interval_may_be_longer_than_it_should(void **state)
{
	struct ctd_remote_view before = view_of(100 * SECOND_NS), after = view_of(110 * SECOND_NS);

	(void)state;
	assert_false(ctd_remote_clock_is_steady(&before, &after, 4 * SECOND_NS));
	after.window_ns = 5 * SECOND_NS;
	assert_true(ctd_remote_clock_is_steady(&before, &after, 4 * SECOND_NS));
}

/* What it is thought to show when a view of 100 s comes, where that was thought to be
 * @p thought_ms, and the one before came @p age_max_ms ago. */
static uint64_t shown_ms(uint64_t thought_ms, uint64_t age_max_ms)
{
	struct ctd_remote_clock clock = {.ahead_ns = thought_ms * 1000000 - NOW_NS};
	struct ctd_remote_view view = view_of(100 * SECOND_NS);

	ctd_remote_clock_take(&clock, &view, NOW_NS, age_max_ms * 1000000);
	return ctd_remote_clock_ns(&clock, NOW_NS) / 1000000;
}

static void a_view_is_not_of_the_future_nor_older_than_the_answer_before(void **state)
{
	(void)state;
	assert_int_equal(shown_ms(100000, 50), 100000);
	assert_int_equal(shown_ms(100050, 50), 100050);
	assert_int_equal(shown_ms(100051, 50), 100050);
	assert_int_equal(shown_ms(99999, 50), 100000);
	assert_int_equal(shown_ms(3700000, 1000), 101000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_clock_that_is_set_is_not_steady),
		cmocka_unit_test(an_interval_may_be_longer_than_it_should),
		cmocka_unit_test(a_view_is_not_of_the_future_nor_older_than_the_answer_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
