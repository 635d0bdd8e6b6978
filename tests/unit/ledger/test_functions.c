/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_functions.c - functions of an account have all of its time, few have series, and none
 * shrinks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ledger/ledger.h"
#include "unit/ledger/told.h"

#define PLACES 3
#define ID 5
#define KEY "kind=\"cgroup\",cgroup=\"/a\""

static const struct ctd_ledger_options three = {
	.accounts_max = 100, .functions_max = PLACES, .linger_ns = 400 * SECOND_NS};

static struct ctd_identity make_identity(void)
{
	return (struct ctd_identity){.cgroup_id = ID, .path = (char *)"/a", .names_settled = true};
}

/* A second of the cgroup, which makes its account. */
static void run(struct book *book, const struct ctd_identity *identity)
{
	book_run_cgroup(book, identity, 10);
	book_add(book);
}

static const struct ctd_account *account_of(const struct book *book)
{
	const struct ctd_account *account = book_find(book, KEY);

	assert_non_null(account);
	return account;
}

static struct ctd_function_figures sum_of(const struct ctd_account_functions *functions)
{
	struct ctd_function_figures sum = {0};

	for (size_t i = 0; i < functions->count; i++) {
		sum.cpu_ns += functions->items[i].figures.cpu_ns;
		for (int k = 0; k < CTD_FUNCTION_CATEGORIES; k++)
			sum.slots[k] += functions->items[i].figures.slots[k];
	}
	return sum;
}

/* What was there is there, where it was, and is no smaller. */
static void check_growth(const struct ctd_account_functions *before,
			 const struct ctd_account_functions *now)
{
	assert_true(now->count >= before->count);
	for (size_t i = 0; i < before->count; i++) {
		assert_string_equal(now->items[i].name, before->items[i].name);
		assert_int_equal(now->items[i].begun_ns, before->items[i].begun_ns);
		assert_true(now->items[i].figures.cpu_ns >= before->items[i].figures.cpu_ns);
		for (int k = 0; k < CTD_FUNCTION_CATEGORIES; k++)
			assert_true(now->items[i].figures.slots[k] >=
				    before->items[i].figures.slots[k]);
	}
}

/* For an hour functions come and go, of which there are ever more names. */
static void few_have_all_of_the_time_and_none_shrinks(void **state)
{
	const struct ctd_identity identity = make_identity();
	static char names[TOLD_MAX][16];
	uint64_t random = 1, told_ns = 0, told_slots = 0;
	struct book book;
	struct told told;

	(void)state;
	book_open(&book, three);
	run(&book, &identity);
	for (int turn = 0; turn < 360; turn++) {
		const struct ctd_ledger_view *before = ctd_ledger_view_hold(book.view);

		book.rollup.realtime_ns += TOLD_NS - SECOND_NS;
		told_begin(&told, &book, ID, KEY);
		for (int i = 0; i < 20; i++) {
			random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
			snprintf(names[i], sizeof(names[i]), "f%d", turn / 10 + i);
			told_add(&told, names[i], random >> 54, 1 + (random >> 33) % 9);
			told_ns += told.parts[i].figures.cpu_ns;
			told_slots += told.parts[i].figures.slots[TOLD_BACKEND];
		}
		told_take(&told, &book);
		run(&book, &identity);
		const struct ctd_account_functions *functions = account_of(&book)->functions;

		assert_in_range(functions->count, 2, PLACES + 2);
		assert_int_equal(sum_of(functions).cpu_ns, told_ns);
		assert_int_equal(sum_of(functions).slots[TOLD_BACKEND], told_slots);
		assert_int_equal(functions->categories_known, told.row.categories_known);
		if (before->accounts[0].functions)
			check_growth(before->accounts[0].functions, functions);
		ctd_ledger_view_release(before);
	}
	assert_int_equal(account_of(&book)->functions->count, PLACES + 2);
	assert_string_equal(account_of(&book)->functions->items[0].name, CTD_FUNCTION_OTHER);
	assert_string_equal(account_of(&book)->functions->items[1].name, CTD_FUNCTION_NOT_SAMPLED);
	book_close(&book);
}

