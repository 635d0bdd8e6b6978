/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_ledger.c - rollups added up: whose they are, and that nothing is lost or counted twice. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/ledger/book.h"

#define DIGITS_8(a) a a a a a a a a
#define ID(four) DIGITS_8(four) DIGITS_8(four)
#define WEB_KEY "kind=\"container\",namespace=\"shop\",pod=\"cart-0\",container=\"web\""

static struct ctd_identity web = {.cgroup_id = 20,
				  .path = (char *)"/kubepods/web",
				  .container_id = ID("aaaa"),
				  .names = NAMES((char *)"shop", (char *)"cart-0", (char *)"web"),
				  .names_settled = true};
static const struct ctd_ledger_options plain = {.accounts_max = 100, .linger_ns = 300 * SECOND_NS};

static void every_row_is_in_an_account_of_its_kind(void **state)
{
	static const char *const keys[] = {WEB_KEY, "kind=\"cgroup\",cgroup=\"cgroup:77\"",
					   "kind=\"kernel\"", "kind=\"idle\"", "kind=\"other\""};
	struct book book;
	struct book_line *row;

	(void)state;
	book_open(&book, plain);
	for (int i = 0; i < 3; i++) {
		book_run_cgroup(&book, &web, 100);
		row = book_run(&book, CTD_ROLLUP_CGROUP, 10);
		row->row.cgroup_id = 77;
		book_run(&book, CTD_ROLLUP_KERNEL, 5);
		book_run(&book, CTD_ROLLUP_OTHER, 1);
		book_run(&book, CTD_ROLLUP_IDLE, 500);
		book.rollup.totals[0].unattributed_slots = 41;
		book.rollup.totals[0].residual_slots = -2;
		book_add(&book);
	}
	assert_int_equal(book.view->accounts_count, 5);
	for (size_t i = 0; i < 5; i++)
		assert_string_equal(book.view->accounts[i].who->key_text, keys[i]);
	assert_int_equal(book.view->accounts[0].slots, 3 * slots_of_ms(100));
	assert_int_equal(book.view->accounts[0].cpu_ns, 300000000);
	assert_int_equal(book.view->accounts[0].counted_ns, 300000000);
	assert_int_equal(book.view->accounts[0].slices, 9);
	assert_int_equal(book.view->accounts[0].begun_ns, BEGIN_NS);
	assert_int_equal(book.view->totals.unattributed_slots, 3 * 41);
	assert_int_equal(book.view->totals.residual_slots, -6);
	assert_int_equal(book.view->sequence, 3);
	assert_int_equal(book.view->totals.intervals, 3);
	book_close(&book);
}

static void level_1_adds_up_to_all_slots_in_every_view(void **state)
{
	struct book book;

	(void)state;
	book_open(&book, plain);
	for (uint64_t i = 0; i < 1000; i++) {
		const struct ctd_account *account;
		uint64_t sum = 0;
		struct book_line *row = book_row(&book, CTD_ROLLUP_CONTAINER);

		row->row.identity = &web;
		row->row.cgroup_id = web.cgroup_id;
		row->part.cpu_ns = 1000000;
		book_count(&book, row, 1000003 + i * 7919, (double)(i % 101) / 101);
		book_add(&book);
		account = &book.view->accounts[0];
		for (int node = 0; node < 4; node++)
			sum += account->node_slots[node];
		assert_int_equal(sum, account->slots);
		/* memory_bound and core_bound are backend_bound, to the slot. */
		assert_int_equal(account->node_slots[10] + account->node_slots[11],
				 account->node_slots[3]);
	}
	book_close(&book);
}

static void what_a_late_name_moves_has_its_ipc_counts(void **state)
{
	struct ctd_identity late = web;
	struct book book;
	const struct ctd_account *account;

	(void)state;
	late.names = (struct ctd_names){0};
	book_open(&book, plain);
	book_run_cgroup(&book, &web, 100)->part.ipc = (struct ctd_ipc_counts){2, {300, 600}, 40};
	late.cgroup_id = 21;
	book_run_cgroup(&book, &late, 100)->part.ipc =
		(struct ctd_ipc_counts){4, {30, 60, 5, 6}, 7};
	book_add(&book);
	assert_int_equal(book.view->accounts_count, 2);
	late.names = web.names;
	book_run_cgroup(&book, &late, 100)->part.ipc =
		(struct ctd_ipc_counts){4, {3000, 6000, 500, 600}, 700};
	book_add(&book);
	assert_int_equal(book.view->accounts_count, 1);
	account = &book.view->accounts[0];
	assert_int_equal(account->ipc.known, 4);
	assert_int_equal(account->ipc.count[CTD_IPC_CYCLES], 3330);
	assert_int_equal(account->ipc.count[CTD_IPC_CACHE_MISSES], 606);
	assert_int_equal(account->ipc.counted_ns, 747);
	book_close(&book);
}

