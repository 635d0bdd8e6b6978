/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_pair_totals.c - a bounded number of pairs has totals of their own, and nothing is lost of
 * others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "book.h"

#define MS 1000000ull

enum { A, B, C, D, COUNT };

/* Cgroups, and what all their pairs have had so far. */
struct town {
	struct book book;
	struct ctd_identity identities[COUNT];
	char paths[COUNT][8];
	struct ctd_pair pairs[16], sum;
	size_t pairs_count;
};

static void begin(struct town *town, size_t pairs_max)
{
	*town = (struct town){0};
	book_open(&town->book, (struct ctd_ledger_options){.accounts_max = 16,
							   .pairs_max = pairs_max,
							   .settle_ns = 9 * SECOND_NS});
	book_count_waits(&town->book);
	for (int i = 0; i < COUNT; i++) {
		snprintf(town->paths[i], sizeof(town->paths[i]), "/%c", 'a' + i);
		town->identities[i] = (struct ctd_identity){.cgroup_id = (uint64_t)i + 1,
							    .path = town->paths[i],
							    .names_settled = true};
	}
}

/* A container whose name is waited for. */
static void hold(struct ctd_identity *identity)
{
	identity->kind = CTD_IS_CONTAINER;
	identity->names_settled = false;
	snprintf(identity->container_id, sizeof(identity->container_id), "%064d",
		 (int)identity->cgroup_id);
}

/* In the interval that is being written, in the order of the cgroups. */
static void wait_for(struct town *town, int victim, int occupier, uint64_t wait_ns)
{
	town->pairs[town->pairs_count++] =
		(struct ctd_pair){(uint64_t)victim, (uint64_t)occupier, wait_ns, 2, 1, 0, 0};
	town->sum.wait_ns += wait_ns;
	town->sum.waits += 2;
	town->sum.preempted++;
}

static const struct ctd_account_who *who_of(const struct ctd_ledger_view *view, uint64_t id)
{
	for (size_t i = 0; i < view->accounts_count; i++)
		if (view->accounts[i].id == id)
			return view->accounts[i].who;
	return NULL;
}

/* Ends it. @p count: of the cgroups, the first ones, that run in it. Shown ones come first and are
 * no more than may be; together they are what all have had. */
static const struct ctd_ledger_view *add(struct town *town, int count)
{
	struct ctd_pair sum = {0};
	const struct ctd_ledger_view *view;

	for (int i = 0; i < count; i++)
		book_run_cgroup(&town->book, &town->identities[i], 10);
	town->book.rollup.pairs = (struct ctd_pairs){town->pairs, town->pairs_count};
	view = book_add(&town->book);
	town->pairs_count = 0;
	for (size_t i = 0; i < view->pair_totals_count; i++) {
		const struct ctd_pair_total *total = &view->pair_totals[i];
		bool shown = i + 2 < view->pair_totals_count;

		assert_string_equal(total->what, shown				    ? "shown"
						 : i + 2 == view->pair_totals_count ? "other"
										    : "ended");
		assert_int_equal(total->victim != NULL, shown);
		assert_int_equal(total->occupier != NULL, shown);
		assert_ptr_equal(total->victim, who_of(view, total->pair.victim_id));
		assert_ptr_equal(total->occupier, who_of(view, total->pair.occupier_id));
		sum.wait_ns += total->pair.wait_ns;
		sum.waits += total->pair.waits;
		sum.preempted += total->pair.preempted;
	}
	assert_memory_equal(&sum, &town->sum, sizeof(sum));
	return view;
}

static void check_shown(const struct ctd_ledger_view *view, size_t at, int victim, int occupier,
			uint64_t wait_ns)
{
	const struct ctd_pair_total *total = &view->pair_totals[at];
	const char cgroups[] = {'/', (char)('a' + victim), '\0', '/', (char)('a' + occupier), '\0'};

	assert_string_equal(total->victim->cgroup, cgroups);
	assert_string_equal(total->occupier->cgroup, cgroups + 3);
	assert_int_equal(total->pair.wait_ns, wait_ns);
}

static void places_go_to_those_that_wait_longest_and_are_kept(void **state)
{
	const struct ctd_ledger_view *view;
	struct town town;

	(void)state;
	begin(&town, 2);
	wait_for(&town, A, B, 30 * MS);
	wait_for(&town, A, C, 20 * MS);
	wait_for(&town, B, A, 40 * MS);
	/* Less than a hundredth of the second. */
	wait_for(&town, D, A, 10 * MS - 1);
	view = add(&town, COUNT);
	assert_int_equal(view->pair_totals_count, 4);
	check_shown(view, 0, A, B, 30 * MS);
	check_shown(view, 1, B, A, 40 * MS);
	assert_int_equal(view->pair_totals[2].pair.wait_ns, 30 * MS - 1);
	/* However long another one waits later. */
	wait_for(&town, A, B, 5);
	wait_for(&town, A, C, 900 * MS);
	view = add(&town, COUNT);
	assert_int_equal(view->pair_totals_count, 4);
	check_shown(view, 0, A, B, 30 * MS + 5);
	check_shown(view, 1, B, A, 40 * MS);
	assert_int_equal(view->pair_totals[0].pair.waits, 4);
	assert_int_equal(view->pair_totals[0].pair.preempted, 2);
	book_close(&town.book);
}

