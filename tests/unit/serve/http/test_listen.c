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
		{__LINE__, "127.0.0.1:0", "Proxy.example:80", true},
		{__LINE__, "127.0.0.1:0", "a.proxy.example", false},
	};
	static const char *const more[] = {"proxy.example", NULL};
	static const struct ctd_socket_access access;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ctd_listen_address address = {};
		int fd = -1;

		assert_int_equal(ctd_listen_parse(cases[i].listen, &address), 0);
		assert_int_equal(ctd_listen_open(&address, &access, &fd), 0);
		if (ctd_listen_is_named(&address, more, fd, cases[i].host) != cases[i].is_named)
			fail_msg("line %d", cases[i].line);
		close(fd);
	}
}

/* A socket at a path of its own, in a directory that is made for it. */
struct place {
	char directory[40], text[80];
	struct ctd_listen_address address;
};

static void make_place(struct place *place)
{
	*place = (struct place){.directory = "/tmp/ctd-test-listen-XXXXXX"};
	assert_non_null(mkdtemp(place->directory));
	snprintf(place->text, sizeof(place->text), "unix:%s/made/socket", place->directory);
	assert_int_equal(ctd_listen_parse(place->text, &place->address), 0);
}

static void remove_place(struct place *place)
{
	char made[64];

	unlink(place->address.host);
	snprintf(made, sizeof(made), "%s/made", place->directory);
	assert_int_equal(rmdir(made), 0);
	assert_int_equal(rmdir(place->directory), 0);
}

static unsigned int mode_of(const char *path)
{
	struct stat status;

	assert_int_equal(stat(path, &status), 0);
	return status.st_mode & 07777;
}

static void a_path_is_for_owner_and_group(void **state)
{
	static const struct {
		const char *mode;
		mode_t umask;
		unsigned int is;
	} cases[] = {{NULL, 0, 0660}, {NULL, 0777, 0660}, {"0600", 0, 0600}, {"0666", 022, 0666}};
	struct place place;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct ctd_socket_access access = {.mode = cases[i].mode};
		mode_t before;
		int fd = -1, other = -1;

		make_place(&place);
		before = umask(cases[i].umask);
		assert_int_equal(ctd_listen_open(&place.address, &access, &fd), 0);
		umask(before);
		assert_int_equal(mode_of(place.address.host), cases[i].is);
		assert_int_equal(ctd_listen_open(&place.address, &access, &other), -EADDRINUSE);
		assert_true(ctd_listen_is_named(&place.address, NULL, fd, "any"));
		close(fd);
		remove_place(&place);
	}
}

static void a_directory_that_is_made_can_be_entered(void **state)
{
	static const struct ctd_socket_access access;
	char made[64];
	struct place place;
	mode_t before = umask(0077);
	int fd = -1;

	(void)state;
	make_place(&place);
	assert_int_equal(ctd_listen_open(&place.address, &access, &fd), 0);
	umask(before);
	snprintf(made, sizeof(made), "%s/made", place.directory);
	assert_int_equal(mode_of(made), 0755);
	close(fd);
	remove_place(&place);
}

static void the_group_is_a_name_or_a_number(void **state)
{
	char number[16];
	const struct ctd_socket_access own = {.group = number}, none = {.group = "no-such-group"};
	struct place place;
	struct stat status;
	int fd = -1;

	(void)state;
	snprintf(number, sizeof(number), "%u", getegid());
	make_place(&place);
	assert_int_equal(ctd_listen_open(&place.address, &none, &fd), -EINVAL);
	assert_int_equal(access(place.address.host, F_OK), -1);
	assert_int_equal(ctd_listen_open(&place.address, &own, &fd), 0);
	assert_int_equal(stat(place.address.host, &status), 0);
	assert_int_equal(status.st_gid, getegid());
	close(fd);
	remove_place(&place);
}

static void what_is_no_socket_stays(void **state)
{
	static const struct ctd_socket_access access;
	struct ctd_listen_address address;
	char path[] = "/tmp/ctd-test-listen-XXXXXX", text[64];
	int file = mkstemp(path), fd = -1;

	(void)state;
	assert_true(file >= 0);
	snprintf(text, sizeof(text), "unix:%s", path);
	assert_int_equal(ctd_listen_parse(text, &address), 0);
	assert_int_equal(ctd_listen_open(&address, &access, &fd), -EADDRINUSE);
	assert_int_equal(mode_of(path), 0600);
	close(file);
	assert_int_equal(unlink(path), 0);
}

static void a_mode_is_octal(void **state)
{
	static const char *const none[] = {"",	    "8",  "0o660", "rw",  "1777",
					   "00660", "-1", " 660",  "432", "0960"};
	uint32_t mode = 1;

	(void)state;
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		if (ctd_socket_mode_parse(none[i], &mode) != -EINVAL)
			fail_msg("'%s' is taken", none[i]);
	assert_int_equal(mode, 1);
	assert_int_equal(ctd_socket_mode_parse("0640", &mode), 0);
	assert_int_equal(mode, 0640);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_is_a_host_and_a_port_or_a_path),
		cmocka_unit_test(what_is_none_is_refused),
		cmocka_unit_test(a_loopback_listener_has_names_of_its_own),
		cmocka_unit_test(a_path_is_for_owner_and_group),
		cmocka_unit_test(a_directory_that_is_made_can_be_entered),
		cmocka_unit_test(the_group_is_a_name_or_a_number),
		cmocka_unit_test(what_is_no_socket_stays),
		cmocka_unit_test(a_mode_is_octal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
