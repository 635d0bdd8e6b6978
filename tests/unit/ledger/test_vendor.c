/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_vendor.c - counts of vendors' metrics add up as all others do, and values are of the last
 * interval. */
#include "unit/ledger/beside.h"

static struct ctd_identity identities[20];
static char paths[20][16];

static int begin(void **state)
{
	for (size_t i = 0; i < 20; i++) {
		snprintf(paths[i], sizeof(paths[i]), "/%02zu", i);
		identities[i] = (struct ctd_identity){
			.cgroup_id = i + 1, .path = paths[i], .names_settled = true};
	}
	return new_table(state);
}

static void run(struct beside *beside, struct book *book, size_t cgroup, uint64_t ms,
		uint64_t first)
{
	book_run_cgroup(book, &identities[cgroup], ms);
	beside_count(beside, book, first);
}

static const struct ctd_account *account_of(const struct book *book, size_t cgroup)
{
	char key[48];

	snprintf(key, sizeof(key), "kind=\"cgroup\",cgroup=\"%s\"", paths[cgroup]);
	return book_find(book, key);
}

static double value_of(const struct ctd_account *account, const char *name)
{
	return account->vendor.values[find(name)].value;
}

static void counts_only_grow_and_values_are_of_the_last_interval(void **state)
{
	static struct beside beside;
	struct book book;
	const struct ctd_account *account;
	int e1;

	(void)state;
	beside_open(&beside, &book, (struct ctd_ledger_options){.accounts_max = 10});
	e1 = place_of(counting.metrics[find("first")].group, "E1");
	run(&beside, &book, 0, 100, 60);
	assert_ptr_equal(beside_add(&beside, &book)->vendor, &counting);
	account = account_of(&book, 0);
	assert_int_equal(account->vendor.count[0], 100000);
	assert_int_equal(account->vendor.count[e1], 60000);
	assert_int_equal(account->vendor.group_ns[0], 25000000);
	assert_int_equal(account->vendor.group_ns[1], 25000000);
	assert_int_equal(account->vendor.recent_ns[1], 25000000);
	assert_true(fabs(value_of(account, "first") - .6) < 1e-9);
	assert_true(fabs(value_of(account, "second") - .3) < 1e-9);
	assert_true(account->vendor.values[find("first")].hot);
	assert_true(account->vendor.values[find("second")].hot);
	assert_true(isnan(value_of(account, "beyond")));
	run(&beside, &book, 0, 300, 20);
	beside_add(&beside, &book);
	account = account_of(&book, 0);
	assert_int_equal(account->vendor.count[0], 400000);
	assert_int_equal(account->vendor.count[e1], 120000);
	assert_int_equal(account->vendor.recent_ns[0], 75000000);
	assert_true(fabs(value_of(account, "first") - .2) < 1e-9);
	assert_false(account->vendor.values[find("first")].hot);
	/* It did not run. */
	run(&beside, &book, 1, 1, 20);
	beside_add(&beside, &book);
	account = account_of(&book, 0);
	assert_int_equal(account->vendor.count[0], 400000);
	assert_int_equal(account->vendor.group_ns[0], 100000000);
	assert_int_equal(account->vendor.recent_ns[0], 0);
	assert_true(isnan(value_of(account, "first")));
	/* It ran, and its turn did not come. */
	book_run_cgroup(&book, &identities[0], 10);
	beside_add(&beside, &book);
	account = account_of(&book, 0);
	assert_int_equal(account->vendor.count[0], 400000);
	assert_true(isnan(value_of(account, "first")));
	book_close(&book);
}

