/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_file.c - small files are read, and a change of one is seen once. */
#include "serve/file.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static void a_change_is_seen_once(void **state)
{
	static const struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
	char path[] = "/tmp/ctd-file-XXXXXX", other[64];
	struct ctd_watched_file file = {.path = path};

	(void)state;
	close(mkstemp(path));
	assert_true(ctd_watched_file_changed(&file));
	assert_false(ctd_watched_file_changed(&file));
	write_file(path, "longer");
	assert_true(ctd_watched_file_changed(&file));
	/* Of the same length. */
	write_file(path, "secret");
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	assert_true(ctd_watched_file_changed(&file));
	/* Of the same length and time. */
	snprintf(other, sizeof(other), "%s.new", path);
	write_file(other, "others");
	assert_int_equal(utimensat(AT_FDCWD, other, times, 0), 0);
	assert_int_equal(rename(other, path), 0);
	assert_true(ctd_watched_file_changed(&file));
	assert_false(ctd_watched_file_changed(&file));
	unlink(path);
	assert_false(ctd_watched_file_changed(&file));
}

static void a_pipe_does_not_change_and_is_not_waited_for(void **state)
{
	char path[] = "/tmp/ctd-file-XXXXXX";
	struct ctd_watched_file file = {.path = path};
	struct ctd_secret secret = {.bytes = 77};

	(void)state;
	close(mkstemp(path));
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_false(ctd_watched_file_changed(&file));
	assert_int_equal(ctd_secret_read(path, true, &secret), -ESPIPE);
	assert_int_equal(secret.bytes, 77);
	unlink(path);
}

static void a_pipe_says_the_same_until_a_file_takes_its_place(void **state)
{
	char path[] = "/tmp/ctd-file-XXXXXX", link[32];
	struct ctd_watched_file file = {.path = link};
	struct ctd_secret secret;
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "once", 4), 4);
	close(ends[1]);
	snprintf(link, sizeof(link), "/dev/fd/%d", ends[0]);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(ctd_watched_file_read(&file, &secret), 0);
		assert_string_equal(secret.text, "once");
		assert_int_equal(secret.bytes, 4);
		ctd_secret_free(&secret);
		/* Nor does it matter whether the pipe is still there. */
		if (i == 1)
			close(ends[0]);
	}
	close(mkstemp(path));
	write_file(path, "file");
	file.path = path;
	assert_int_equal(ctd_watched_file_read(&file, &secret), 0);
	assert_string_equal(secret.text, "file");
	ctd_secret_free(&secret);
	unlink(path);
	assert_int_equal(ctd_watched_file_read(&file, &secret), -ENOENT);
	ctd_watched_file_free(&file);
}

static void without_a_path_there_is_no_text(void **state)
{
	struct ctd_watched_file none = {};
	struct ctd_secret secret = {.bytes = 77};

	(void)state;
	assert_false(ctd_watched_file_changed(&none));
	assert_int_equal(ctd_secret_read(NULL, false, &secret), 0);
	assert_null(secret.text);
	assert_int_equal(ctd_watched_file_read(&none, &secret), 0);
	assert_null(secret.text);
	assert_int_equal(ctd_secret_read("/not/there", false, &secret), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_change_is_seen_once),
		cmocka_unit_test(a_pipe_does_not_change_and_is_not_waited_for),
		cmocka_unit_test(a_pipe_says_the_same_until_a_file_takes_its_place),
		cmocka_unit_test(without_a_path_there_is_no_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
