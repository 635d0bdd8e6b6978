/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_oci.c - a bare id is a container unless it is a pod of podman. */
#include "unit/runtime/match.h"

extern const struct ctd_runtime ctd_runtime_oci;

static void a_bare_id_is_a_container_unless_it_is_a_pod_of_podman(void **state)
{
	static const struct match_case cases[] = {
		{__LINE__, ID, true},
		{__LINE__, "default/" ID, true},
		{__LINE__, "a/b/c/" ID, true},
		{__LINE__, "libpod_parent/" ID, false},
		{__LINE__, "default/c1", false},
		{__LINE__, "default/" ID "0", false},
		{__LINE__, "x-" ID, false},
	};

	(void)state;
	expect_matches(&ctd_runtime_oci, cases, COUNT(cases));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bare_id_is_a_container_unless_it_is_a_pod_of_podman),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
