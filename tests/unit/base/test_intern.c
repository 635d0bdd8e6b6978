/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_intern.c - equal elements get one index, also where hashes are the same. */
#include "base/intern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static uint64_t elements[10000];

static bool is_equal(size_t index, const void *wanted)
{
	return elements[index] == *(const uint64_t *)wanted;
}

static size_t find_or_add(struct ctd_intern *intern, uint64_t hash, uint64_t element)
{
	size_t at = ctd_intern_find(intern, hash, is_equal, &element);

	if (at < intern->count)
		return at;
	assert_int_equal(ctd_intern_reserve(intern), 0);
	elements[at] = element;
	ctd_intern_add(intern, hash);
	return at;
}

static void indices_count_up_and_stay(void **state)
{
	struct ctd_intern intern = {0};

	(void)state;
	for (int again = 0; again < 2; again++)
		for (size_t i = 0; i < 10000; i++)
			assert_int_equal(find_or_add(&intern, i * 7919, i), i);
	assert_int_equal(intern.count, 10000);
	ctd_intern_free(&intern);
}

static void elements_of_one_hash_are_told_apart(void **state)
{
	struct ctd_intern intern = {0};

	(void)state;
	for (int again = 0; again < 2; again++)
		for (size_t i = 0; i < 300; i++)
			assert_int_equal(find_or_add(&intern, 42, i), i);
	ctd_intern_free(&intern);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(indices_count_up_and_stay),
		cmocka_unit_test(elements_of_one_hash_are_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