/* Ten seconds in which these two ran. */
static void tell_two(struct book *book, const struct ctd_identity *identity)
{
	struct told told;

	book->rollup.realtime_ns += TOLD_NS - SECOND_NS;
	told_begin(&told, book, ID, KEY);
	told_add(&told, "large", 600, 60);
	told_add(&told, "larger", 700, 70);
	told_add(&told, CTD_FUNCTION_NOT_SAMPLED, 5000, 0);
	told_take(&told, book);
	run(book, identity);
}

/* A program that starts has functions that it never has again. */
static void the_largest_gets_a_place_and_the_next_one_a_minute_later(void **state)
{
	const struct ctd_identity identity = make_identity();
	struct book book;
	uint64_t begun_ns;

	(void)state;
	book_open(&book, three);
	run(&book, &identity);
	begun_ns = book.rollup.realtime_ns - SECOND_NS;
	for (uint64_t turn = 1; turn <= 6; turn++) {
		tell_two(&book, &identity);
		assert_int_equal(told_ms(account_of(&book), "larger"), turn * 700);
		assert_null(told_find(account_of(&book), "large"));
		assert_int_equal(told_ms(account_of(&book), CTD_FUNCTION_OTHER), turn * 600);
	}
	assert_true(told_find(account_of(&book), "larger")->begun_ns >= begun_ns - TOLD_NS);
	tell_two(&book, &identity);
	assert_int_equal(told_ms(account_of(&book), "large"), 600);
	assert_int_equal(told_find(account_of(&book), "large")->begun_ns -
				 told_find(account_of(&book), "larger")->begun_ns,
			 6 * TOLD_NS);
	/* What it had before stays where it was. */
	assert_int_equal(told_ms(account_of(&book), CTD_FUNCTION_OTHER), 6 * 600);
	assert_int_equal(told_ms(account_of(&book), CTD_FUNCTION_NOT_SAMPLED), 7 * 5000);
	book_close(&book);
}

static void what_chance_or_little_time_tells_of_gets_no_place(void **state)
{
	const struct ctd_identity identity = make_identity();
	struct book book;
	struct told told;

	(void)state;
	book_open(&book, three);
	run(&book, &identity);
	told_begin(&told, &book, ID, KEY);
	told_add(&told, "sampled twice", 900, 2);
	told_add(&told, "a thousandth", 1, 3);
	told_add(&told, CTD_FUNCTION_OTHER, 500, 50);
	told_add(&told, CTD_FUNCTION_NOT_SAMPLED, 100, 0);
	told_take(&told, &book);
	run(&book, &identity);
	assert_int_equal(account_of(&book)->functions->count, 2);
	assert_int_equal(told_ms(account_of(&book), CTD_FUNCTION_OTHER), 1401);
	assert_int_equal(told_ms(account_of(&book), CTD_FUNCTION_NOT_SAMPLED), 100);
	book_close(&book);
}

static void a_view_keeps_what_it_has(void **state)
{
	const struct ctd_identity identity = make_identity();
	const struct ctd_ledger_view *view;
	struct book book;

	(void)state;
	book_open(&book, three);
	run(&book, &identity);
	tell_two(&book, &identity);
	view = ctd_ledger_view_hold(book.view);
	tell_two(&book, &identity);
	assert_int_equal(told_ms(account_of(&book), "larger"), 1400);
	book_close(&book);
	assert_int_equal(told_ms(&view->accounts[0], "larger"), 700);
	ctd_ledger_view_release(view);
}

static void nobody_who_does_not_ask_has_functions(void **state)
{
	const struct ctd_identity identity = make_identity();
	struct book book;

	(void)state;
	book_open(&book, (struct ctd_ledger_options){.accounts_max = 100});
	run(&book, &identity);
	tell_two(&book, &identity);
	assert_null(account_of(&book)->functions);
	book_close(&book);
}

