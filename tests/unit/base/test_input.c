/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_input.c - files and pipes that have something are opened at once. */
#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/auto.h"
#include "unit/pmu/capture.h"

/* That its silence is told takes two seconds: see tests/progrun/errors. */
static void what_is_in_a_fifo_is_read_as_a_file_is(void **state)
{
	char directory[] = "/tmp/ctd-input-XXXXXX", path[64], text[8] = "";
	int writer, fd;

	(void)state;
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/fifo", directory);
	assert_int_equal(mkfifo(path, 0600), 0);
	writer = open(path, O_RDWR);
	assert_int_equal(write(writer, "text", 4), 4);
	fd = ctd_input_open(path);
	assert_true(fd >= 0);
	assert_int_equal(fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
	assert_int_equal(read(fd, text, sizeof(text)), 4);
	assert_string_equal(text, "text");
	close(fd);
	close(writer);
	unlink(path);
	rmdir(directory);
}

static void what_can_be_read_is_opened_without_a_word(void **state)
{
	const char *const paths[] = {"/dev/null", "/dev/zero", "/proc/self/stat", "/"};
	struct capture capture;

	(void)state;
	capture_begin(&capture);
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		autoclose int fd = ctd_input_open(paths[i]);

		assert_true(fd >= 0);
	}
	assert_int_equal(ctd_input_open("/nonexistent"), -ENOENT);
	assert_string_equal(capture_end(&capture), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_in_a_fifo_is_read_as_a_file_is),
		cmocka_unit_test(what_can_be_read_is_opened_without_a_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
