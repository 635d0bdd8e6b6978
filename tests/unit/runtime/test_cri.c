/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_cri.c - a bare id right below a pod is a container. */
#include "unit/runtime/match.h"

extern const struct ctd_runtime ctd_runtime_cri;

static void a_bare_id_right_below_a_pod_is_a_container(void **state)
{
	static const struct match_case cases[] = {
		{__LINE__, "kubepods/pod" UID "/" ID, true},
		{__LINE__, "kubepods-pod" UID_IN_SLICE ".slice/" ID, true},
		{__LINE__, ID, false},
		{__LINE__, "docker/" ID, false},
		{__LINE__, "pod" UID "/x/" ID, false},
		{__LINE__, "pod/" ID, false},
		{__LINE__, "pod" UID "/crio-" ID, false},
		{__LINE__, "pod" UID "/x", false},
	};

	(void)state;
	expect_matches(&ctd_runtime_cri, cases, COUNT(cases));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bare_id_right_below_a_pod_is_a_container),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