static void what_is_not_counted_is_not_added(void **state)
{
	struct book book;
	const struct ctd_account *account;
	struct book_line *row;

	(void)state;
	book_open(&book, plain);
	row = book_row(&book, CTD_ROLLUP_CONTAINER);
	row->row.identity = &web;
	row->row.cgroup_id = 20;
	row->part.cpu_ns = SECOND_NS / 2;
	row->coverage = 0;
	row->part.quality = CTD_NO_DATA;
	book_add(&book);
	account = &book.view->accounts[0];
	assert_false(account->slots_known);
	assert_false(account->node_slots_known & 1);
	assert_int_equal(account->cpu_ns, 500000000);
	assert_int_equal(account->counted_ns, 0);
	book_run_cgroup(&book, &web, 100)->coverage = .25;
	book_add(&book);
	account = &book.view->accounts[0];
	assert_int_equal(account->slots, slots_of_ms(100));
	assert_int_equal(account->counted_ns, 25000000);
	assert_true(account->node_slots_known & 1);
	/* Of the last interval alone. */
	assert_int_equal(account->recent.cpu_ns, 100000000);
	assert_float_equal(account->recent.values[3].ratio, .3, 1e-6);
	book_close(&book);
}

static void what_is_idle_stands_still_and_does_not_end(void **state)
{
	struct book book;
	const struct ctd_account *account;

	(void)state;
	book_open(&book, plain);
	book_run_cgroup(&book, &web, 100);
	book_add(&book);
	for (int i = 0; i < 5; i++) {
		ctd_ledger_acknowledge(book.ledger, book.view->sequence);
		book_add(&book);
	}
	account = book_find(&book, WEB_KEY);
	assert_non_null(account);
	assert_false(account->ended);
	assert_int_equal(account->slots, slots_of_ms(100));
	assert_int_equal(account->recent.cpu_ns, 0);
	assert_false(ctd_value_known(account->recent.values[0]));
	book_close(&book);
}

static void two_containers_of_one_key_add_up(void **state)
{
	struct ctd_identity twin = web;
	struct book book;
	const struct ctd_account *account;

	(void)state;
	twin.cgroup_id = 21;
	memcpy(twin.container_id, "bbbb", 4);
	book_open(&book, plain);
	for (int i = 0; i < 3; i++) {
		struct book_line *row = book_run_cgroup(&book, &web, 100);

		book_count(&book, row, slots_of_ms(100), .1);
		book.rollup.totals[0].slots -= slots_of_ms(100);
		book_count(&book, book_run_cgroup(&book, &twin, 100), slots_of_ms(100), .9);
		book.rollup.totals[0].slots -= slots_of_ms(100);
		book_add(&book);
	}
	assert_int_equal(book.view->accounts_count, 1);
	account = &book.view->accounts[0];
	assert_int_equal(account->slots, 6 * slots_of_ms(100));
	assert_float_equal(account->recent.values[3].ratio, .5, 1e-6);
	assert_int_equal(account->recent.cpu_ns, 200000000);
	assert_string_equal(account->who->container_id, twin.container_id);
	/* Alone again, one is enough to keep it. */
	twin.removed = true;
	book_run_cgroup(&book, &web, 100);
	book_run_cgroup(&book, &twin, 1);
	book_add(&book);
	book_run_cgroup(&book, &web, 100);
	book_add(&book);
	assert_false(book.view->accounts[0].ended);
	book_close(&book);
}

static void names_are_text_whatever_their_bytes(void **state)
{
	struct ctd_identity hostile = web;
	struct book book;
	char huge[5000];

	(void)state;
	memset(huge, 'x', sizeof(huge) - 1);
	huge[sizeof(huge) - 1] = '\0';
	hostile.names = (struct ctd_names)NAMES((char *)"a\"b\\c\nd", (char *)"\xff", huge);
	book_open(&book, plain);
	for (int i = 0; i < 2; i++) {
		book_run_cgroup(&book, &hostile, 1);
		book_add(&book);
	}
	assert_int_equal(book.view->accounts_count, 1);
	assert_int_equal(book.view->accounts[0].slots, 2 * slots_of_ms(1));
	assert_non_null(
		strstr(book.view->accounts[0].who->key_text,
		       "namespace=\"a\\\"b\\\\c\\\\x0ad\",pod=\"\xef\xbf\xbd\",container=\"xxx"));
	assert_int_equal(strlen(book.view->accounts[0].who->container), 1024);
	assert_string_equal(book.view->accounts[0].who->namespace_name, "a\"b\\c\\x0ad");
	book_close(&book);
}

static void a_limit_above_is_kept_until_its_own_alone_stops_it(void **state)
{
	static const struct {
		size_t above_bytes;
		uint64_t throttled;
		size_t expected;
	} intervals[] = {{4, 0, 4}, {0, 0, 4}, {0, 1, 0}, {0, 0, 0}, {5, 1, 5}, {0, 1, 0}};
	struct book book;

	(void)state;
	book_open(&book, plain);
	for (size_t i = 0; i < sizeof(intervals) / sizeof(intervals[0]); i++) {
		struct ctd_rollup_row *row = &book_run_cgroup(&book, &web, 100)->row;

		row->throttling_known = true;
		row->throttling.throttled = intervals[i].throttled;
		row->above_bytes = intervals[i].above_bytes;
		row->above_limit_ns = 100 * intervals[i].above_bytes;
		book_add(&book);
		assert_int_equal(book.view->accounts[0].above_bytes, intervals[i].expected);
		assert_int_equal(book.view->accounts[0].above_limit_ns,
				 100 * intervals[i].expected);
	}
	book_close(&book);
}

