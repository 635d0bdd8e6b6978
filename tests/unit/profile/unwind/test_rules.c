/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_rules.c - each rule has one number, up to the limit. */
#include "profile/unwind/rules.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void an_equal_rule_has_the_same_number(void **state)
{
	auto_ctd_unwind_rules struct ctd_unwind_rules rules = {0};
	struct ctd_unwind_rule rule = {.cfa = CTD_CFA_SP, .cfa_offset = 8};

	(void)state;
	assert_int_equal(ctd_unwind_rules_begin(&rules), 0);
	assert_int_equal(ctd_unwind_rules_add(&rules, &rule, 100), CTD_RULES_FIXED);
	assert_int_equal(ctd_unwind_rules_add(&rules, &rule, 100), CTD_RULES_FIXED);
	rule.cfa_offset = 16;
	assert_int_equal(ctd_unwind_rules_add(&rules, &rule, 100), CTD_RULES_FIXED + 1);
	assert_int_equal(rules.rules[CTD_RULES_FIXED + 1].cfa_offset, 16);
	assert_int_equal(rules.rules[CTD_RULE_NONE].cfa, CTD_CFA_NONE);
}

static void there_are_no_more_than_the_limit(void **state)
{
	auto_ctd_unwind_rules struct ctd_unwind_rules rules = {0};
	struct ctd_unwind_rule rule = {.cfa = CTD_CFA_SP};

	(void)state;
	assert_int_equal(ctd_unwind_rules_begin(&rules), 0);
	for (int i = CTD_RULES_FIXED; i < CTD_RULES_MAX; i++) {
		rule.cfa_offset = i;
		assert_int_equal(ctd_unwind_rules_add(&rules, &rule, CTD_RULES_MAX), i);
	}
	rule.cfa_offset = CTD_RULES_MAX;
	assert_int_equal(ctd_unwind_rules_add(&rules, &rule, SIZE_MAX), -ENOSPC);
	rule.cfa_offset = CTD_RULES_MAX - 1;
	assert_int_equal(ctd_unwind_rules_add(&rules, &rule, SIZE_MAX), CTD_RULES_MAX - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_equal_rule_has_the_same_number),
		cmocka_unit_test(there_are_no_more_than_the_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
