/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_suggest.c - slips of the fingers find the name that was meant, other words find none. */
#include "app/options/suggest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* 32 letters, the longest that is looked at, and 33. */
#define LONGEST "abcdefghijklmnopqrstuvwxyzabcdef"
#define TOO_LONG LONGEST "g"

static void the_nearest_name_is_found_or_none(void **state)
{
	static const struct {
		int line;
		const char *given, *names[4], *nearest;
	} cases[] = {
		{__LINE__, "record", {"report", "record"}, "record"},
		{__LINE__, "recrod", {"stat", "report", "record"}, "record"},
		{__LINE__, "stats", {"stat", "list"}, "stat"}, /* one too many */
		{__LINE__, "tat", {"list", "stat"}, "stat"}, /* one too few */
		{__LINE__, "lost", {"list", "stat"}, "list"}, /* another */
		{__LINE__, "colour", {"color", "cpus"}, "color"},
		/* Two of three are too many in a short word, a third of a long one is not. */
		{__LINE__, "sxxt", {"stat"}, NULL},
		{__LINE__, "max-slyze", {"max-slice"}, "max-slice"},
		{__LINE__, "mxx-slyze", {"max-slice"}, "max-slice"},
		{__LINE__, "mxxxslyze", {"max-slice"}, NULL},
		/* A beginning of two letters or more. */
		{__LINE__, "int", {"count", "interval"}, "interval"},
		{__LINE__, "i", {"interval"}, NULL},
		/* The first of those that are equally near. */
		{__LINE__, "cat", {"bat", "rat"}, "bat"},
		/* Nothing of the name is left. */
		{__LINE__, "x", {"y"}, NULL},
		{__LINE__, "", {"y", "stat"}, NULL},
		{__LINE__, "frobnicate", {"stat", "record", "report"}, NULL},
		{__LINE__, "record", {NULL}, NULL},
		{__LINE__, LONGEST, {LONGEST "x", LONGEST}, LONGEST},
		{__LINE__, TOO_LONG, {LONGEST}, NULL},
		{__LINE__, LONGEST, {TOO_LONG}, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_suggestion suggestion = {.given = cases[i].given};

		for (int name = 0; name < 4 && cases[i].names[name]; name++)
			ctd_suggestion_try(&suggestion, cases[i].names[name]);
		if (strcmp(suggestion.nearest ? suggestion.nearest : "(none)",
			   cases[i].nearest ? cases[i].nearest : "(none)") != 0)
			fail_msg("line %d: '%s' is taken for '%s'", cases[i].line, cases[i].given,
				 suggestion.nearest ? suggestion.nearest : "(none)");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_nearest_name_is_found_or_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
