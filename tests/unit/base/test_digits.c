/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_digits.c - numbers are written as printf(3) would, to the last digit. */
#include "base/digits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/strbuf.h"

static void figures_are_written_to_the_last_digit(void **state)
{
	struct ctd_strbuf text = {0};
	char digits[CTD_DIGITS_BYTES];

	(void)state;
	ctd_strbuf_add_count(&text, 0);
	ctd_strbuf_add(&text, " ");
	ctd_strbuf_add_count(&text, UINT64_MAX);
	for (uint64_t ns = 1; ns < 10000000000; ns *= 10) {
		ctd_strbuf_add(&text, " ");
		ctd_strbuf_add_bytes(&text, digits, ctd_digits_seconds(digits, ns));
	}
	ctd_strbuf_add(&text, " ");
	ctd_strbuf_add_bytes(&text, digits, ctd_digits_seconds(digits, 1020304050));
	assert_string_equal(text.text,
			    "0 18446744073709551615 0.000000001 0.00000001 "
			    "0.0000001 0.000001 0.00001 0.0001 0.001 0.01 0.1 1 1.02030405");
	ctd_strbuf_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_are_written_to_the_last_digit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
