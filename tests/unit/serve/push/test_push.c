/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_push.c - what is refused before anything is sent. tests/progrun/otlp has the rest. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "serve/push/push.h"

/* Creates with stderr kept; @return what was logged, the caller's. */
static char *new_log(const char *url, const char *header, int *ret_error)
{
	const char *headers[] = {header, NULL};
	struct ctd_push_options options = {.url = url, .headers = headers};
	struct ctd_push *push = NULL;
	char path[] = "/tmp/ctd-push-XXXXXX", *text = calloc(1, 1000);
	int stderr_fd = dup(STDERR_FILENO), fd = mkstemp(path);

	dup2(fd, STDERR_FILENO);
	*ret_error = ctd_push_new(&options, &push);
	dup2(stderr_fd, STDERR_FILENO);
	close(stderr_fd);
	assert_true(pread(fd, text, 999, 0) >= 0);
	close(fd);
	unlink(path);
	ctd_push_free(push);
	return text;
}

static void urls_and_headers_that_cannot_be_are_refused_without_telling_secrets(void **state)
{
	static const struct {
		int line;
		const char *url, *header, *said;
	} cases[] = {
		{__LINE__, "ftp://secret@host/", NULL, "no URL"},
		{__LINE__, "file:///etc/passwd", NULL, "no URL"},
		{__LINE__, "host secret", NULL, "no URL"},
		{__LINE__, "", NULL, "no URL"},
		{__LINE__, "http://127.0.0.1:1/", "Authorization", "NAME=VALUE"},
		{__LINE__, "http://127.0.0.1:1/", "Authorization: secret", "NAME=VALUE"},
		{__LINE__, "http://127.0.0.1:1/", "=secret", "NAME=VALUE"},
		{__LINE__, "http://127.0.0.1:1/", "A=secret\r\nB: secret", "line break"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int error;
		char *text = new_log(cases[i].url, cases[i].header, &error);

		if (error != -EINVAL || !strstr(text, cases[i].said) || strstr(text, "secret"))
			fail_msg("case of line %d: %d %s", cases[i].line, error, text);
		free(text);
	}
}

static void one_that_never_had_a_view_ends_at_once(void **state)
{
	int error;
	char *text = new_log("https://u:p@127.0.0.1:1/v1/metrics?key=k", "A=", &error);

	(void)state;
	assert_int_equal(error, 0);
	assert_string_equal(text, "");
	free(text);
}

static void write_headers(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static void a_file_of_headers_is_read_again_when_it_changes(void **state)
{
	char path[] = "/tmp/ctd-push-XXXXXX";
	const struct ctd_push_options options = {.url = "http://127.0.0.1:1/", .header_file = path};
	struct ctd_push *push;

	(void)state;
	close(mkstemp(path));
	write_headers(path, "A: 1\n");
	assert_int_equal(ctd_push_new(&options, &push), 0);
	assert_int_equal(ctd_push_look(true, push), 0);
	write_headers(path, "no header\n");
	assert_int_equal(ctd_push_look(false, push), -EINVAL);
	/* It is told once, and again when somebody asks. */
	assert_int_equal(ctd_push_look(false, push), 0);
	assert_int_equal(ctd_push_look(true, push), -EINVAL);
	write_headers(path, "A: another\n");
	assert_int_equal(ctd_push_look(false, push), 0);
	assert_int_equal(ctd_push_look(true, push), 0);
	ctd_push_free(push);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			urls_and_headers_that_cannot_be_are_refused_without_telling_secrets),
		cmocka_unit_test(one_that_never_had_a_view_ends_at_once),
		cmocka_unit_test(a_file_of_headers_is_read_again_when_it_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
