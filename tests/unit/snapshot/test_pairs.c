/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_pairs.c - pairs are added and subtracted each by itself, and none is lost or invented. */
#include <cgtopdown/pairs.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A copy on the heap, as lists own their items. */
#define PAIRS(...) \
	make((const struct ctd_pair[]){__VA_ARGS__}, sizeof((struct ctd_pair[]){__VA_ARGS__}))

static struct ctd_pairs make(const struct ctd_pair *items, size_t bytes)
{
	struct ctd_pairs pairs = {malloc(bytes), bytes / sizeof(*items)};

	assert_non_null(pairs.items);
	memcpy(pairs.items, items, bytes);
	return pairs;
}

static void assert_pairs(const struct ctd_pairs *pairs, struct ctd_pairs should)
{
	assert_int_equal(pairs->count, should.count);
	assert_memory_equal(pairs->items, should.items, should.count * sizeof(*should.items));
	ctd_pairs_free(&should);
}

static void what_came_in_no_order_is_sorted_and_added_up(void **state)
{
	struct ctd_pairs pairs = PAIRS({2, 1, 5, 1, 1, 9, 3}, {1, 3, 7, 2, 0, 9, 0},
				       {2, 1, 6, 3, 4, 9, 8}, {1, 2, 8, 1, 0, 9, 0});
	struct ctd_pairs none = {0};

	(void)state;
	ctd_pairs_sort(&pairs);
	assert_pairs(&pairs,
		     PAIRS({1, 2, 8, 1, 0, 9, 0}, {1, 3, 7, 2, 0, 9, 0}, {2, 1, 11, 4, 5, 9, 11}));
	ctd_pairs_sort(&none);
	assert_int_equal(none.count, 0);
	ctd_pairs_free(&pairs);
}

static void lists_are_added_pair_by_pair(void **state)
{
	struct ctd_pairs to = PAIRS({1, 2, 10, 1, 1, 4, 0}, {3, 1, 20, 2, 0, 5, 0});
	struct ctd_pairs from =
		PAIRS({1, 2, 5, 1, 0, 6, 0}, {1, 9, 7, 1, 1, 6, 0}, {4, 1, 1, 1, 1, 6, 0});
	struct ctd_pairs none = {0}, copy;

	(void)state;
	assert_int_equal(ctd_pairs_add(&to, &from), 0);
	assert_pairs(&to, PAIRS({1, 2, 15, 2, 1, 6, 0}, {1, 9, 7, 1, 1, 6, 0},
				{3, 1, 20, 2, 0, 5, 0}, {4, 1, 1, 1, 1, 6, 0}));
	assert_int_equal(ctd_pairs_add(&to, &none), 0);
	assert_int_equal(to.count, 4);
	assert_int_equal(ctd_pairs_add(&none, &from), 0);
	assert_int_equal(ctd_pairs_copy(&none, &copy), 0);
	assert_pairs(&copy,
		     PAIRS({1, 2, 5, 1, 0, 6, 0}, {1, 9, 7, 1, 1, 6, 0}, {4, 1, 1, 1, 1, 6, 0}));
	ctd_pairs_free(&to);
	ctd_pairs_free(&from);
	ctd_pairs_free(&none);
	ctd_pairs_free(&copy);
}

/* One that is only in the later list, or shrank as it was forgotten in between, counts from 0; one
 * that did not grow is none, nor is one that is forgotten. */
static void the_difference_has_what_grew(void **state)
{
	struct ctd_pairs before =
		PAIRS({0, 0, 50, 5, 5, 1, 0}, {1, 2, 10, 1, 1, 1, 0}, {1, 4, 30, 3, 3, 1, 0},
		      {2, 1, 9, 9, 9, 1, 0}, {5, 1, 1, 1, 1, 1, 0}, {6, 1, 1, 1, 1, 1, 40});
	struct ctd_pairs after =
		PAIRS({0, 0, 55, 6, 5, 2, 0}, {1, 2, 10, 1, 1, 1, 0}, {1, 3, 7, 1, 0, 2, 0},
		      {1, 4, 31, 3, 4, 2, 0}, {2, 1, 4, 2, 1, 2, 0}, {6, 1, 1, 1, 1, 2, 45});
	struct ctd_pairs grown;

	(void)state;
	assert_int_equal(ctd_pairs_subtract(&after, &before, &grown), 0);
	assert_pairs(&grown,
		     PAIRS({0, 0, 5, 1, 0, 2, 0}, {1, 3, 7, 1, 0, 2, 0}, {1, 4, 1, 0, 1, 2, 0},
			   {2, 1, 4, 2, 1, 2, 0}, {6, 1, 0, 0, 0, 2, 5}));
	ctd_pairs_free(&before);
	ctd_pairs_free(&after);
	ctd_pairs_free(&grown);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_came_in_no_order_is_sorted_and_added_up),
		cmocka_unit_test(lists_are_added_pair_by_pair),
		cmocka_unit_test(the_difference_has_what_grew),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
