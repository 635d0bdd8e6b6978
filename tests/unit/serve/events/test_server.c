/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_server.c - the API server by the environment of a pod. */
#include "serve/events/server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void it_is_where_the_environment_says(void **state)
{
	char url[64];

	(void)state;
	unsetenv("KUBERNETES_SERVICE_HOST");
	unsetenv("KUBERNETES_SERVICE_PORT");
	assert_false(ctd_api_server_url(url, sizeof(url)));
	setenv("KUBERNETES_SERVICE_HOST", "", 1);
	assert_false(ctd_api_server_url(url, sizeof(url)));
	setenv("KUBERNETES_SERVICE_HOST", "10.96.0.1", 1);
	assert_true(ctd_api_server_url(url, sizeof(url)));
	assert_string_equal(url, "https://10.96.0.1:443");
	setenv("KUBERNETES_SERVICE_PORT", "6443", 1);
	assert_true(ctd_api_server_url(url, sizeof(url)));
	assert_string_equal(url, "https://10.96.0.1:6443");
	assert_false(ctd_api_server_url(url, 10));
}

static void an_address_of_ipv6_gets_brackets(void **state)
{
	char url[64];

	(void)state;
	setenv("KUBERNETES_SERVICE_PORT", "443", 1);
	setenv("KUBERNETES_SERVICE_HOST", "fd00::1", 1);
	assert_true(ctd_api_server_url(url, sizeof(url)));
	assert_string_equal(url, "https://[fd00::1]:443");
	setenv("KUBERNETES_SERVICE_HOST", "[fd00::1]", 1);
	assert_true(ctd_api_server_url(url, sizeof(url)));
	assert_string_equal(url, "https://[fd00::1]:443");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_where_the_environment_says),
		cmocka_unit_test(an_address_of_ipv6_gets_brackets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
