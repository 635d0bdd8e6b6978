/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_nerdctl.c - units of nerdctl are matched. */
#include "unit/runtime/match.h"

extern const struct ctd_runtime ctd_runtime_nerdctl;

static void units_of_nerdctl_are_matched(void **state)
{
	static const struct match_case cases[] = {
		{__LINE__, "system.slice/nerdctl-" ID ".scope", true},
		{__LINE__, "system.slice:nerdctl:" ID, true},
		{__LINE__, "nerdctl-" ID, false},
		{__LINE__, "default/" ID, false},
	};

	(void)state;
	expect_matches(&ctd_runtime_nerdctl, cases, COUNT(cases));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(units_of_nerdctl_are_matched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
