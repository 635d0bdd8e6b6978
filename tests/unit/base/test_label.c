/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_label.c - what a name may contain does not end its quotes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/label.h"

static void values_are_quoted_and_empty_ones_left_out(void **state)
{
	auto_ctd_strbuf struct ctd_strbuf labels = {0};

	(void)state;
	ctd_label_add(&labels, "none", "");
	assert_null(labels.text);
	ctd_label_add(&labels, "a", "plain {}=,\t\r");
	ctd_label_add(&labels, "none", "");
	ctd_label_add(&labels, "b", "\"\\\n");
	ctd_label_add(&labels, "c", "x\n\ny\\");
	assert_string_equal(labels.text,
			    "a=\"plain {}=,\t\r\",b=\"\\\"\\\\\\n\",c=\"x\\n\\ny\\\\\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_quoted_and_empty_ones_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
