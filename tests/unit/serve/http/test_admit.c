/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_admit.c - an address of IPv4, or a network of IPv6, counts as one client. */
#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "serve/http/http.h"

static uint64_t group_of(const char *text)
{
	struct sockaddr_in v4 = {.sin_family = AF_INET};
	struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};

	if (inet_pton(AF_INET, text, &v4.sin_addr) == 1)
		return ctd_http_group((const struct sockaddr *)&v4);
	assert_int_equal(inet_pton(AF_INET6, text, &v6.sin6_addr), 1);
	return ctd_http_group((const struct sockaddr *)&v6);
}

static void each_address_of_ipv4_is_a_client(void **state)
{
	(void)state;
	assert_true(group_of("192.0.2.1") != group_of("192.0.2.2"));
	assert_true(group_of("192.0.2.1") != group_of("198.51.100.1"));
	/* As a socket that takes both has them. */
	assert_true(group_of("192.0.2.1") == group_of("::ffff:192.0.2.1"));
	assert_true(group_of("0.0.0.0") != ctd_http_group(NULL));
}

static void a_network_of_ipv6_of_64_bits_is_a_client(void **state)
{
	(void)state;
	assert_true(group_of("2001:db8:1:2::1") == group_of("2001:db8:1:2:ffff:ffff:ffff:ffff"));
	assert_true(group_of("2001:db8:1:2::1") != group_of("2001:db8:1:3::1"));
	assert_true(group_of("2001:db8:1:2::1") != group_of("2001:db9:1:2::1"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_address_of_ipv4_is_a_client),
		cmocka_unit_test(a_network_of_ipv6_of_64_bits_is_a_client),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
