/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_caches.c - an account's time by caches only grows, and goes with the account. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/ledger/book.h"

#define CACHES 2
#define PARTS (CACHES + 1)
#define MS 1000000ull
#define WEB_KEY "kind=\"container\",namespace=\"shop\",pod=\"cart-0\",container=\"web\""

static struct ctd_identity web = {
	.cgroup_id = 20,
	.path = (char *)"/kubepods/web",
	.container_id = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	.names = NAMES((char *)"shop", (char *)"cart-0", (char *)"web"),
	.names_settled = true};
static const struct ctd_ledger_options plain = {.accounts_max = 100, .linger_ns = 300 * SECOND_NS};

static void run_on(struct book *book, uint64_t parts[PARTS], uint64_t first_ms, uint64_t second_ms)
{
	struct book_line *line = book_run_cgroup(book, &web, first_ms + second_ms);

	parts[0] = first_ms * MS;
	parts[1] = second_ms * MS;
	parts[CACHES] = 0;
	line->part.cache_ns = parts;
	line->part.cache_parts = PARTS;
}

static void time_by_caches_adds_up_and_views_keep_theirs(void **state)
{
	const struct ctd_ledger_view *first;
	const struct ctd_account *account;
	uint64_t parts[PARTS];
	struct book book;

	(void)state;
	book_open(&book, plain);
	book_run_cgroup(&book, &web, 5);
	book_add(&book);
	assert_null(book_find(&book, WEB_KEY)->cache_ns);
	book.rollup.caches = (struct ctd_caches){.count = CACHES, .node = {0, 3}};
	run_on(&book, parts, 10, 20);
	first = ctd_ledger_view_hold(book_add(&book));
	run_on(&book, parts, 1, 0);
	book_add(&book);
	assert_int_equal(book.view->caches.count, CACHES);
	assert_int_equal(book.view->caches.node[1], 3);
	account = book_find(&book, WEB_KEY);
	assert_int_equal(account->cache_ns[0], 11 * MS);
	assert_int_equal(account->cache_ns[1], 20 * MS);
	assert_int_equal(account->cache_ns[CACHES], 0);
	/* An interval that does not tell them apart takes nothing away. */
	book.rollup.caches.count = 0;
	book_run_cgroup(&book, &web, 5);
	book_add(&book);
	account = book_find(&book, WEB_KEY);
	assert_int_equal(account->cpu_ns, 41 * MS);
	assert_int_equal(account->cache_ns[0] + account->cache_ns[1], 31 * MS);
	for (size_t i = 0; i < first->accounts_count; i++)
		assert_int_equal(first->accounts[i].cache_ns[0], 10 * MS);
	ctd_ledger_view_release(first);
	book_close(&book);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_by_caches_adds_up_and_views_keep_theirs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
