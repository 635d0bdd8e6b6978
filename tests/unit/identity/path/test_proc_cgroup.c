/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_proc_cgroup.c - v1 hierarchies are taken from /proc/self/cgroup, v2 and broken lines not. */
#include "identity/path/proc_cgroup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void lines_give_id_and_controllers(void **state)
{
	static const struct {
		int line;
		const char *text;
		uint32_t id; /* 0: not taken */
		const char *controllers;
	} cases[] = {
		{__LINE__, "4:cpu,cpuacct:/a:b\n", 4, "cpu,cpuacct"},
		{__LINE__, "9:name=systemd:/", 9, "name=systemd"},
		{__LINE__, "4294967295:pids:/", UINT32_MAX, "pids"},
		{__LINE__, "4294967296:pids:/", 0, ""},
		{__LINE__, "0::/", 0, ""},
		{__LINE__, "0:cpu:/", 0, ""},
		{__LINE__, "1::/", 0, ""},
		{__LINE__, ":cpu:/", 0, ""},
		{__LINE__, "1:cpu", 0, ""},
		{__LINE__, "1\n:cpu:/", 0, ""},
		{__LINE__, "x:cpu:/", 0, ""},
		{__LINE__, "-1:cpu:/", 0, ""},
		{__LINE__, "12345678901234567890:cpu:/", 0, ""},
		{__LINE__, "::\n:\n\n", 0, ""},
		{__LINE__, "", 0, ""},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *cursor = cases[i].text;
		struct ctd_v1_hierarchy got = {0};

		if (ctd_v1_hierarchy_next(&cursor, &got) != !!cases[i].id ||
		    got.id != cases[i].id || strcmp(got.controllers, cases[i].controllers))
			fail_msg("line %d: %u '%s'", cases[i].line, got.id, got.controllers);
	}
}

static void lines_are_taken_in_order(void **state)
{
	const char *cursor = "2:cpuacct:/\nbroken\n1:cpu:/\n0::/\n";
	struct ctd_v1_hierarchy hierarchy;

	(void)state;
	assert_true(ctd_v1_hierarchy_next(&cursor, &hierarchy));
	assert_string_equal(hierarchy.controllers, "cpuacct");
	assert_true(ctd_v1_hierarchy_next(&cursor, &hierarchy));
	assert_string_equal(hierarchy.controllers, "cpu");
	assert_false(ctd_v1_hierarchy_next(&cursor, &hierarchy));
	assert_string_equal(hierarchy.controllers, "cpu");
}

static void a_list_of_controllers_that_does_not_fit_is_skipped(void **state)
{
	char text[256] = "1:";
	const char *cursor = text;
	struct ctd_v1_hierarchy hierarchy;

	(void)state;
	memset(text + 2, 'c', 127);
	strcpy(text + 2 + 127, ":/");
	assert_true(ctd_v1_hierarchy_next(&cursor, &hierarchy));
	strcpy(text + 2 + 127, "c:/");
	cursor = text;
	assert_false(ctd_v1_hierarchy_next(&cursor, &hierarchy));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_give_id_and_controllers),
		cmocka_unit_test(lines_are_taken_in_order),
		cmocka_unit_test(a_list_of_controllers_that_does_not_fit_is_skipped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
