/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_models.c - models are found by name. */
#include <cgtopdown/cpu.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void a_model_is_found_by_its_whole_name(void **state)
{
	(void)state;
	for (size_t i = 0; ctd_cpu_models[i]; i++)
		assert_ptr_equal(ctd_cpu_model_find(ctd_cpu_models[i]->name), ctd_cpu_models[i]);
	assert_null(ctd_cpu_model_find(""));
	assert_null(ctd_cpu_model_find("golden"));
	assert_null(ctd_cpu_model_find("Golden_Cove"));
}

static void events_are_counted_to_the_end(void **state)
{
	(void)state;
	assert_int_equal(ctd_cpu_model_events(ctd_cpu_model_find("sunny_cove")), 5);
	assert_int_equal(ctd_cpu_model_events(ctd_cpu_model_find("golden_cove")), 9);
	assert_int_equal(ctd_cpu_model_events(ctd_cpu_model_find("lion_cove")), 9);
	assert_int_equal(ctd_cpu_model_events(ctd_cpu_model_find("sim")), 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_model_is_found_by_its_whole_name),
		cmocka_unit_test(events_are_counted_to_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
