/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_docker.c - containers of docker are units or lie in its directory. */
#include "unit/runtime/match.h"

extern const struct ctd_runtime ctd_runtime_docker;

static void containers_of_docker_are_units_or_lie_in_its_directory(void **state)
{
	static const struct match_case cases[] = {
		{__LINE__, "docker-" ID ".scope", true},
		{__LINE__, "docker/" ID, true},
		{__LINE__, POD_ID "/docker/" ID, true},
		{__LINE__, "system.slice:docker:" ID, true},
		{__LINE__, ID, false},
		{__LINE__, "x/" ID, false},
		{__LINE__, "docker/x/" ID, false},
		{__LINE__, "dockers/" ID, false},
		{__LINE__, "docker/docker", false},
		{__LINE__, "docker-" ID, false},
		{__LINE__, "docker", false},
	};

	(void)state;
	expect_matches(&ctd_runtime_docker, cases, COUNT(cases));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(containers_of_docker_are_units_or_lie_in_its_directory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