static void short_waits_take_no_place(void **state)
{
	const struct ctd_ledger_view *view;
	struct town town;

	(void)state;
	begin(&town, 2);
	for (int i = 0; i < 3; i++) {
		wait_for(&town, A, B, 10 * MS - 1);
		view = add(&town, COUNT);
		assert_int_equal(view->pair_totals_count, 2);
	}
	wait_for(&town, A, B, 10 * MS);
	view = add(&town, COUNT);
	check_shown(view, 0, A, B, 10 * MS);
	book_close(&town.book);
}

/* Its name may still be another one. */
static void one_that_is_in_no_view_yet_takes_no_place(void **state)
{
	const struct ctd_ledger_view *view;
	struct town town;

	(void)state;
	begin(&town, 1);
	hold(&town.identities[C]);
	wait_for(&town, A, C, 500 * MS);
	wait_for(&town, A, B, 20 * MS);
	view = add(&town, COUNT);
	assert_int_equal(view->held_count, 1);
	check_shown(view, 0, A, B, 20 * MS);
	assert_int_equal(view->pair_totals[1].pair.wait_ns, 500 * MS);
	book_close(&town.book);
}

/* Of two that are held there are ten pairs, all of which waited longer. */
static void those_in_no_view_are_not_in_the_way_of_others(void **state)
{
	const struct ctd_ledger_view *view;
	struct town town;

	(void)state;
	begin(&town, 2);
	hold(&town.identities[C]);
	hold(&town.identities[D]);
	for (int victim = A; victim < COUNT; victim++)
		for (int occupier = A; occupier < COUNT; occupier++)
			if (victim != occupier && (victim >= C || occupier >= C))
				wait_for(&town, victim, occupier, 50 * MS);
	wait_for(&town, B, A, 20 * MS);
	view = add(&town, COUNT);
	assert_int_equal(view->held_count, 2);
	assert_int_equal(view->pair_totals_count, 3);
	check_shown(view, 0, B, A, 20 * MS);
	assert_int_equal(view->pair_totals[1].pair.wait_ns, 10 * 50 * MS);
	book_close(&town.book);
}

static void eight_places_are_given_in_an_interval(void **state)
{
	struct town town;

	(void)state;
	begin(&town, 20);
	for (int i = 0; i < 2; i++) {
		for (int victim = A; victim < COUNT; victim++)
			for (int occupier = A; occupier < COUNT; occupier++)
				if (victim != occupier)
					wait_for(&town, victim, occupier, 20 * MS);
		assert_int_equal(add(&town, COUNT)->pair_totals_count, (i ? 12 : 8) + 2);
	}
	book_close(&town.book);
}

/* It comes before others in some order, and behind them in another. */
static void each_is_found_whenever_it_was_shown(void **state)
{
	const struct ctd_ledger_view *view;
	struct town town;

	(void)state;
	begin(&town, 3);
	for (int i = A; i < D; i++)
		hold(&town.identities[i]);
	assert_int_equal(add(&town, COUNT)->held_count, 3);
	for (int i = A; i < D; i++) {
		int shown = (i + 1) % D;

		town.identities[shown].names_settled = true;
		town.identities[shown].version++;
		wait_for(&town, shown, D, 20 * MS);
		view = add(&town, COUNT);
		assert_int_equal(view->held_count, 2 - i);
		assert_int_equal(view->pair_totals_count, i + 1 + 2);
	}
	/* One in the middle goes. */
	town.identities[B].removed = true;
	view = add(&town, COUNT);
	for (int i = 0; i < 2; i++) {
		book_run_cgroup(&town.book, &town.identities[C], 10);
		book_run_cgroup(&town.book, &town.identities[D], 10);
		ctd_ledger_acknowledge(town.book.ledger, view->sequence);
		view = add(&town, B);
	}
	assert_int_equal(view->accounts_count, 3);
	assert_int_equal(view->pair_totals_count, 2 + 2);
	assert_int_equal(view->pair_totals[3].pair.wait_ns, 20 * MS);
	book_close(&town.book);
}

static void the_place_of_one_that_is_gone_is_free_again(void **state)
{
	const struct ctd_ledger_view *view;
	struct town town;

	(void)state;
	begin(&town, 1);
	wait_for(&town, A, D, 50 * MS);
	view = add(&town, COUNT);
	check_shown(view, 0, A, D, 50 * MS);
	/* Its last figures are shown until they have been fetched. */
	town.identities[D].removed = true;
	wait_for(&town, A, D, 7);
	view = add(&town, COUNT);
	check_shown(view, 0, A, D, 50 * MS + 7);
	view = add(&town, D);
	check_shown(view, 0, A, D, 50 * MS + 7);
	ctd_ledger_acknowledge(town.book.ledger, view->sequence);
	wait_for(&town, A, B, 20 * MS);
	view = add(&town, D);
	assert_int_equal(view->pair_totals_count, 3);
	check_shown(view, 0, A, B, 20 * MS);
	assert_int_equal(view->pair_totals[1].pair.wait_ns, 0);
	assert_int_equal(view->pair_totals[2].pair.wait_ns, 50 * MS + 7);
	book_close(&town.book);
}

