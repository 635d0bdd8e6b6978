/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_root.c - files are read below the root directory, whole or not at all. */
#include "base/root.h"

#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/auto.h"

static char directory[] = "/tmp/ctd-test-root-XXXXXX";
static char file_path[sizeof(directory) + sizeof("/sys/file")];

static int make_root(void **state)
{
	char path[sizeof(file_path)];

	(void)state;
	if (!mkdtemp(directory))
		return -1;
	snprintf(path, sizeof(path), "%s/sys", directory);
	snprintf(file_path, sizeof(file_path), "%s/sys/file", directory);
	ctd_root_set(directory);
	return mkdir(path, 0700);
}

static int remove_root(void **state)
{
	char path[sizeof(file_path)];

	(void)state;
	ctd_root_set(NULL);
	unlink(file_path);
	snprintf(path, sizeof(path), "%s/sys", directory);
	return rmdir(path) || rmdir(directory);
}

static void write_file(const char *text, size_t bytes)
{
	autofclose FILE *file = fopen(file_path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, bytes, file), bytes);
}

static void paths_lie_below_the_root(void **state)
{
	char path[CTD_PATH_MAX], want[CTD_PATH_MAX];

	(void)state;
	assert_string_equal(ctd_root(), directory);
	assert_int_equal(ctd_root_path(path, "/sys/cpu%d", 3), 0);
	snprintf(want, sizeof(want), "%s/sys/cpu3", directory);
	assert_string_equal(path, want);
}

static void no_root_directory_is_the_real_root(void **state)
{
	char path[CTD_PATH_MAX];

	(void)state;
	ctd_root_set(NULL);
	assert_string_equal(ctd_root(), "");
	assert_int_equal(ctd_root_path(path, "/sys"), 0);
	assert_string_equal(path, "/sys");
	ctd_root_set(directory);
}

static void a_path_that_does_not_fit_is_refused(void **state)
{
	int room = CTD_PATH_MAX - (int)strlen(directory);
	char path[CTD_PATH_MAX] = "before";
	char text[16];

	(void)state;
	assert_int_equal(ctd_root_path(path, "/%*s", room - 1, "x"), -ENAMETOOLONG);
	assert_string_equal(path, "before");
	assert_int_equal(ctd_root_read(text, sizeof(text), "/%*s", room - 1, "x"), -ENAMETOOLONG);
	assert_int_equal(ctd_root_path(path, "/%*s", room - 2, "x"), 0);
	assert_int_equal(strlen(path), CTD_PATH_MAX - 1);
}

