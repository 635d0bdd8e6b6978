/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_headers.c - files of HTTP headers, good and bad. */
#include "serve/push/headers.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static int read_text(const char *text, size_t bytes, struct ctd_headers *ret_headers)
{
	char path[] = "/tmp/ctd-headers-XXXXXX";
	int fd = mkstemp(path), error;

	assert_int_equal(write(fd, text, bytes), bytes);
	close(fd);
	error = ctd_headers_read(path, false, ret_headers);
	unlink(path);
	return error;
}

static void lines_become_headers(void **state)
{
	static const char text[] = "# a secret\nAuthorization: Bearer a:b=c \r\n\nX-Scope-OrgID:1";
	struct ctd_headers headers;

	(void)state;
	assert_int_equal(read_text(text, strlen(text), &headers), 0);
	assert_int_equal(headers.count, 2);
	assert_string_equal(headers.header[0], "Authorization=Bearer a:b=c");
	assert_string_equal(headers.header[1], "X-Scope-OrgID=1");
	ctd_headers_free(&headers);
}

static void an_empty_file_has_none(void **state)
{
	struct ctd_headers headers;

	(void)state;
	assert_int_equal(read_text("", 0, &headers), 0);
	assert_int_equal(headers.count, 0);
	ctd_headers_free(&headers);
}

static void what_is_no_header_is_refused(void **state)
{
	static const struct {
		const char *text;
		size_t bytes;
	} cases[] = {
		{"Authorization Bearer", 20}, {": value", 7},	{"a b: c", 6},
		{"good: 1\nbad", 11},	      {"nul: a\0b", 8}, {" folded: 1", 10},
	};
	struct ctd_headers headers = {.count = 77};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(read_text(cases[i].text, cases[i].bytes, &headers), -EINVAL);
		assert_int_equal(headers.count, 77);
	}
}

static void more_than_fit_are_refused(void **state)
{
	char text[CTD_HEADERS_MAX * 5 + 6] = "";
	struct ctd_headers headers;

	(void)state;
	for (int i = 0; i < CTD_HEADERS_MAX; i++)
		strcat(text, "a: b\n");
	assert_int_equal(read_text(text, strlen(text), &headers), 0);
	assert_int_equal(headers.count, CTD_HEADERS_MAX);
	ctd_headers_free(&headers);
	strcat(text, "c: d\n");
	assert_int_equal(read_text(text, strlen(text), &headers), -E2BIG);
}

static void a_file_that_is_not_there_is_an_error(void **state)
{
	struct ctd_headers headers;

	(void)state;
	assert_int_equal(ctd_headers_read("/nonexistent/headers", false, &headers), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_become_headers),
		cmocka_unit_test(an_empty_file_has_none),
		cmocka_unit_test(what_is_no_header_is_refused),
		cmocka_unit_test(more_than_fit_are_refused),
		cmocka_unit_test(a_file_that_is_not_there_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
