/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_podman.c - containers of podman are matched and their monitors and pods are not. */
#include "unit/runtime/match.h"

extern const struct ctd_runtime ctd_runtime_podman;

static void containers_of_podman_are_matched_and_their_monitors_and_pods_are_not(void **state)
{
	static const struct match_case cases[] = {
		{__LINE__, "libpod-" ID ".scope", true},
		{__LINE__, "libpod_parent/libpod-" ID, true},
		{__LINE__, "web.service/libpod-payload-" ID, true},
		{__LINE__, "libpod_parent/" POD_ID "/libpod-" ID, true},
		{__LINE__, "libpod-conmon-" ID ".scope", false},
		{__LINE__, "libpod-conmon-" ID, false},
		{__LINE__, "machine-libpod_pod_" ID ".slice", false},
		{__LINE__, "libpod_parent/" ID, false},
		{__LINE__, "libpod-" ID ".scope/container", false},
	};

	(void)state;
	expect_matches(&ctd_runtime_podman, cases, COUNT(cases));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			containers_of_podman_are_matched_and_their_monitors_and_pods_are_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
