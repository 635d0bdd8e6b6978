/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_when.c - times as people write them are the times that they mean. */
#include "base/when.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

/* Thursday, 5 March 2026, 12:00:00 UTC. */
#define NOON_S 1772712000ull
#define S 1000000000ull

static void times_are_what_people_mean(void **state)
{
	static const struct {
		const char *text;
		uint64_t seconds;
	} cases[] = {
		{"now", NOON_S},
		{"today", NOON_S - 12 * 3600},
		{"yesterday", NOON_S - 36 * 3600},
		{"2 hours ago", NOON_S - 7200},
		{"1 hour ago", NOON_S - 3600},
		{"90s ago", NOON_S - 90},
		{"15 min ago", NOON_S - 900},
		{"2h", NOON_S - 7200},
		{"3 days ago", NOON_S - 3 * 86400},
		{"1w", NOON_S - 7 * 86400},
		{"11:30", NOON_S - 1800},
		{"12:30", NOON_S + 1800 - 86400},
		{"11:30:30", NOON_S - 1770},
		{"2026-03-05", NOON_S - 12 * 3600},
		{"2026-03-04 12:00", NOON_S - 86400},
		{"2026-03-04T12:00:01Z", NOON_S - 86399},
		{"@1772712001", NOON_S + 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint64_t ns;

		assert_int_equal(ctd_when_parse(cases[i].text, NOON_S * S, &ns), 0);
		assert_true(ns == cases[i].seconds * S);
	}
}

static void others_are_refused(void **state)
{
	static const char *const texts[] = {
		"",	   "tomorrow",	   "2 parsecs ago",	"hours ago",	      "-2h",
		"2h from", "25:00",	   "2026-02-31",	"2026-13-01",	      "@",
		"@1e9",	   "@99999999999", "99999999999 weeks", "2026-03-04 12:00 x",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		uint64_t ns = 7;

		assert_int_equal(ctd_when_parse(texts[i], NOON_S * S, &ns), -EINVAL);
	}
}

/* Local clocks are local ones, also behind the day on which they change. */
static void a_clock_is_the_local_one(void **state)
{
	uint64_t ns;

	(void)state;
	setenv("TZ", "EST5", 1);
	tzset();
	assert_int_equal(ctd_when_parse("06:30", NOON_S * S, &ns), 0);
	assert_true(ns == (NOON_S - 1800) * S);
	assert_int_equal(ctd_when_parse("2026-03-05 06:00", NOON_S * S, &ns), 0);
	assert_true(ns == (NOON_S - 3600) * S);
	assert_int_equal(ctd_when_parse("yesterday", NOON_S * S, &ns), 0);
	assert_true(ns == (NOON_S - 31 * 3600) * S);
	setenv("TZ", "UTC", 1);
	tzset();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_what_people_mean),
		cmocka_unit_test(others_are_refused),
		cmocka_unit_test(a_clock_is_the_local_one),
	};

	setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