static void rollups_of_another_kind_are_refused(void **state)
{
	struct book book;

	(void)state;
	book_open(&book, plain);
	book_run(&book, CTD_ROLLUP_IDLE, 1);
	book_add(&book);
	book.rollup.by = CTD_GROUP_POD;
	assert_int_equal(ctd_ledger_add(book.ledger, book_rollup(&book)), -EINVAL);
	book.rollup.by = CTD_GROUP_CONTAINER;
	book.rollup.filtered = true;
	assert_int_equal(ctd_ledger_add(book.ledger, book_rollup(&book)), -EINVAL);
	book.rollup.filtered = false;
	book.rollup.tree = true;
	assert_int_equal(ctd_ledger_add(book.ledger, book_rollup(&book)), -EINVAL);
	book_close(&book);
}

static void without_counters_there_is_time_only(void **state)
{
	struct book book;
	struct book_line *row;

	(void)state;
	book_open(&book, plain);
	book_use_model(&book, NULL);
	row = book_row(&book, CTD_ROLLUP_CONTAINER);
	row->row.identity = &web;
	row->row.cgroup_id = 20;
	row->part.cpu_ns = 2 * SECOND_NS;
	book_add(&book);
	assert_false(book.view->accounts[0].slots_known);
	assert_int_equal(book.view->accounts[0].cpu_ns, 2 * SECOND_NS);
	assert_int_equal(book.view->accounts[0].counted_ns, 0);
	assert_false(book.view->totals.slots_known);
	assert_int_equal(book.view->state, CTD_PMU_ABSENT);
	book_close(&book);
}

static void a_view_outlives_what_it_shows(void **state)
{
	struct book book;
	const struct ctd_ledger_view *view;

	(void)state;
	book_open(&book, plain);
	book_run_cgroup(&book, &web, 100);
	view = ctd_ledger_view_hold(book_add(&book));
	book_run_cgroup(&book, &web, 100);
	book_add(&book);
	book_close(&book);
	assert_string_equal(view->accounts[0].who->pod, "cart-0");
	assert_int_equal(view->accounts[0].slots, slots_of_ms(100));
	ctd_ledger_view_release(view);
	ctd_ledger_view_release(NULL);
	ctd_ledger_free(NULL);
}

#define READERS 3

/* What a scraper does, over and over. */
static void *read_views(void *context)
{
	const struct ctd_ledger_view *_Atomic *newest = context;

	for (int i = 0; i < 2000; i++) {
		const struct ctd_ledger_view *view = atomic_exchange(newest, NULL);

		for (size_t k = 0; view && k < view->accounts_count; k++) {
			/* Not assert_: cmocka's are for one thread. */
			if (view->accounts[k].slots % slots_of_ms(1) != 0 ||
			    !view->accounts[k].who->key_text[0])
				abort();
		}
		ctd_ledger_view_release(view);
	}
	return NULL;
}

static void views_are_read_and_released_by_other_threads(void **state)
{
	static const struct ctd_ledger_view *_Atomic newest[READERS];
	pthread_t readers[READERS];
	struct book book;

	(void)state;
	book_open(&book, plain);
	for (int i = 0; i < READERS; i++)
		assert_int_equal(pthread_create(&readers[i], NULL, read_views, &newest[i]), 0);
	for (int round = 0; round < 500; round++) {
		book_run_cgroup(&book, &web, 1);
		book_run(&book, CTD_ROLLUP_KERNEL, 1);
		book_add(&book);
		for (int i = 0; i < READERS; i++)
			ctd_ledger_view_release(
				atomic_exchange(&newest[i], ctd_ledger_view_hold(book.view)));
	}
	for (int i = 0; i < READERS; i++) {
		pthread_join(readers[i], NULL);
		ctd_ledger_view_release(atomic_load(&newest[i]));
	}
	book_close(&book);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_is_in_an_account_of_its_kind),
		cmocka_unit_test(level_1_adds_up_to_all_slots_in_every_view),
		cmocka_unit_test(what_a_late_name_moves_has_its_ipc_counts),
		cmocka_unit_test(what_is_not_counted_is_not_added),
		cmocka_unit_test(what_is_idle_stands_still_and_does_not_end),
		cmocka_unit_test(two_containers_of_one_key_add_up),
		cmocka_unit_test(names_are_text_whatever_their_bytes),
		cmocka_unit_test(a_limit_above_is_kept_until_its_own_alone_stops_it),
		cmocka_unit_test(rollups_of_another_kind_are_refused),
		cmocka_unit_test(without_counters_there_is_time_only),
		cmocka_unit_test(a_view_outlives_what_it_shows),
		cmocka_unit_test(views_are_read_and_released_by_other_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
