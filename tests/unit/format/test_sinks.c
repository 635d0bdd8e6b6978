/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_sinks.c - sinks are found by name. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/auto.h"
#include "format/format.h"

#include <cgtopdown/sink.h>

static void every_sink_is_found_by_its_name_and_no_other(void **state)
{
	(void)state;
	assert_non_null(ctd_sinks[0]);
	for (size_t i = 0; ctd_sinks[i]; i++)
		assert_ptr_equal(ctd_sink_find(ctd_sinks[i]->name), ctd_sinks[i]);
	assert_null(ctd_sink_find("tabl"));
	assert_null(ctd_sink_find(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_sink_is_found_by_its_name_and_no_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
