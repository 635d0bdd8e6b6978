/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_show.c - snapshots that make no interval are told of in a sentence. */
#include "app/show.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/pmu/capture.h"

static void a_snapshot_of_another_run_is_named_with_what_to_do(void **state)
{
	struct ctd_snapshot before = {.sequence = 41, .monotonic_ns = 8200000000},
			    after = {.sequence = 2, .monotonic_ns = 3100000000};
	struct ctd_show show = {0};
	struct capture capture;
	const char *text;
	int error;

	(void)state;
	capture_begin(&capture);
	error = ctd_show_interval(&show, &before, &after);
	text = capture_end(&capture);
	assert_int_equal(error, -EBADMSG);
	assert_string_equal(
		text,
		"cgtopdown: snapshot 2 (3.100 s, 0 counters) does not follow snapshot 41 (8.200 s, 0 counters): they are of different runs; -n shows the intervals before them\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_snapshot_of_another_run_is_named_with_what_to_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
