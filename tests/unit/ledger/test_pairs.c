/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_pairs.c - a view has the pairs of its rollup, as accounts, for as long as it is held. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/ledger/book.h"
#include "unit/rollup/hybrid.h"

static struct ctd_identity first = {.cgroup_id = 1, .path = (char *)"/system.slice/a.service"};
static struct ctd_identity second = {.cgroup_id = 2, .path = (char *)"/system.slice/b.service"};
static struct ctd_identity third = {.cgroup_id = 3, .path = (char *)"/system.slice/c.service"};

static uint64_t id_of(const struct ctd_ledger_view *view, const char *cgroup)
{
	for (size_t i = 0; i < view->accounts_count; i++)
		if (!strcmp(view->accounts[i].who->cgroup, cgroup))
			return view->accounts[i].id;
	fail_msg("no account of %s", cgroup);
	return 0;
}

static const struct ctd_ledger_view *add(struct book *book, struct ctd_pair *pairs, size_t count)
{
	book_run_cgroup(book, &second, 10);
	book_run_cgroup(book, &first, 10);
	book_run_cgroup(book, &third, 10);
	book->rollup.pairs = (struct ctd_pairs){pairs, count};
	return book_add(book);
}

static void views_have_the_pairs_of_their_own_rollup(void **state)
{
	/* By rows, in the order above. */
	struct ctd_pair pairs[] = {
		{0, 1, 10, 2, 1, 7, 0}, {0, 2, 5, 1, 0, 7, 0}, {1, 0, 3, 1, 1, 7, 0}};
	const struct ctd_ledger_view *held;
	struct book book;
	uint64_t a, b;

	(void)state;
	book_open(&book, (struct ctd_ledger_options){.accounts_max = 16});
	held = ctd_ledger_view_hold(add(&book, pairs, 3));
	a = id_of(held, first.path);
	b = id_of(held, second.path);
	add(&book, pairs, 1);
	assert_int_equal(book.view->pairs.count, 1);
	assert_int_equal(book.view->pairs.items[0].victim_id, b);
	assert_int_equal(book.view->pairs.items[0].occupier_id, a);
	assert_int_equal(book.view->pairs.items[0].wait_ns, 10);
	add(&book, NULL, 0);
	assert_int_equal(book.view->pairs.count, 0);
	assert_int_equal(id_of(book.view, first.path), a);
	/* The first one is what it was. */
	assert_int_equal(held->pairs.count, 3);
	for (size_t i = 0; i < 3; i++)
		assert_true(held->pairs.items[i].victim_id == a ||
			    held->pairs.items[i].victim_id == b);
	ctd_ledger_view_release(held);
	book_close(&book);
}

static void what_has_no_account_of_its_own_is_one_with_the_others(void **state)
{
	struct ctd_pair pairs[] = {
		{0, 1, 10, 2, 1, 7, 0}, {0, 2, 5, 1, 0, 7, 0}, {2, 0, 1, 1, 0, 7, 0}};
	struct book book;

	(void)state;
	book_open(&book, (struct ctd_ledger_options){0});
	add(&book, pairs, 3);
	assert_int_equal(book.view->pairs.count, 0);
	book_close(&book);
}

static struct ctd_identity unit[] = {
	{.cgroup_id = 1, .path = (char *)"/system.slice/u.service/a", .unit = (char *)"u.service"},
	{.cgroup_id = 2, .path = (char *)"/system.slice/u.service/b", .unit = (char *)"u.service"},
};

static void what_rows_of_one_account_wait_for_each_other_is_its_own(void **state)
{
	struct ctd_pair pairs[] = {
		{0, 1, 50, 2, 4, 7, 0}, {0, 2, 5, 1, 1, 7, 0}, {1, 0, 20, 2, 9, 7, 0}};
	struct ctd_waits waits[2] = {
		{.ns = {1, 60}, .preempted = 6, .preempted_by_other = 6, .preempted_others = 2},
		{.ns = {2, 15}, .preempted = 3, .preempted_by_other = 2, .preempted_others = 4},
	};

	(void)state;
	/* There is room for the unit, or for none. */
	for (size_t room = 0; room < 2; room++) {
		const struct ctd_waits *sum = NULL;
		struct book book;

		book_open(&book, (struct ctd_ledger_options){.accounts_max = room});
		for (int i = 0; i < 2; i++)
			book_run_cgroup(&book, &unit[i], 10)->part.waits = &waits[i];
		book_run_cgroup(&book, &third, 5);
		book.rollup.pairs = (struct ctd_pairs){pairs, 3};
		book_add(&book);
		assert_int_equal(book.view->accounts_count, room + 1);
		sum = &book.view->accounts[0].waits;
		/* The second one waited less than its pair has. */
		assert_int_equal(sum->ns[CTD_WAIT_OWN], room ? 3 + 50 + 15 : 3);
		assert_int_equal(sum->ns[CTD_WAIT_OTHER], room ? 10 : 75);
		assert_int_equal(sum->preempted, 9);
		assert_int_equal(sum->preempted_by_other, room ? 2 : 8);
		assert_int_equal(sum->preempted_others, room ? 0 : 6);
		/* The third one's account is that of what has no room. */
		assert_int_equal(book.view->pairs.count, room);
		book_close(&book);
	}
}

