/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_quality.c - the spelling of qualities, which every reader of our output relies on. */
#include <cgtopdown/value.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void every_quality_has_its_name(void **state)
{
	(void)state;
	assert_string_equal(ctd_quality_name(CTD_OK), "ok");
	assert_string_equal(ctd_quality_name(CTD_SCALED), "scaled");
	assert_string_equal(ctd_quality_name(CTD_LOW_CONFIDENCE), "low_confidence");
	assert_string_equal(ctd_quality_name(CTD_NO_DATA), "no_data");
	assert_string_equal(ctd_quality_name(CTD_UNSUPPORTED), "unsupported");
}

static void the_worse_of_two_is_the_larger(void **state)
{
	(void)state;
	assert_true(CTD_OK < CTD_SCALED && CTD_SCALED < CTD_LOW_CONFIDENCE);
	assert_true(CTD_LOW_CONFIDENCE < CTD_NO_DATA && CTD_NO_DATA < CTD_UNSUPPORTED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_quality_has_its_name),
		cmocka_unit_test(the_worse_of_two_is_the_larger),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
