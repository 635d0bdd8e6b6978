/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_containerd.c - units of containerd are matched under either spelling. */
#include "unit/runtime/match.h"

extern const struct ctd_runtime ctd_runtime_containerd;

static void units_of_containerd_are_matched_under_either_spelling(void **state)
{
	static const struct match_case cases[] = {
		{__LINE__, "cri-containerd-" ID ".scope", true},
		{__LINE__, "a.slice/cri-containerd-" ID ".scope", true},
		{__LINE__, "kubepods-pod" UID_IN_SLICE ".slice:cri-containerd:" ID, true},
		{__LINE__, "cri-containerd-" ID, false},
		{__LINE__, "containerd-" ID ".scope", false},
		{__LINE__, "cri-containerd-" ID ".scope/container", false},
		{__LINE__, "containerd.service", false},
		{__LINE__, "docker-" ID ".scope", false},
		{__LINE__, "default/" ID, false},
	};

	(void)state;
	expect_matches(&ctd_runtime_containerd, cases, COUNT(cases));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(units_of_containerd_are_matched_under_either_spelling),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