/* A profile of its end is made some seconds after that. */
static void an_account_that_ended_waits_for_its_last_functions(void **state)
{
	struct ctd_identity identity = make_identity();
	struct book book;
	struct told told;

	(void)state;
	book_open(&book, three);
	run(&book, &identity);
	identity.removed = true;
	run(&book, &identity);
	for (int i = 0; i < 5; i++)
		book_add(&book);
	assert_true(account_of(&book)->ended);
	/* Of the time before its end. */
	told_begin(&told, &book, ID, KEY);
	told.functions.end_ns -= 5 * SECOND_NS;
	told_add(&told, "work", 10, 9);
	told_take(&told, &book);
	book_add(&book);
	ctd_ledger_acknowledge(book.ledger, book.view->sequence);
	book_add(&book);
	assert_int_equal(told_ms(account_of(&book), "work"), 10);
	/* Its cgroup is gone, and its names were others when it ran: it is found, and shown once
	 * more. */
	told_begin(&told, &book, ID, "kind=\"cgroup\",cgroup=\"/before\"");
	told_add(&told, "work", 10, 9);
	told_take(&told, &book);
	book_add(&book);
	assert_int_equal(told_ms(account_of(&book), "work"), 20);
	ctd_ledger_acknowledge(book.ledger, book.view->sequence - 1);
	book_add(&book);
	account_of(&book);
	ctd_ledger_acknowledge(book.ledger, book.view->sequence);
	book_add(&book);
	assert_null(book_find(&book, KEY));
	assert_int_equal(book.view->totals.fetched_ns, 20000000);
	book_close(&book);
}

/* As where the thread that names functions hangs. */
static void an_account_does_not_wait_for_ever_and_is_fetched_all_the_same(void **state)
{
	struct ctd_identity identity = make_identity();
	struct ctd_ledger_options options = three;
	struct book book;

	(void)state;
	options.linger_ns = 4 * SECOND_NS;
	book_open(&book, options);
	identity.removed = true;
	run(&book, &identity);
	for (int i = 0; i < 4; i++) {
		book_add(&book);
		account_of(&book);
		ctd_ledger_acknowledge(book.ledger, book.view->sequence);
	}
	book_add(&book);
	assert_int_equal(book.view->accounts_count, 0);
	assert_int_equal(book.view->totals.fetched_ns, 10000000);
	book_close(&book);
}

static void a_container_that_begins_again_goes_on_where_it_was(void **state)
{
	struct ctd_identity identity = make_identity(), again = make_identity();
	struct book book;
	struct told told;

	(void)state;
	book_open(&book, three);
	run(&book, &identity);
	tell_two(&book, &identity);
	identity.removed = true;
	run(&book, &identity);
	book_add(&book);
	assert_true(account_of(&book)->ended);
	again.cgroup_id = ID + 1;
	run(&book, &again);
	told_begin(&told, &book, ID + 1, KEY);
	told_add(&told, "larger", 1, 1);
	told_take(&told, &book);
	run(&book, &again);
	assert_int_equal(told_ms(account_of(&book), "larger"), 701);
	book_close(&book);
}

/* Rows over the limit are of `other`, and what nobody fetched goes there. */
static void what_has_no_account_is_of_other(void **state)
{
	struct ctd_identity identity = make_identity();
	struct ctd_identity second = {.cgroup_id = 6, .path = (char *)"/b", .names_settled = true};
	struct ctd_ledger_options options = three;
	const struct ctd_account *other;
	struct book book;
	struct told told;

	(void)state;
	options.accounts_max = 1;
	options.linger_ns = 2 * SECOND_NS;
	book_open(&book, options);
	book_run_cgroup(&book, &identity, 100);
	book_run_cgroup(&book, &second, 10);
	book_add(&book);
	tell_two(&book, &identity);
	told_begin(&told, &book, 6, "kind=\"cgroup\",cgroup=\"/b\"");
	told_add(&told, "work", 10, 9);
	told_take(&told, &book);
	run(&book, &identity);
	other = book_find(&book, "kind=\"other\"");
	assert_int_equal(told_ms(other, "work"), 10);
	identity.removed = true;
	run(&book, &identity);
	for (int i = 0; i < 4; i++)
		book_add(&book);
	assert_null(book_find(&book, KEY));
	/* Nobody has told of anything of `other` since. */
	told_begin(&told, &book, 0, "");
	told.functions.rows_count = 0;
	told_take(&told, &book);
	book_add(&book);
	other = book_find(&book, "kind=\"other\"");
	assert_int_equal(told_ms(other, CTD_FUNCTION_OTHER), 600 + 700 + 5000);
	told_begin(&told, &book, 0, "kind=\"cgroup\",cgroup=\"/long gone\"");
	told_add(&told, "late", 1, 1);
	told_take(&told, &book);
	book_add(&book);
	other = book_find(&book, "kind=\"other\"");
	assert_int_equal(told_ms(other, CTD_FUNCTION_OTHER), 600 + 700 + 5000 + 1);
	/* What it took over came once. */
	told_begin(&told, &book, 0, "kind=\"cgroup\",cgroup=\"/long gone\"");
	told_add(&told, "late", 1, 1);
	told_take(&told, &book);
	book_add(&book);
	other = book_find(&book, "kind=\"other\"");
	assert_int_equal(told_ms(other, CTD_FUNCTION_OTHER), 600 + 700 + 5000 + 2);
	/* Of a core type that there is not, there is no `other` either. */
	told_begin(&told, &book, 0, KEY);
	told.row.core = "P-core";
	told_add(&told, "work", 1, 1);
	told_take(&told, &book);
	book_close(&book);
}

