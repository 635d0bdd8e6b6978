/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_pids.c - lists of processes are read whole, or not at all. */
#include "app/options/pids.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void a_list_has_its_processes(void **state)
{
	struct ctd_pids pids;

	(void)state;
	assert_int_equal(ctd_pids_parse("12,345", &pids), 0);
	assert_int_equal(pids.count, 2);
	assert_true(ctd_pids_have(&pids, 12) && ctd_pids_have(&pids, 345));
	assert_false(ctd_pids_have(&pids, 1) || ctd_pids_have(&pids, 0));
}

static void what_is_no_list_is_refused(void **state)
{
	static const char *const wrong[] = {"",	   "x",	  "0",	   "-1",
					    "12,", ",12", "12 13", "4294967296"};
	struct ctd_pids pids;
	char many[512] = "1";

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_int_equal(ctd_pids_parse(wrong[i], &pids), -EINVAL);
	for (int i = 1; i < CTD_PIDS_MAX; i++)
		strcat(many, ",1");
	assert_int_equal(ctd_pids_parse(many, &pids), 0);
	strcat(many, ",1");
	assert_int_equal(ctd_pids_parse(many, &pids), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_has_its_processes),
		cmocka_unit_test(what_is_no_list_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
