/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_caches.c - what a row has of all caches is the row's time, whatever intervals are added up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "pair.h"

#define CACHES 2
#define PARTS (CACHES + 1)

static uint64_t cache_ns[2][4 * PARTS];

static void begin(struct pair *pair)
{
	static const struct ctd_caches caches = {.count = CACHES, .node = {0, 1}};

	pair_init(pair);
	memset(cache_ns, 0, sizeof(cache_ns));
	pair->before.caches = pair->after.caches = caches;
	pair->before.cache_ns = cache_ns[0];
	pair->after.cache_ns = cache_ns[1];
}

/* The first row ran so long on CPUs of a cache, before the interval or by its end. */
static void run(struct pair *pair, int by_end, int cache, uint64_t ns)
{
	charge(&pair->rows[by_end][0], ns, 4 * ns);
	cache_ns[by_end][cache] += ns;
}

static void assert_ran(const struct ctd_interval *interval, uint64_t first_ns, uint64_t second_ns,
		       uint64_t unknown_ns)
{
	const struct ctd_interval_row *row = find_row(interval, CTD_ROW_CGROUP, 5);

	assert_non_null(row);
	assert_non_null(row->cache_ns);
	assert_int_equal(row->cache_ns[0], first_ns);
	assert_int_equal(row->cache_ns[1], second_ns);
	assert_int_equal(row->cache_ns[CACHES], unknown_ns);
	assert_int_equal(row->oncpu_ns, first_ns + second_ns + unknown_ns);
}

static struct ctd_interval make(uint64_t first_ns, uint64_t second_ns, uint64_t unknown_ns)
{
	struct pair pair;

	begin(&pair);
	run(&pair, 0, 0, 70);
	run(&pair, 1, 0, 70 + first_ns);
	run(&pair, 1, 1, second_ns);
	run(&pair, 1, CACHES, unknown_ns);
	return pair_make(&pair);
}

static void intervals_have_what_came_between_and_add_up(void **state)
{
	struct ctd_interval sum = {0}, first = make(10, 20, 3), second = make(5, 0, 0);

	(void)state;
	assert_ran(&first, 10, 20, 3);
	assert_int_equal(ctd_interval_add(&sum, &first), 0);
	assert_ran(&sum, 10, 20, 3);
	assert_int_equal(ctd_interval_add(&sum, &second), 0);
	assert_ran(&sum, 15, 20, 3);
	ctd_interval_free(&sum);
	ctd_interval_free(&first);
	ctd_interval_free(&second);
}

static void a_row_of_which_a_part_shrank_began_anew(void **state)
{
	struct ctd_interval interval;
	struct pair pair;

	(void)state;
	begin(&pair);
	run(&pair, 0, 1, 30);
	run(&pair, 1, 0, 50);
	interval = pair_make(&pair);
	assert_ran(&interval, 50, 0, 0);
	assert_int_equal(interval.health.count[CTD_HEALTH_RESTARTS], 1);
	ctd_interval_free(&interval);
}

/* Of a part of the time they would be less than the row's. */
static void what_only_one_has_is_not_known_of_both(void **state)
{
	struct ctd_interval first = make(10, 20, 3), second;
	struct pair pair;

	(void)state;
	begin(&pair);
	run(&pair, 1, 0, 50);
	pair.before.caches.node[1] = 0;
	second = pair_make(&pair);
	assert_int_equal(second.caches.count, 0);
	assert_null(find_row(&second, CTD_ROW_CGROUP, 5)->cache_ns);
	assert_int_equal(ctd_interval_add(&first, &second), 0);
	assert_int_equal(first.caches.count, 0);
	assert_null(find_row(&first, CTD_ROW_CGROUP, 5)->cache_ns);
	assert_int_equal(find_row(&first, CTD_ROW_CGROUP, 5)->oncpu_ns, 83);
	ctd_interval_free(&first);
	ctd_interval_free(&second);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_have_what_came_between_and_add_up),
		cmocka_unit_test(a_row_of_which_a_part_shrank_began_anew),
		cmocka_unit_test(what_only_one_has_is_not_known_of_both),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
