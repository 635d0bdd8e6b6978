/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_caps.c - every capability is explained, and the first that is missing is found. */
#include <cgtopdown/caps.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void every_capability_is_explained(void **state)
{
	(void)state;
	for (int cap = 0; cap < CTD_CAP_COUNT; cap++) {
		const struct ctd_cap_text *text = &ctd_cap_texts[cap];

		assert_true(text->name && *text->name);
		assert_true(text->purpose && *text->purpose);
		assert_true(text->remedy && *text->remedy);
		/* A commit by its title, which is quoted. */
		assert_true(text->since && text->since[strlen(text->since) - 1] ==
						   (text->since[0] == '"' ? '"' : ')'));
		for (int other = 0; other < cap; other++)
			assert_string_not_equal(text->name, ctd_cap_texts[other].name);
	}
}

static void the_first_required_one_that_is_missing_is_found(void **state)
{
	(void)state;
	for (int missing = 0; missing <= CTD_CAP_COUNT; missing++) {
		struct ctd_caps caps = {0};
		int wanted = missing;

		/* It, and all that follow. */
		for (int cap = 0; cap < missing; cap++)
			caps.answer[cap].present = true;
		while (wanted < CTD_CAP_COUNT && !ctd_cap_texts[wanted].required)
			wanted++;
		assert_int_equal(ctd_caps_first_missing(&caps), wanted);
	}
}

static void what_is_optional_is_not_missed(void **state)
{
	struct ctd_caps caps;

	(void)state;
	for (int cap = 0; cap < CTD_CAP_COUNT; cap++)
		caps.answer[cap].present = ctd_cap_texts[cap].required;
	assert_int_equal(ctd_caps_first_missing(&caps), CTD_CAP_COUNT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_capability_is_explained),
		cmocka_unit_test(the_first_required_one_that_is_missing_is_found),
		cmocka_unit_test(what_is_optional_is_not_missed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
