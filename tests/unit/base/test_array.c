/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_array.c - an array that grows has room, and keeps what is in it. */
#include "base/array.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/auto.h"

static void what_is_in_it_stays(void **state)
{
	autofree uint32_t *array = NULL;

	(void)state;
	for (uint32_t i = 0; i < 1000; i++) {
		assert_int_equal(ctd_array_reserve(&array, i, 1, sizeof(*array)), 0);
		array[i] = i;
	}
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(array[i], i);
}

static void it_moves_seldom(void **state)
{
	autofree uint32_t *array = NULL;
	uint32_t *before;

	(void)state;
	assert_int_equal(ctd_array_reserve(&array, 0, 129, sizeof(*array)), 0);
	before = array;
	for (size_t count = 129; count < 256; count++)
		assert_int_equal(ctd_array_reserve(&array, count, 1, sizeof(*array)), 0);
	assert_ptr_equal(array, before);
	array[255] = 1;
}

static void without_memory_it_is_as_it_was(void **state)
{
	autofree uint32_t *array = NULL;

	(void)state;
#ifdef __SANITIZE_ADDRESS__
	print_message("the allocator is the sanitizer's\n");
	skip();
#endif
	assert_int_equal(ctd_array_reserve(&array, 0, 1, sizeof(*array)), 0);
	array[0] = 7;
	assert_int_equal(ctd_array_reserve(&array, 1, SIZE_MAX / 4, sizeof(*array)), -ENOMEM);
	assert_int_equal(array[0], 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_in_it_stays),
		cmocka_unit_test(it_moves_seldom),
		cmocka_unit_test(without_memory_it_is_as_it_was),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
