/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_listen.c - what an address to listen on may look like. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static void a_loopback_listener_has_names_of_its_own(void **state)
{
	static const struct {
		int line;
		const char *listen, *host;
		bool is_named;
	} cases[] = {
		{__LINE__, "127.0.0.1:0", "127.0.0.1:9753", true},
		{__LINE__, "127.0.0.1:0", "LocalHost", true},
		{__LINE__, "127.0.0.1:0", "[::1]:9753", true},
		{__LINE__, "127.0.0.1:0", NULL, true},
		{__LINE__, "127.0.0.2:0", "127.0.0.2:9753", true},
		{__LINE__, "127.0.0.1:0", "evil.example:9753", false},
		{__LINE__, "127.0.0.1:0", "localhost.evil.example", false},
		{__LINE__, "127.0.0.1:0", "local", false},
		{__LINE__, "127.0.0.1:0", "[::1", false},
		{__LINE__, "127.0.0.1:0", "", false},
		{__LINE__, "0.0.0.0:0", "node-1:9753", true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ctd_listen_address address = {};
		int fd = -1;

		assert_int_equal(ctd_listen_parse(cases[i].listen, &address), 0);
		assert_int_equal(ctd_listen_open(&address, &fd), 0);
		if (ctd_listen_is_named(&address, fd, cases[i].host) != cases[i].is_named)
			fail_msg("line %d", cases[i].line);
		close(fd);
	}
}

static void a_path_is_for_owner_and_group(void **state)
{
	char directory[] = "/tmp/ctd-test-listen-XXXXXX", text[64];
	struct ctd_listen_address address = {};
	struct stat status;
	mode_t before;
	int fd = -1, other = -1;

	(void)state;
	assert_non_null(mkdtemp(directory));
	snprintf(text, sizeof(text), "unix:%s/socket", directory);
	assert_int_equal(ctd_listen_parse(text, &address), 0);
	before = umask(0);
	assert_int_equal(ctd_listen_open(&address, &fd), 0);
	umask(before);
	assert_int_equal(stat(address.host, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0660);
	assert_int_equal(ctd_listen_open(&address, &other), -EADDRINUSE);
	assert_true(ctd_listen_is_named(&address, fd, "any"));
	close(fd);
	ctd_listen_remove(&address);
	assert_int_equal(rmdir(directory), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_is_a_host_and_a_port_or_a_path),
		cmocka_unit_test(what_is_none_is_refused),
		cmocka_unit_test(a_loopback_listener_has_names_of_its_own),
		cmocka_unit_test(a_path_is_for_owner_and_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
