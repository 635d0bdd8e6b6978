/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_open.c - files of a container are opened only within its root, and only if they are files. */
#include "profile/process/open.h"

#include <errno.h>
#include <fcntl.h>
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

#include "base/auto.h"

static char folder[] = "/tmp/test_open.XXXXXX";
static int root = -1;

static void write_file(const char *name, const char *text)
{
	autoclose int fd = openat(root, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
}

static int begin(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	root = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return root < 0 ? -1 : 0;
}

static int end(void **state)
{
	char command[128];

	(void)state;
	close(root);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	return system(command);
}

static int open_in(const char *path)
{
	autoclose int fd = -1;

	return ctd_open_within(root, path, 100, &fd);
}

static void paths_begin_at_the_root_that_is_given(void **state)
{
	char text[16] = "";
	autoclose int fd = -1;

	(void)state;
	write_file("file", "inside");
	assert_int_equal(mkdirat(root, "folder", 0700), 0);
	assert_int_equal(ctd_open_within(root, "/file", 100, &fd), 0);
	assert_int_equal(read(fd, text, sizeof(text)), 6);
	assert_string_equal(text, "inside");
	assert_int_equal(open_in("/folder/../../../../file"), 0);
	assert_int_equal(open_in("/no_such"), -ENOENT);
}

static void links_do_not_lead_out(void **state)
{
	(void)state;
	assert_int_equal(symlinkat("/etc/passwd", root, "absolute"), 0);
	assert_int_equal(symlinkat("../../../../../../etc/passwd", root, "relative"), 0);
	assert_int_equal(symlinkat("/proc/self/root/etc/passwd", root, "magic"), 0);
	assert_int_equal(symlinkat("loop", root, "loop"), 0);
	assert_int_equal(symlinkat("/file", root, "inside"), 0);
	assert_int_equal(open_in("/absolute"), -ENOENT);
	assert_int_equal(open_in("/relative"), -ENOENT);
	assert_int_equal(open_in("/magic"), -ENOENT);
	assert_int_equal(open_in("/loop"), -ELOOP);
	assert_int_equal(open_in("/inside"), 0);
}

static void what_is_no_file_is_not_opened(void **state)
{
	autoclose int named = -1, fd = -1;

	(void)state;
	/* open(2) of it would wait for somebody who writes. */
	assert_int_equal(mkfifoat(root, "fifo", 0600), 0);
	assert_int_equal(open_in("/fifo"), -EINVAL);
	assert_int_equal(open_in("/folder"), -EINVAL);
	assert_int_equal(ctd_name_file("/dev/zero", &named), 0);
	assert_int_equal(ctd_open_named(named, 100, &fd), -EINVAL);
}

static void a_file_that_is_too_large_is_refused(void **state)
{
	autoclose int fd = -1;

	(void)state;
	assert_int_equal(ctd_open_within(root, "/file", 5, &fd), -EFBIG);
	assert_int_equal(ctd_open_within(root, "/file", 6, &fd), 0);
}

static void the_end_of_a_file_is_read(void **state)
{
	autofree char *text = NULL;
	autoclose int fd = -1;
	size_t bytes;

	(void)state;
	write_file("long", "0123456789");
	assert_int_equal(ctd_open_within(root, "/long", 100, &fd), 0);
	assert_int_equal(ctd_read_end(fd, 4, &text, &bytes), 0);
	assert_int_equal(bytes, 4);
	assert_string_equal(text, "6789");
	free(take_ptr(text));
	assert_int_equal(ctd_read_end(fd, 100, &text, &bytes), 0);
	assert_string_equal(text, "0123456789");
}

static void our_own_root_is_that_of_our_process(void **state)
{
	autoclose int own = -1, fd = -1;

	(void)state;
	assert_int_equal(ctd_open_process_root(getpid(), &own), 0);
	assert_int_equal(ctd_open_within(own, "/proc/version", 100000, &fd), 0);
	assert_int_equal(ctd_open_process_root(0x7ffffff0, &own), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_begin_at_the_root_that_is_given),
		cmocka_unit_test(links_do_not_lead_out),
		cmocka_unit_test(what_is_no_file_is_not_opened),
		cmocka_unit_test(a_file_that_is_too_large_is_refused),
		cmocka_unit_test(the_end_of_a_file_is_read),
		cmocka_unit_test(our_own_root_is_that_of_our_process),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
