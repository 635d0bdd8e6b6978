/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_state.c - what the counters are good for, told from what they counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/ledger/book.h"

enum kind { COUNTED, UNCOUNTED, HALF, TURNS };

static void run(struct book *book, enum kind kind)
{
	struct book_line *row = book_run(book, CTD_ROLLUP_KERNEL, 100);

	book_run(book, CTD_ROLLUP_IDLE, 900)->coverage = kind == UNCOUNTED ? 0 : 1;
	if (kind == UNCOUNTED) {
		row->coverage = 0;
		for (size_t i = 0; i < 2; i++) {
			book->rollup.totals[0].slots -= book->lines[i]->part.slots;
			book->lines[i]->part.slots_known = false;
		}
	} else if (kind == HALF) {
		row->coverage = book->lines[1]->coverage = .5;
	} else if (kind == TURNS) {
		row->coverage = .9998;
	}
}

static enum ctd_pmu_state state_of(struct book *book)
{
	return book_add(book)->state;
}

static void open_plain(struct book *book)
{
	book_open(book, (struct ctd_ledger_options){.accounts_max = 10});
}

static void a_group_that_never_got_on_and_one_that_fell_off_differ(void **state)
{
	struct book book;

	(void)state;
	open_plain(&book);
	run(&book, UNCOUNTED);
	assert_int_equal(state_of(&book), CTD_PMU_NEVER_RAN);
	run(&book, COUNTED);
	assert_int_equal(state_of(&book), CTD_PMU_LIVE);
	run(&book, UNCOUNTED);
	assert_int_equal(state_of(&book), CTD_PMU_STARVED);
	run(&book, HALF);
	assert_int_equal(state_of(&book), CTD_PMU_MULTIPLEXED);
	run(&book, TURNS);
	assert_int_equal(state_of(&book), CTD_PMU_LIVE);
	book_close(&book);
}

static void what_another_source_counted_is_not_its_own(void **state)
{
	struct book book;

	(void)state;
	open_plain(&book);
	run(&book, COUNTED);
	assert_int_equal(state_of(&book), CTD_PMU_LIVE);
	strcpy(book.plan.core_types[0].source, "other");
	run(&book, UNCOUNTED);
	assert_int_equal(state_of(&book), CTD_PMU_NEVER_RAN);
	run(&book, COUNTED);
	assert_int_equal(state_of(&book), CTD_PMU_LIVE);
	run(&book, UNCOUNTED);
	assert_int_equal(state_of(&book), CTD_PMU_STARVED);
	/* So it has not while there was none, either. */
	strcpy(book.plan.core_types[0].source, "none");
	book.plan.core_types[0].counters_count = 0;
	run(&book, UNCOUNTED);
	assert_int_equal(state_of(&book), CTD_PMU_ABSENT);
	strcpy(book.plan.core_types[0].source, "other");
	book.plan.core_types[0].counters_count = 9;
	run(&book, UNCOUNTED);
	assert_int_equal(state_of(&book), CTD_PMU_NEVER_RAN);
	book_close(&book);
}

static void no_source_is_absent_not_broken(void **state)
{
	struct book book;

	(void)state;
	open_plain(&book);
	book.plan.core_types[0].counters_count = 0;
	run(&book, UNCOUNTED);
	assert_int_equal(state_of(&book), CTD_PMU_ABSENT);
	/* There are counters, and another program has them. */
	book.plan.core_types[0].held = true;
	run(&book, UNCOUNTED);
	assert_int_equal(state_of(&book), CTD_PMU_STARVED);
	book_close(&book);
}

static void counters_that_contradict_themselves_are_implausible(void **state)
{
	struct book book;
	struct book_line *row;

	(void)state;
	open_plain(&book);
	run(&book, COUNTED);
	book.rollup.health.l1_sum_over_slots.ratio = 1.2;
	assert_int_equal(state_of(&book), CTD_PMU_IMPLAUSIBLE);
	book.rollup.health.l1_sum_over_slots.ratio = .95;
	run(&book, COUNTED);
	assert_int_equal(state_of(&book), CTD_PMU_LIVE);
	/* On the PMU, and nothing counted. */
	run(&book, UNCOUNTED);
	book.rollup.totals[0].empty_ns = SECOND_NS / 10;
	assert_int_equal(state_of(&book), CTD_PMU_IMPLAUSIBLE);
	book.rollup.totals[0].empty_ns = 1000;
	run(&book, COUNTED);
	assert_int_equal(state_of(&book), CTD_PMU_LIVE);
	/* A busy CPU with hardly a slot. */
	row = book_row(&book, CTD_ROLLUP_KERNEL);
	row->part.cpu_ns = SECOND_NS / 2;
	book_count(&book, row, 1000, .5);
	assert_int_equal(state_of(&book), CTD_PMU_IMPLAUSIBLE);
	/* Every slot was bad speculation. */
	run(&book, COUNTED);
	for (int i = 0; i < 4; i++)
		book.lines[0]->values[i].ratio = i == 1;
	assert_int_equal(state_of(&book), CTD_PMU_IMPLAUSIBLE);
	/* Slots without parts that can be trusted. */
	run(&book, COUNTED);
	for (int i = 0; i < 12; i++)
		book.lines[0]->values[i].quality = CTD_NO_DATA;
	book.lines[0]->part.quality = CTD_NO_DATA;
	assert_int_equal(state_of(&book), CTD_PMU_IMPLAUSIBLE);
	book_close(&book);
}

static void each_state_has_a_name(void **state)
{
	(void)state;
	for (int i = 0; i < CTD_PMU_STATES; i++)
		assert_non_null(ctd_pmu_state_name((enum ctd_pmu_state)i));
	for (int i = 0; i < CTD_ACCOUNT_KINDS; i++)
		assert_non_null(ctd_account_kind_name((enum ctd_account_kind)i));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_group_that_never_got_on_and_one_that_fell_off_differ),
		cmocka_unit_test(what_another_source_counted_is_not_its_own),
		cmocka_unit_test(no_source_is_absent_not_broken),
		cmocka_unit_test(counters_that_contradict_themselves_are_implausible),
		cmocka_unit_test(each_state_has_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
