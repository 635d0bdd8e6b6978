/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_end.c - last figures are fetched once more, or kept in `other`; nothing piles up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ledger/ledger.h"
#include "unit/ledger/book.h"

static const struct ctd_ledger_options plain = {.accounts_max = 100, .linger_ns = 4 * SECOND_NS};

/* Of level 1, which is all slots. */
static uint64_t level1_of(const uint64_t *node_slots)
{
	return node_slots[0] + node_slots[1] + node_slots[2] + node_slots[3];
}

static void an_ended_account_stays_until_its_last_figures_are_fetched(void **state)
{
	struct ctd_identity identity = {
		.cgroup_id = 5, .path = (char *)"/a", .names_settled = true};
	struct book book;

	(void)state;
	book_open(&book, plain);
	book_run_cgroup(&book, &identity, 10);
	book_add(&book);
	identity.removed = true;
	book_run_cgroup(&book, &identity, 10);
	book_add(&book);
	ctd_ledger_acknowledge(book.ledger, book.view->sequence);
	book_add(&book);
	/* The views until now did not say that it is the end. */
	assert_int_equal(book.view->accounts_count, 1);
	assert_true(book.view->accounts[0].ended);
	assert_int_equal(book.view->accounts[0].slots, 2 * slots_of_ms(10));
	book_add(&book);
	assert_int_equal(book.view->accounts_count, 1);
	ctd_ledger_acknowledge(book.ledger, book.view->sequence);
	/* An older one says nothing new. */
	ctd_ledger_acknowledge(book.ledger, 1);
	book_add(&book);
	assert_int_equal(book.view->accounts_count, 0);
	assert_int_equal(book.view->totals.fetched_slots, 2 * slots_of_ms(10));
	assert_int_equal(book.view->totals.fetched_ns, 20000000);
	/* Not only how much it was, but where it went. */
	assert_int_equal(level1_of(book.view->core_types[0].totals.fetched.node_slots),
			 2 * slots_of_ms(10));
	assert_int_equal(book.view->core_types[0].totals.fetched.counted_ns, 20000000);
	assert_int_not_equal(book.view->core_types[0].totals.fetched.slices, 0);
	book_close(&book);
}

static void what_nobody_fetches_goes_to_other(void **state)
{
	struct ctd_identity identity = {
		.cgroup_id = 5, .path = (char *)"/a", .names_settled = true, .removed = true};
	struct book book;

	(void)state;
	book_open(&book, plain);
	book_run_cgroup(&book, &identity, 10);
	book_add(&book);
	for (int i = 0; i < 4; i++) {
		book_add(&book);
		assert_non_null(book_find(&book, "kind=\"cgroup\",cgroup=\"/a\""));
	}
	book_add(&book);
	assert_int_equal(book.view->accounts_count, 1);
	assert_int_equal(book_find(&book, "kind=\"other\"")->slots, slots_of_ms(10));
	assert_int_equal(book_find(&book, "kind=\"other\"")->node_slots[0] +
				 book_find(&book, "kind=\"other\"")->node_slots[3],
			 slots_of_ms(10));
	book_close(&book);
}

static void what_was_idle_when_it_was_removed_ends_too(void **state)
{
	struct ctd_identities *identities;
	struct book book;

	(void)state;
	assert_int_equal(ctd_identities_new(&identities), 0);
	assert_int_equal(ctd_identities_add(identities, 5, "/a"), 0);
	assert_int_equal(ctd_identities_add(identities, 6, "/b"), 0);
	book_open(&book, plain);
	for (uint64_t id = 5; id <= 6; id++)
		book_run_cgroup(&book, ctd_identities_get(identities, id), 10);
	book_add(&book);
	book_add(&book);
	ctd_identities_remove(identities, 5);
	ctd_identities_remove(identities, 6);
	ctd_identities_forget(identities, 6);
	book.rollup.identities = identities;
	book_add(&book);
	assert_true(book.view->accounts[0].ended);
	assert_true(book.view->accounts[1].ended);
	/* A last slice after all. */
	book_run_cgroup(&book, ctd_identities_get(identities, 5), 1);
	book_add(&book);
	assert_false(book.view->accounts[0].ended);
	assert_int_equal(book.view->accounts[0].slots, slots_of_ms(10) + slots_of_ms(1));
	book_add(&book);
	assert_true(book.view->accounts[0].ended);
	book_close(&book);
	ctd_identities_free(identities);
}

static void an_end_before_the_name_is_shown_at_once(void **state)
{
	struct ctd_identity identity = {.cgroup_id = 5, .path = (char *)"/a", .removed = true};
	struct book book;

	(void)state;
	book_open(&book, (struct ctd_ledger_options){.accounts_max = 9,
						     .settle_ns = 60 * SECOND_NS,
						     .linger_ns = 60 * SECOND_NS});
	book_run_cgroup(&book, &identity, 10);
	book_add(&book);
	assert_int_equal(book.view->accounts_count, 0);
	book_add(&book);
	assert_int_equal(book.view->accounts_count, 1);
	assert_true(book.view->accounts[0].ended);
	book_close(&book);
}

