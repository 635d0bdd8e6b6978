/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_debug_file.c - separate debugging information is found by build id, within one root. */
#include "profile/executable/debug_file.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/auto.h"

static char folder[] = "/tmp/test_debug_file.XXXXXX";
static int root = -1;
static const struct ctd_build_id id = {.count = 4, .bytes = {0xab, 0x0c, 0xde, 0x01}};

/* In the folder. */
static void run(const char *what)
{
	char command[512];

	snprintf(command, sizeof(command), "cd %s && %s", folder, what);
	assert_int_equal(system(command), 0);
}

static int begin(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	run("mkdir -p usr/lib/debug/.build-id/ab");
	root = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return root < 0 ? -1 : 0;
}

static int end(void **state)
{
	(void)state;
	close(root);
	run("rm -r \"$PWD\"");
	return 0;
}

static int open_it(const struct ctd_build_id *of)
{
	autoclose int fd = -1;

	return ctd_debug_file_open(root, of, &fd);
}

static void it_lies_where_its_build_id_says(void **state)
{
	autoclose int fd = -1;
	char text[8] = "";

	(void)state;
	assert_int_equal(open_it(&id), -ENOENT);
	run("printf symbols >usr/lib/debug/.build-id/ab/0cde01.debug");
	assert_int_equal(ctd_debug_file_open(root, &id, &fd), 0);
	assert_int_equal(read(fd, text, sizeof(text) - 1), 7);
	assert_string_equal(text, "symbols");
}

static void without_a_build_id_or_a_root_there_is_none(void **state)
{
	static const struct ctd_build_id none = {.count = 0};
	static const struct ctd_build_id one_byte = {.count = 1, .bytes = {0xab}};
	autoclose int fd = -1;

	(void)state;
	assert_int_equal(open_it(&none), -ENOENT);
	assert_int_equal(open_it(&one_byte), -ENOENT);
	assert_int_equal(ctd_debug_file_open(-1, &id, &fd), -ENOENT);
}

static void the_longest_build_id_has_a_path(void **state)
{
	struct ctd_build_id longest = {.count = CTD_BUILD_ID_BYTES_MAX};

	(void)state;
	memset(longest.bytes, 0xff, sizeof(longest.bytes));
	assert_int_equal(open_it(&longest), -ENOENT);
}

static void a_link_leads_no_further_than_the_root(void **state)
{
	static const struct ctd_build_id other = {.count = 2, .bytes = {0xab, 0x02}};

	(void)state;
	run("ln -s /etc/passwd usr/lib/debug/.build-id/ab/02.debug");
	assert_int_equal(open_it(&other), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_lies_where_its_build_id_says),
		cmocka_unit_test(without_a_build_id_or_a_root_there_is_none),
		cmocka_unit_test(the_longest_build_id_has_a_path),
		cmocka_unit_test(a_link_leads_no_further_than_the_root),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