static void a_text_is_read_without_one_trailing_newline(void **state)
{
	static const struct {
		int line;
		const char *content, *want;
	} cases[] = {
		{__LINE__, "", ""},
		{__LINE__, "\n", ""},
		{__LINE__, "cpu\n", "cpu"},
		{__LINE__, "cpu", "cpu"},
		{__LINE__, "a\nb\n\n", "a\nb\n"},
		/* The longest texts that fit into the eight bytes below. */
		{__LINE__, "1234567", "1234567"},
		{__LINE__, "1234567\n", "1234567"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[8];
		ssize_t got;

		write_file(cases[i].content, strlen(cases[i].content));
		got = ctd_root_read(text, sizeof(text), "/sys/%s", "file");
		if (got != (ssize_t)strlen(cases[i].want) || strcmp(text, cases[i].want))
			fail_msg("line %d: got %zd", cases[i].line, got);
	}
}

static void failure_leaves_the_text_alone(void **state)
{
	char text[8] = "before";

	(void)state;
	write_file("12345678", 8);
	assert_int_equal(ctd_root_read(text, sizeof(text), "/sys/file"), -EFBIG);
	write_file("12345678\n", 9);
	assert_int_equal(ctd_root_read(text, sizeof(text), "/sys/file"), -EFBIG);
	assert_int_equal(ctd_root_read(text, sizeof(text), "/sys/missing"), -ENOENT);
	assert_int_equal(ctd_root_read(text, sizeof(text), "/sys"), -EISDIR);
	assert_string_equal(text, "before");
}

static void integers_are_decimal_or_hex(void **state)
{
	static const struct {
		int line;
		const char *content;
		int want;
		long long value;
	} cases[] = {
		{__LINE__, "4\n", 0, 4},
		{__LINE__, "-1\n", 0, -1},
		{__LINE__, "010", 0, 10},
		{__LINE__, "0x1f\n", 0, 31},
		{__LINE__, "0x7fffffffffffffff", 0, LLONG_MAX},
		{__LINE__, "0xffffffffffffffff", -ERANGE, 0},
		{__LINE__, "9223372036854775808", -ERANGE, 0},
		{__LINE__, "", -EINVAL, 0},
		{__LINE__, "0x", -EINVAL, 0},
		{__LINE__, "0x-1", -EINVAL, 0},
		{__LINE__, "1f", -EINVAL, 0},
		{__LINE__, "1 2", -EINVAL, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		long long value = 77;
		long long want = cases[i].want ? 77 : cases[i].value;
		int got;

		write_file(cases[i].content, strlen(cases[i].content));
		got = ctd_root_read_integer(&value, "/sys/file");
		if (got != cases[i].want || value != want)
			fail_msg("line %d: got %d, %lld", cases[i].line, got, value);
	}
	unlink(file_path);
	long long value = 77;
	assert_int_equal(ctd_root_read_integer(&value, "/sys/file"), -ENOENT);
	assert_int_equal(value, 77);
}

static void whole_files_are_read_up_to_their_limit(void **state)
{
	static char content[20000];
	autofree char *text = NULL;
	size_t bytes = 77;

	(void)state;
	memset(content, 'x', sizeof(content));
	write_file(content, sizeof(content));
	assert_int_equal(ctd_read_file(file_path, sizeof(content) - 1, &text, &bytes), -EFBIG);
	assert_null(text);
	assert_int_equal(bytes, 77);
	assert_int_equal(ctd_read_file(file_path, sizeof(content), &text, &bytes), 0);
	assert_int_equal(bytes, sizeof(content));
	assert_int_equal(strlen(text), sizeof(content));
	assert_memory_equal(text, content, sizeof(content));
}

static void an_empty_file_is_an_empty_text(void **state)
{
	autofree char *text = NULL;
	size_t bytes = 77;

	(void)state;
	write_file("", 0);
	assert_int_equal(ctd_read_file(file_path, 0, &text, &bytes), 0);
	assert_int_equal(bytes, 0);
	assert_string_equal(text, "");
}

static void what_can_be_read_once_is_not_read_again(void **state)
{
	autofree char *text = NULL;
	size_t bytes = 77;
	int ends[2];
	char path[32];

	(void)state;
	/* Whose end was written by somebody who is gone, as <(...) of a shell. */
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "once", 4), 4);
	close(ends[1]);
	snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
	assert_int_equal(ctd_read_named_file(path, true, 10, &text, &bytes), -ESPIPE);
	assert_int_equal(bytes, 77);
	assert_null(text);
	assert_int_equal(ctd_read_named_file(path, false, 10, &text, &bytes), 0);
	assert_string_equal(text, "once");
	free(take_ptr(text));
	close(ends[0]);

	assert_int_equal(ctd_read_named_file("/dev/null", true, 10, &text, &bytes), -ESPIPE);
	assert_int_equal(ctd_read_named_file("/", true, 10, &text, &bytes), -EISDIR);
	unlink(file_path);
	assert_int_equal(mkfifo(file_path, 0600), 0);
	alarm(20);
	assert_int_equal(ctd_read_file(file_path, 10, &text, &bytes), -ESPIPE);
	assert_int_equal(ctd_root_read(path, sizeof(path), "/sys/file"), -ESPIPE);
	assert_int_equal(ctd_read_named_file(file_path, true, 10, &text, &bytes), -ESPIPE);
	alarm(0);
	unlink(file_path);
	write_file("file", 4);
	assert_int_equal(ctd_read_named_file(file_path, true, 10, &text, &bytes), 0);
	assert_string_equal(text, "file");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_lie_below_the_root),
		cmocka_unit_test(no_root_directory_is_the_real_root),
		cmocka_unit_test(a_path_that_does_not_fit_is_refused),
		cmocka_unit_test(a_text_is_read_without_one_trailing_newline),
		cmocka_unit_test(failure_leaves_the_text_alone),
		cmocka_unit_test(integers_are_decimal_or_hex),
		cmocka_unit_test(whole_files_are_read_up_to_their_limit),
		cmocka_unit_test(an_empty_file_is_an_empty_text),
		cmocka_unit_test(what_can_be_read_once_is_not_read_again),
	};

	return cmocka_run_group_tests_name("root", tests, make_root, remove_root);
}