static void what_is_told_too_late_opens_other(void **state)
{
	const struct ctd_identity identity = make_identity();
	struct book book;
	struct told told;

	(void)state;
	book_open(&book, three);
	run(&book, &identity);
	assert_null(book_find(&book, "kind=\"other\""));
	told_begin(&told, &book, 77, "kind=\"cgroup\",cgroup=\"/long gone\"");
	told_add(&told, "late", 30, 9);
	told_take(&told, &book);
	run(&book, &identity);
	assert_int_equal(told_ms(book_find(&book, "kind=\"other\""), "late"), 30);
	book_close(&book);
}

/* What waits for its functions alone keeps nobody out. */
static void one_that_was_fetched_gives_way(void **state)
{
	struct ctd_identity identity = make_identity();
	struct ctd_identity second = {.cgroup_id = 6, .path = (char *)"/b", .names_settled = true};
	struct ctd_ledger_options options = three;
	struct book book;

	(void)state;
	options.accounts_max = 1;
	book_open(&book, options);
	run(&book, &identity);
	identity.removed = true;
	run(&book, &identity);
	book_add(&book);
	assert_true(account_of(&book)->ended);
	/* Not before. */
	run(&book, &second);
	assert_null(book_find(&book, "kind=\"cgroup\",cgroup=\"/b\""));
	ctd_ledger_acknowledge(book.ledger, book.view->sequence);
	run(&book, &second);
	assert_null(book_find(&book, KEY));
	assert_non_null(book_find(&book, "kind=\"cgroup\",cgroup=\"/b\""));
	assert_int_equal(book.view->totals.fetched_ns, 20000000);
	book_close(&book);
}

static void the_kernel_has_functions_too(void **state)
{
	struct book book;
	struct told told;

	(void)state;
	book_open(&book, three);
	book_run(&book, CTD_ROLLUP_KERNEL, 10);
	book_add(&book);
	told_begin(&told, &book, 0, "kind=\"kernel\"");
	told_add(&told, "kswapd", 10, 9);
	told_take(&told, &book);
	book_add(&book);
	assert_int_equal(told_ms(book_find(&book, "kind=\"kernel\""), "kswapd"), 10);
	book_close(&book);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_have_all_of_the_time_and_none_shrinks),
		cmocka_unit_test(the_largest_gets_a_place_and_the_next_one_a_minute_later),
		cmocka_unit_test(what_chance_or_little_time_tells_of_gets_no_place),
		cmocka_unit_test(a_view_keeps_what_it_has),
		cmocka_unit_test(nobody_who_does_not_ask_has_functions),
		cmocka_unit_test(an_account_that_ended_waits_for_its_last_functions),
		cmocka_unit_test(an_account_does_not_wait_for_ever_and_is_fetched_all_the_same),
		cmocka_unit_test(a_container_that_begins_again_goes_on_where_it_was),
		cmocka_unit_test(what_has_no_account_is_of_other),
		cmocka_unit_test(what_is_told_too_late_opens_other),
		cmocka_unit_test(one_that_was_fetched_gives_way),
		cmocka_unit_test(the_kernel_has_functions_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