#define RUNNING 64
#define PLACES 100

struct churn {
	struct book book;
	struct ctd_identities *identities;
	uint64_t last_id, random;
	uint64_t running[RUNNING]; /* cgroup ids */
	const struct ctd_ledger_view *before;
};

static uint64_t random_below(struct churn *churn, uint64_t end)
{
	churn->random = churn->random * 6364136223846793005u + 1442695040888963407u;
	return (churn->random >> 33) % end;
}

static const struct ctd_identity *identity_of(const struct churn *churn, size_t place)
{
	return ctd_identities_get(churn->identities, churn->running[place]);
}

static void settle(struct churn *churn, size_t place, bool settled)
{
	ctd_identities_set_names(churn->identities, churn->running[place], NULL, CTD_QOS_UNKNOWN,
				 settled);
}

/* Another one in the place of what ran there. */
static void start(struct churn *churn, size_t place)
{
	char path[160];

	ctd_identities_forget(churn->identities, churn->running[place]);
	churn->running[place] = ++churn->last_id;
	snprintf(path, sizeof(path), "/docker/%012d%052d", (int)churn->last_id, 0);
	assert_int_equal(ctd_identities_add(churn->identities, churn->last_id, path), 0);
	settle(churn, place, false);
}

/* No series that both views show has become less. */
static void check_growth(const struct churn *churn)
{
	for (size_t i = 0; i < churn->before->accounts_count; i++) {
		const struct ctd_account *before = &churn->before->accounts[i];
		const struct ctd_account *after = book_find(&churn->book, before->who->key_text);

		if (!after)
			assert_true(before->ended);
		else
			assert_true(after->slots >= before->slots &&
				    after->cpu_ns >= before->cpu_ns &&
				    after->node_slots[11] >= before->node_slots[11]);
	}
}

/* Half of them end in each interval, with figures or without; some names are never settled. */
static void run_all(struct churn *churn)
{
	for (size_t i = 0; i < RUNNING; i++) {
		if (identity_of(churn, i)->removed)
			start(churn, i);
		else if (random_below(churn, 2))
			ctd_identities_remove(churn->identities, churn->running[i]);
		else
			settle(churn, i, random_below(churn, 2));
		if (random_below(churn, 4))
			book_run_cgroup(&churn->book, identity_of(churn, i),
					random_below(churn, 20));
	}
	book_run(&churn->book, CTD_ROLLUP_IDLE, 100);
	churn->book.rollup.totals[0].unattributed_slots = random_below(churn, 1000);
}

static void one_interval(struct churn *churn)
{
	struct book *book = &churn->book;

	run_all(churn);
	ctd_ledger_view_release(churn->before);
	churn->before = book->view ? ctd_ledger_view_hold(book->view) : NULL;
	book->rollup.identities = churn->identities;
	book_add(book);
	if (churn->before)
		check_growth(churn);
	assert_in_range(book->view->accounts_count, 1, PLACES + 2);
	assert_in_range(book->ledger->members[0].count, 1, 3 * RUNNING);
	if (random_below(churn, 10) == 0)
		ctd_ledger_acknowledge(book->ledger, book->view->sequence);
}

/* Their sums are checked with every report, to the last slot: see book_add(). */
static void ten_thousand_short_lives_take_bounded_places(void **state)
{
	static struct churn churn = {.random = 1};

	(void)state;
	assert_int_equal(ctd_identities_new(&churn.identities), 0);
	book_open(&churn.book, (struct ctd_ledger_options){.accounts_max = PLACES,
							   .settle_ns = 2 * SECOND_NS,
							   .linger_ns = 5 * SECOND_NS});
	for (size_t i = 0; i < RUNNING; i++)
		start(&churn, i);
	while (churn.last_id < 10000)
		one_interval(&churn);
	assert_true(churn.book.view->totals.folded > 0);
	assert_true(churn.book.view->totals.fetched_slots > 0);
	assert_true(book_find(&churn.book, "kind=\"other\"")->slots > 0);
	ctd_ledger_view_release(churn.before);
	book_close(&churn.book);
	ctd_identities_free(churn.identities);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_ended_account_stays_until_its_last_figures_are_fetched),
		cmocka_unit_test(what_nobody_fetches_goes_to_other),
		cmocka_unit_test(what_was_idle_when_it_was_removed_ends_too),
		cmocka_unit_test(an_end_before_the_name_is_shown_at_once),
		cmocka_unit_test(ten_thousand_short_lives_take_bounded_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