static void without_places_there_are_no_totals(void **state)
{
	struct town town;

	(void)state;
	begin(&town, 0);
	for (int i = 0; i < COUNT; i++)
		book_run_cgroup(&town.book, &town.identities[i], 10);
	wait_for(&town, A, B, 30 * MS);
	town.book.rollup.pairs = (struct ctd_pairs){town.pairs, town.pairs_count};
	assert_int_equal(book_add(&town.book)->pair_totals_count, 0);
	book_close(&town.book);
}

/* Whose it is nobody knows. */
static void what_had_no_room_in_the_kernel_is_in_others(void **state)
{
	const struct ctd_ledger_view *view;
	struct town town;

	(void)state;
	begin(&town, 1);
	wait_for(&town, A, B, 20 * MS);
	town.book.rollup.evicted_pairs =
		(struct ctd_pair){.wait_ns = 700 * MS, .waits = 70, .preempted = 7};
	town.sum.wait_ns += 700 * MS;
	town.sum.waits += 70;
	town.sum.preempted += 7;
	view = add(&town, COUNT);
	assert_int_equal(view->pair_totals_count, 3);
	check_shown(view, 0, A, B, 20 * MS);
	assert_int_equal(view->pair_totals[1].pair.wait_ns, 700 * MS);
	assert_int_equal(view->pair_totals[1].pair.waits, 70);
	assert_int_equal(view->pair_totals[1].pair.preempted, 7);
	town.book.rollup.evicted_pairs = (struct ctd_pair){0};
	view = add(&town, COUNT);
	assert_int_equal(view->pair_totals[1].pair.wait_ns, 700 * MS);
	book_close(&town.book);
}

/* Intervals of a second, and the first one begins with the ledger. */
static void each_says_since_when_it_counts(void **state)
{
	const struct ctd_ledger_view *view;
	struct town town;

	(void)state;
	begin(&town, 1);
	add(&town, COUNT);
	wait_for(&town, A, D, 50 * MS);
	add(&town, COUNT);
	wait_for(&town, A, D, 5 * MS);
	view = add(&town, COUNT);
	check_shown(view, 0, A, D, 55 * MS);
	assert_int_equal(view->pair_totals[0].begun_ns, BEGIN_NS + SECOND_NS);
	assert_int_equal(view->pair_totals[1].begun_ns, BEGIN_NS);
	assert_int_equal(view->pair_totals[2].begun_ns, BEGIN_NS);
	/* The same two come again, under the same names. */
	town.identities[D].removed = true;
	add(&town, COUNT);
	ctd_ledger_acknowledge(town.book.ledger, add(&town, D)->sequence);
	add(&town, D);
	town.identities[D].removed = false;
	wait_for(&town, A, D, 20 * MS);
	view = add(&town, COUNT);
	check_shown(view, 0, A, D, 20 * MS);
	assert_int_equal(view->pair_totals[0].begun_ns, BEGIN_NS + 6 * SECOND_NS);
	assert_int_equal(view->pair_totals[2].pair.wait_ns, 55 * MS);
	assert_int_equal(view->pair_totals[2].begun_ns, BEGIN_NS);
	book_close(&town.book);
}

/* Also the sums of others and of ended ones are of what is measured. */
static void where_waits_are_not_counted_there_are_no_totals(void **state)
{
	const struct ctd_ledger_view *view;
	struct town town;

	(void)state;
	begin(&town, 5);
	town.book.rollup.waits = NULL;
	for (int i = 0; i < 2; i++)
		assert_int_equal(add(&town, COUNT)->pair_totals_count, 0);
	/* From then on they are known, also in intervals without. */
	book_count_waits(&town.book);
	assert_int_equal(add(&town, COUNT)->pair_totals_count, 2);
	wait_for(&town, A, B, 20 * MS);
	add(&town, COUNT);
	town.book.rollup.waits = NULL;
	view = add(&town, COUNT);
	assert_int_equal(view->pair_totals_count, 3);
	check_shown(view, 0, A, B, 20 * MS);
	book_close(&town.book);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_go_to_those_that_wait_longest_and_are_kept),
		cmocka_unit_test(short_waits_take_no_place),
		cmocka_unit_test(one_that_is_in_no_view_yet_takes_no_place),
		cmocka_unit_test(those_in_no_view_are_not_in_the_way_of_others),
		cmocka_unit_test(eight_places_are_given_in_an_interval),
		cmocka_unit_test(each_is_found_whenever_it_was_shown),
		cmocka_unit_test(the_place_of_one_that_is_gone_is_free_again),
		cmocka_unit_test(without_places_there_are_no_totals),
		cmocka_unit_test(what_had_no_room_in_the_kernel_is_in_others),
		cmocka_unit_test(each_says_since_when_it_counts),
		cmocka_unit_test(where_waits_are_not_counted_there_are_no_totals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
