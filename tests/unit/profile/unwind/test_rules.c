/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_rules.c - each rule has one number, up to the limit, as long as a table has it. */
#include "profile/unwind/rules.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

static struct ctd_unwind_rule rule_of(int offset)
{
	return (struct ctd_unwind_rule){.cfa = CTD_CFA_SP, .cfa_offset = offset};
}

static int add(struct ctd_unwind_rules *rules, int offset)
{
	const struct ctd_unwind_rule rule = rule_of(offset);
	size_t left = 1;

	return ctd_unwind_rules_add(rules, &rule, &left);
}

static void an_equal_rule_has_the_same_number(void **state)
{
	auto_ctd_unwind_rules struct ctd_unwind_rules rules = {0};

	(void)state;
	assert_int_equal(ctd_unwind_rules_begin(&rules), 0);
	assert_int_equal(add(&rules, 8), CTD_RULES_FIXED);
	assert_int_equal(add(&rules, 8), CTD_RULES_FIXED);
	assert_int_equal(add(&rules, 16), CTD_RULES_FIXED + 1);
	assert_int_equal(rules.rules[CTD_RULES_FIXED + 1].cfa_offset, 16);
	assert_int_equal(rules.rules[CTD_RULE_NONE].cfa, CTD_CFA_NONE);
}

static void there_are_no_more_than_the_limits(void **state)
{
	auto_ctd_unwind_rules struct ctd_unwind_rules rules = {0};
	struct ctd_unwind_rule rule = rule_of(0);
	size_t left = 1;

	(void)state;
	assert_int_equal(ctd_unwind_rules_begin(&rules), 0);
	assert_int_equal(ctd_unwind_rules_add(&rules, &rule, &left), CTD_RULES_FIXED);
	assert_int_equal(left, 0);
	assert_int_equal(ctd_unwind_rules_add(&rules, &rule, &left), CTD_RULES_FIXED);
	rule = rule_of(1);
	assert_int_equal(ctd_unwind_rules_add(&rules, &rule, &left), -ENOSPC);
	for (int i = CTD_RULES_FIXED + 1; i < CTD_RULES_MAX; i++)
		assert_int_equal(add(&rules, i), i);
	assert_int_equal(add(&rules, CTD_RULES_MAX), -ENOSPC);
	assert_int_equal(add(&rules, CTD_RULES_MAX - 1), CTD_RULES_MAX - 1);
}

static void numbers_that_no_table_holds_are_given_again(void **state)
{
	static const uint16_t one[] = {CTD_RULES_FIXED, CTD_RULES_FIXED + 1};
	static const uint16_t other[] = {CTD_RULES_FIXED + 1};
	auto_ctd_unwind_rules struct ctd_unwind_rules rules = {0};

	(void)state;
	assert_int_equal(ctd_unwind_rules_begin(&rules), 0);
	for (int i = CTD_RULES_FIXED; i < CTD_RULES_MAX; i++) {
		const uint16_t number = (uint16_t)add(&rules, i);

		assert_int_equal(ctd_unwind_rules_hold(&rules, &number, 1), 1);
	}
	assert_int_equal(ctd_unwind_rules_hold(&rules, other, 1), 0);
	ctd_unwind_rules_release(&rules, one, 2);
	/* The second of the two is held by another. */
	assert_int_equal(add(&rules, CTD_RULES_FIXED + 1), CTD_RULES_FIXED + 1);
	assert_int_equal(add(&rules, 70000), CTD_RULES_FIXED);
	assert_int_equal(rules.rules[CTD_RULES_FIXED].cfa_offset, 70000);
	assert_int_equal(add(&rules, CTD_RULES_FIXED), -ENOSPC);
	assert_int_equal(add(&rules, CTD_RULES_MAX - 1), CTD_RULES_MAX - 1);
}

/* One look at all numbers for each would take half a minute. */
static void rows_of_a_whole_table_that_find_no_number_take_a_moment(void **state)
{
	auto_ctd_unwind_rules struct ctd_unwind_rules rules = {0};
	clock_t before;
	int got = 0;

	(void)state;
	assert_int_equal(ctd_unwind_rules_begin(&rules), 0);
	for (int i = CTD_RULES_FIXED; i < CTD_RULES_MAX; i++)
		add(&rules, i);
	before = clock();
	for (int i = 0; i < CTD_UNWIND_WORDS_MAX && got <= 0; i++)
		got = add(&rules, CTD_RULES_MAX + i);
	assert_in_range(clock() - before, 0, 10 * CLOCKS_PER_SEC);
	assert_int_equal(got, -ENOSPC);
	ctd_unwind_rules_release(&rules, NULL, 0);
	assert_true(add(&rules, CTD_RULES_MAX) > 0);
}

static void rules_that_changed_are_told_once(void **state)
{
	static const uint16_t numbers[] = {CTD_RULES_FIXED};
	auto_ctd_unwind_rules struct ctd_unwind_rules rules = {0};
	size_t first = 0;

	(void)state;
	assert_int_equal(ctd_unwind_rules_begin(&rules), 0);
	assert_int_equal(ctd_unwind_rules_changed(&rules, &first), 0);
	for (int i = 0; i < 3; i++)
		add(&rules, i);
	first = 0;
	assert_int_equal(ctd_unwind_rules_changed(&rules, &first), 3);
	assert_int_equal(first, CTD_RULES_FIXED);
	first = 0;
	assert_int_equal(ctd_unwind_rules_changed(&rules, &first), 0);
	ctd_unwind_rules_hold(&rules, numbers, 1);
	ctd_unwind_rules_release(&rules, numbers, 1);
	add(&rules, 7);
	first = 0;
	assert_int_equal(ctd_unwind_rules_changed(&rules, &first), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_equal_rule_has_the_same_number),
		cmocka_unit_test(there_are_no_more_than_the_limits),
		cmocka_unit_test(numbers_that_no_table_holds_are_given_again),
		cmocka_unit_test(rows_of_a_whole_table_that_find_no_number_take_a_moment),
		cmocka_unit_test(rules_that_changed_are_told_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
