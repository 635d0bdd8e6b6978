/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_condition.c - the condition of a node in words. */
#include "app/explain/condition.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void a_condition_is_told_in_per_cent(void **state)
{
	static const struct {
		const char *condition, *text;
	} cases[] = {
		{"memory_bound > 0.2", "above 20%"},
		{"memory_bound > 0.2 & backend_bound > 0.25",
		 "above 20%, if backend_bound is above 25%"},
		{"retiring > 0.7 | heavy_operations > 0.1",
		 "above 70%, or if heavy_operations is above 10%"},
		/* As it stands from where it is none of these. */
		{"memory_bound > 0.2 & ipc < 1", "above 20% & ipc < 1"},
		{"1 - retiring > 0.5", "1 - retiring > 0.5"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct ctd_node node = {.condition = cases[i].condition};
		auto_ctd_strbuf struct ctd_strbuf text = {0};

		ctd_condition_add(&text, &node);
		assert_string_equal(text.text, cases[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_condition_is_told_in_per_cent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
