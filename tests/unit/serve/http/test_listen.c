/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_listen.c - what an address to listen on may look like. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>

#include "serve/http/listen.h"

static void an_address_is_a_host_and_a_port_or_a_path(void **state)
{
	static const struct {
		int line;
		const char *text, *host, *port;
		bool is_path;
	} cases[] = {
		{__LINE__, "127.0.0.1:9753", "127.0.0.1", "9753", false},
		{__LINE__, "[::1]:9753", "::1", "9753", false},
		{__LINE__, "[::]:0", "::", "0", false},
		{__LINE__, "localhost:80", "localhost", "80", false},
		{__LINE__, ":9753", "", "9753", false},
		{__LINE__, "*:9753", "", "9753", false},
		{__LINE__, "node-1.example.org:65535", "node-1.example.org", "65535", false},
		{__LINE__, "unix:/run/cgtopdown.sock", "/run/cgtopdown.sock", "", true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ctd_listen_address address = {};

		if (ctd_listen_parse(cases[i].text, &address) ||
		    strcmp(address.host, cases[i].host) != 0 ||
		    strcmp(address.port, cases[i].port) != 0 || address.is_path != cases[i].is_path)
			fail_msg("line %d: host '%s' port '%s'", cases[i].line, address.host,
				 address.port);
	}
}

static void what_is_none_is_refused(void **state)
{
	static const char long_path[] =
		"unix:/0123456789012345678901234567890123456789012345678901234567890123456789"
		"0123456789012345678901234567890123456789";
	static const char *const texts[] = {
		"",	     "9753",	      "127.0.0.1",    "127.0.0.1:", "127.0.0.1:x",
		"a:65536",   "a:-1",	      "::1:9753",     "[]:9753",    "[::1]",
		"[::1:9753", "unix:relative", "unix:",	      "[::1]9753",  "a: 9753",
		"a:+1",	     "http://a:9753", "127.0.0.1:1x", "[[::1]]x:1", "[127.0.0.1]:1",
		long_path,
	};
	struct ctd_listen_address address = {.host = "untouched"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (ctd_listen_parse(texts[i], &address) != -EINVAL)
			fail_msg("'%s' is taken as '%s'", texts[i], address.host);
	assert_string_equal(address.host, "untouched");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_is_a_host_and_a_port_or_a_path),
		cmocka_unit_test(what_is_none_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
