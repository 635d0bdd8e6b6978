/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_status.c - a number of a thread is that of its line, and of no other. */
#include "base/status.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/auto.h"
#include "base/root.h"

static char machine[64];

static int begin(void **state)
{
	char command[256];

	(void)state;
	snprintf(machine, sizeof(machine), "/tmp/test_status.XXXXXX");
	if (!mkdtemp(machine))
		return -1;
	snprintf(command, sizeof(command), "mkdir -p %s/proc/7", machine);
	ctd_root_set(machine);
	return system(command);
}

static int end(void **state)
{
	char command[256];

	(void)state;
	ctd_root_set("");
	snprintf(command, sizeof(command), "rm -r %s", machine);
	return system(command);
}

static void write_status(const char *text)
{
	char path[128];
	autofclose FILE *file = NULL;

	snprintf(path, sizeof(path), "%s/proc/7/status", machine);
	file = fopen(path, "we");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
}

static void the_last_number_of_the_line_is_it(void **state)
{
	uint32_t number = 0;

	(void)state;
	/* A thread may be called as it likes, but for lines of its own. */
	write_status(
		"Name:\tTgid:\t99\nTgid:\t5\nNgid:\t0\nPid:\t7\nNStgid:\t5\t2\nNSpid:\t7\t3\t4\n");
	assert_int_equal(ctd_status_number(7, "Tgid", &number), 0);
	assert_int_equal(number, 5);
	assert_int_equal(ctd_status_number(7, "NSpid", &number), 0);
	assert_int_equal(number, 4);
	write_status("Tgid:\t4294967295");
	assert_int_equal(ctd_status_number(7, "Tgid", &number), 0);
	assert_int_equal(number, UINT32_MAX);
}

static void what_is_not_told_is_no_number(void **state)
{
	uint32_t number = 1;

	(void)state;
	write_status("Name:\tsh\nNStgid:\t5\nTgid\t4\n");
	assert_int_equal(ctd_status_number(7, "Tgid", &number), -ENODATA);
	write_status("Tgid:5\n");
	assert_int_equal(ctd_status_number(7, "Tgid", &number), -ENODATA);
	write_status("");
	assert_int_equal(ctd_status_number(7, "Tgid", &number), -ENODATA);
	assert_int_equal(ctd_status_number(8, "Tgid", &number), -ENOENT);
	assert_int_equal(number, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_last_number_of_the_line_is_it, begin, end),
		cmocka_unit_test_setup_teardown(what_is_not_told_is_no_number, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