/* The pair of two cgroups on these kinds of cores. */
static struct ctd_pair pair_of(const struct ctd_ledger_view *view, const char *victim,
			       const char *occupier)
{
	struct ctd_pair found = {0};

	for (size_t i = 0; i < view->pairs.count; i++) {
		const char *keys[2] = {"", ""};

		for (size_t k = 0; k < view->accounts_count; k++) {
			if (view->accounts[k].id == view->pairs.items[i].victim_id)
				keys[0] = view->accounts[k].who->key_text;
			if (view->accounts[k].id == view->pairs.items[i].occupier_id)
				keys[1] = view->accounts[k].who->key_text;
		}
		if (strstr(keys[0], victim) && strstr(keys[1], occupier))
			found = view->pairs.items[i];
	}
	return found;
}

static void where_core_types_differ_each_has_its_part(void **state)
{
	struct ctd_pair items[] = {{2, 3, 100, 10, 7, 1, 50}, {4, 3, 5, 1, 1, 1, 0}};
	struct ctd_waits waits[4] = {
		{.ns = {[CTD_WAIT_OTHER] = 25}, .preempted_by_other = 1},
		{.ns = {[CTD_WAIT_OTHER] = 75}, .preempted_by_other = 6},
	};
	struct ctd_interval_sibling siblings[4][CTD_SIBLINGS] = {
		{[CTD_SIBLING_OTHER] = {.cpu_ns = 60}}};
	struct ctd_rollup rollup;
	struct ctd_pair pair;
	struct scene scene;
	struct book book;

	(void)state;
	hybrid_begin(&scene);
	scene.rollup_options.by = CTD_GROUP_CONTAINER;
	scene.interval.rows_count = 0;
	hybrid_run(&scene, CTD_ROW_CGROUP, 2, HYBRID_P, 10);
	hybrid_run(&scene, CTD_ROW_CGROUP, 2, HYBRID_E, 10);
	hybrid_run(&scene, CTD_ROW_CGROUP, 3, HYBRID_E, 10);
	hybrid_run(&scene, CTD_ROW_CGROUP, 4, HYBRID_OTHER, 10);
	for (int i = 0; i < 4; i++) {
		scene.rows[i].waits = &waits[i];
		scene.rows[i].siblings = siblings[i];
	}
	scene.interval.has_waits = scene.interval.has_siblings = true;
	scene.interval.pairs = (struct ctd_pairs){items, 2};
	rollup = scene_rollup(&scene);
	book_open(&book, (struct ctd_ledger_options){.accounts_max = 16});
	assert_int_equal(ctd_ledger_add(book.ledger, &rollup), 0);
	assert_int_equal(ctd_ledger_view(book.ledger, &book.view), 0);
	assert_int_equal(book.view->pairs.count, 3);
	/* What the other one has there, or what it has at all. */
	pair = pair_of(book.view, "both\",core=\"P-core", "/p\",core=\"E-core");
	assert_int_equal(pair.wait_ns, 25);
	assert_int_equal(pair.waits, 2);
	assert_int_equal(pair.preempted, 1);
	assert_int_equal(pair.beside_ns, 50);
	pair = pair_of(book.view, "both\",core=\"E-core", "/p\",core=\"E-core");
	assert_int_equal(pair.wait_ns, 75);
	assert_int_equal(pair.waits, 8);
	assert_int_equal(pair.preempted, 6);
	assert_int_equal(pair.beside_ns, 0);
	/* It has no waits: all of it stays. */
	pair = pair_of(book.view, "/e\",core=\"other", "/p\",core=\"E-core");
	assert_int_equal(pair.wait_ns, 5);
	assert_int_equal(pair.preempted, 1);
	ctd_rollup_free(&rollup);
	book_close(&book);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(views_have_the_pairs_of_their_own_rollup),
		cmocka_unit_test(what_has_no_account_of_its_own_is_one_with_the_others),
		cmocka_unit_test(what_rows_of_one_account_wait_for_each_other_is_its_own),
		cmocka_unit_test(where_core_types_differ_each_has_its_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