/* The value of several rows is that of their counts, not a mean of values. */
static void rows_of_one_account_are_added_before_they_are_evaluated(void **state)
{
	static struct beside beside;
	struct book book;
	const struct ctd_account *other;

	(void)state;
	beside_open(&beside, &book, (struct ctd_ledger_options){.accounts_max = 1});
	run(&beside, &book, 0, 900, 10);
	run(&beside, &book, 1, 300, 40);
	run(&beside, &book, 2, 100, 80);
	beside_add(&beside, &book);
	other = book_find(&book, "kind=\"other\"");
	assert_int_equal(other->vendor.count[0], 400000);
	assert_true(fabs(value_of(other, "first") - .5) < 1e-9);
	assert_true(fabs(value_of(account_of(&book, 0), "first") - .1) < 1e-9);
	book_close(&book);
}

static void add_up(const struct ctd_account_vendor *from, uint64_t counts[BESIDE_COUNTS],
		   uint64_t *ns)
{
	int all = counting.rotation.groups_count * counting.rotation.events_count;

	for (int i = 0; i < all; i++)
		counts[i] += from->count[i];
	for (int group = 0; group < BESIDE_GROUPS; group++)
		*ns += from->group_ns[group];
}

/* Accounts are folded, fetched, held and renamed, and each count is in one of them. */
static void nothing_is_lost_or_counted_twice_whatever_becomes_of_accounts(void **state)
{
	static struct beside beside;
	uint64_t want[BESIDE_COUNTS] = {0}, want_ns = 0, random = 1;
	struct book book;

	(void)state;
	beside_open(&beside, &book,
		    (struct ctd_ledger_options){.accounts_max = 6,
						.settle_ns = 3 * SECOND_NS,
						.linger_ns = 4 * SECOND_NS});
	for (int round = 0; round < 200; round++) {
		uint64_t counts[BESIDE_COUNTS] = {0}, ns = 0;

		for (size_t i = 0; i < 20; i++) {
			random = random * 6364136223846793005ull + 1442695040888963407ull;
			if (random >> 62)
				continue;
			identities[i].names_settled = random >> 40 & 1;
			identities[i].removed = (random >> 41 & 7) == 0;
			if ((random >> 45 & 7) == 0)
				snprintf(paths[i], sizeof(paths[i]), "/%02zu-%d", i, round);
			identities[i].version++;
			run(&beside, &book, i, 1 + (random >> 50 & 63), random >> 56 & 63);
		}
		for (size_t i = 0; i < book.rollup.rows_count; i++)
			add_up(&(struct ctd_account_vendor){.count = beside.counts[i],
							    .group_ns = beside.ns[i]},
			       want, &want_ns);
		beside_add(&beside, &book);
		for (size_t i = 0; i < book.view->accounts_count; i++)
			add_up(&book.view->accounts[i].vendor, counts, &ns);
		for (size_t i = 0; i < book.view->held_count; i++)
			add_up(&book.view->held[i].vendor, counts, &ns);
		add_up(&book.view->vendor_fetched, counts, &ns);
		assert_memory_equal(counts, want, sizeof(counts));
		assert_int_equal(ns, want_ns);
		if (round % 3 == 0)
			ctd_ledger_acknowledge(book.ledger, book.view->sequence);
	}
	assert_true(book.view->vendor_fetched.count[0] > 0);
	assert_non_null(book_find(&book, "kind=\"other\""));
	assert_true(book_find(&book, "kind=\"other\"")->vendor.count[0] > 0);
	book_close(&book);
}

static void without_them_there_is_nothing_of_them(void **state)
{
	struct book book;

	(void)state;
	book_open(&book, (struct ctd_ledger_options){.accounts_max = 10});
	book_run_cgroup(&book, &identities[0], 100);
	assert_null(book_add(&book)->vendor);
	assert_null(book.view->vendor_fetched.count);
	assert_null(account_of(&book, 0)->vendor.count);
	assert_null(account_of(&book, 0)->vendor.values);
	book_close(&book);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, free_table)
	const struct CMUnitTest tests[] = {
		TEST(counts_only_grow_and_values_are_of_the_last_interval),
		TEST(rows_of_one_account_are_added_before_they_are_evaluated),
		TEST(nothing_is_lost_or_counted_twice_whatever_becomes_of_accounts),
		TEST(without_them_there_is_nothing_of_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
