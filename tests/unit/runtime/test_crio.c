/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_crio.c - containers of crio are matched and their monitors are not. */
#include "unit/runtime/match.h"

extern const struct ctd_runtime ctd_runtime_crio;

static void containers_of_crio_are_matched_and_their_monitors_are_not(void **state)
{
	static const struct match_case cases[] = {
		{__LINE__, "crio-" ID ".scope", true},
		{__LINE__, "crio-" ID, true},
		{__LINE__, "pod" UID "/crio-" ID, true},
		{__LINE__, "crio-conmon-" ID ".scope", false},
		{__LINE__, "crio-conmon-" ID, false},
		{__LINE__, "crio-" ID ".scope/container", false},
		{__LINE__, "crio.service", false},
		{__LINE__, "crio-" ID ".slice", false},
	};

	(void)state;
	expect_matches(&ctd_runtime_crio, cases, COUNT(cases));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(containers_of_crio_are_matched_and_their_monitors_are_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
