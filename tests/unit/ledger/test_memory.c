/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_memory.c - whichever allocation fails, a rollup is added as a whole or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_memory.h"
#include "unit/ledger/beside.h"
#include "unit/ledger/told.h"

#if !CAN_FAIL

static void allocations_can_be_made_to_fail(void **state)
{
	(void)state;
	print_message("the allocator is the sanitizer's\n");
	skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(allocations_can_be_made_to_fail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static struct ctd_identity identities[20];
static char paths[20][16];

static void write_rollup(struct book *book)
{
	for (size_t i = 0; i < 20; i++) {
		snprintf(paths[i], sizeof(paths[i]), "/%d", (int)i);
		identities[i] = (struct ctd_identity){
			.cgroup_id = i + 1, .path = paths[i], .names_settled = i % 2};
		/* Of all that takes memory something. */
		book_run_cgroup(book, &identities[i], 10)->row.above_bytes = 1;
	}
	book_run(book, CTD_ROLLUP_IDLE, 10);
}

static void no_half_of_a_rollup_is_added(void **state)
{
	int failures = 0, error = -ENOMEM;

	(void)state;
	for (long failing = 0; error == -ENOMEM; failing++) {
		struct book book;
		const struct ctd_rollup *rollup;

		book_open(&book, (struct ctd_ledger_options){.accounts_max = 10});
		write_rollup(&book);
		rollup = book_rollup(&book);
		fail_allocation(failing);
		error = ctd_ledger_add(book.ledger, rollup);
		fail_allocation(-1);
		failures += error == -ENOMEM;
		if (error) {
			assert_int_equal(ctd_ledger_view(book.ledger, &book.view), 0);
			assert_int_equal(book.view->accounts_count, 0);
			assert_int_equal(book.view->sequence, 0);
			assert_int_equal(book.view->totals.slots, 0);
			/* The same again is added once. */
			book_add(&book);
			assert_int_equal(book.view->accounts_count, 12);
		}
		book_close(&book);
	}
	assert_int_equal(error, 0);
	assert_true(failures > 60);
}

static void nor_is_half_of_vendors_metrics(void **state)
{
	static struct beside beside;
	int error = -ENOMEM, failures = 0;

	for (long failing = 0; error == -ENOMEM; failing++) {
		const struct ctd_rollup *rollup;
		struct book book;

		new_table(state);
		beside_open(&beside, &book, (struct ctd_ledger_options){.accounts_max = 3});
		for (size_t i = 0; i < 5; i++) {
			snprintf(paths[i], sizeof(paths[i]), "/%d", (int)i);
			identities[i] = (struct ctd_identity){
				.cgroup_id = i + 1, .path = paths[i], .names_settled = true};
			book_run_cgroup(&book, &identities[i], 10);
			beside_count(&beside, &book, 50);
		}
		rollup = book_rollup(&book);
		fail_allocation(failing);
		error = ctd_ledger_add(book.ledger, rollup);
		fail_allocation(-1);
		failures += error == -ENOMEM;
		/* The same again is added once. */
		if (error) {
			beside_add(&beside, &book);
			assert_int_equal(
				book_find(&book, "kind=\"cgroup\",cgroup=\"/0\"")->vendor.count[0],
				10000);
			assert_int_equal(book_find(&book, "kind=\"other\"")->vendor.count[0],
					 20000);
		}
		book_close(&book);
		free_table(state);
	}
	assert_int_equal(error, 0);
	assert_true(failures > 10);
}

/* The first rollup of a plan fails, and another plan comes in its place. */
static void a_core_type_that_did_not_come_leaves_nothing(void **state)
{
	int failures = 0, error = -ENOMEM;

	(void)state;
	for (long failing = 0; error == -ENOMEM; failing++) {
		struct book book;
		const struct ctd_rollup *rollup;

		book_open(&book, (struct ctd_ledger_options){.accounts_max = 10});
		strcpy(book.plan.core_types[0].name, "P-core");
		book_run(&book, CTD_ROLLUP_IDLE, 10);
		rollup = book_rollup(&book);
		fail_allocation(failing);
		error = ctd_ledger_add(book.ledger, rollup);
		fail_allocation(-1);
		failures += error == -ENOMEM;
		if (error) {
			strcpy(book.plan.core_types[0].name, "");
			book_add(&book);
			assert_int_equal(book.view->accounts_count, 1);
			assert_string_equal(book.view->accounts[0].who->key_text, "kind=\"idle\"");
		}
		book_close(&book);
	}
	assert_int_equal(error, 0);
	assert_true(failures > 6);
}

static void without_memory_there_is_no_view(void **state)
{
	const struct ctd_ledger_view *view = NULL;
	struct ctd_ledger *ledger = NULL;
	struct ctd_ledger_options options = {.accounts_max = 10};
	struct book book;

	(void)state;
	book_open(&book, options);
	fail_allocation(0);
	assert_int_equal(ctd_ledger_view(book.ledger, &view), -ENOMEM);
	fail_allocation(-1);
	assert_null(view);
	book_close(&book);
	for (long failing = 0; !ledger; failing++) {
		fail_allocation(failing);
		if (ctd_ledger_new(&options, 0, &ledger))
			assert_null(ledger);
		fail_allocation(-1);
	}
	ctd_ledger_free(ledger);
}

/* What a row's functions had is there once, whichever call has the memory for it. */
static void functions_are_added_once(void **state)
{
	static const char key[] = "kind=\"cgroup\",cgroup=\"/1\"";
	int failures = 0, error = -ENOMEM;

	(void)state;
	for (long failing = 0; error; failing++) {
		struct ctd_function_row rows[2];
		struct book book;
		struct told told;

		book_open(&book,
			  (struct ctd_ledger_options){.accounts_max = 30, .functions_max = 3});
		write_rollup(&book);
		book_add(&book);
		told_begin(&told, &book, 2, key);
		told_add(&told, "work", 10, 9);
		told_add(&told, "wait", 5, 5);
		rows[0] = rows[1] = told.row;
		told.functions.rows = rows;
		told.functions.rows_count = 2;
		fail_allocation(failing);
		error = ctd_ledger_add_functions(book.ledger, &told.functions);
		fail_allocation(-1);
		failures += error == -ENOMEM;
		if (error)
			told_take(&told, &book);
		book_add(&book);
		assert_int_equal(told_ms(book_find(&book, key), "work"), 20);
		assert_int_equal(told_ms(book_find(&book, key), CTD_FUNCTION_OTHER), 10);
		book_close(&book);
	}
	assert_int_equal(failures, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_added_once),
		cmocka_unit_test(no_half_of_a_rollup_is_added),
		cmocka_unit_test(nor_is_half_of_vendors_metrics),
		cmocka_unit_test(a_core_type_that_did_not_come_leaves_nothing),
		cmocka_unit_test(without_memory_there_is_no_view),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
