/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_idmap.c - the map holds exactly what a plain array would. */
#include "base/idmap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void an_empty_map_holds_nothing(void **state)
{
	struct ctd_idmap map = {0};
	uint64_t id;
	uintptr_t value = 77;
	size_t cursor = 0;

	(void)state;
	assert_int_equal(ctd_idmap_get(&map, 0, &value), 0);
	assert_int_equal(value, 77);
	assert_int_equal(ctd_idmap_next(&map, &cursor, &id, &value), 0);
	ctd_idmap_remove(&map, 1);
	ctd_idmap_free(&map);
	ctd_idmap_free(NULL);
}

static void id_zero_and_the_largest_id_are_ids_like_any_other(void **state)
{
	struct ctd_idmap map = {0};
	uintptr_t value;

	(void)state;
	assert_int_equal(ctd_idmap_set(&map, 0, 10), 0);
	assert_int_equal(ctd_idmap_set(&map, UINT64_MAX, 0), 0);
	assert_int_equal(ctd_idmap_get(&map, 0, &value), 1);
	assert_int_equal(value, 10);
	assert_int_equal(ctd_idmap_get(&map, UINT64_MAX, &value), 1);
	assert_int_equal(value, 0);
	ctd_idmap_remove(&map, 0);
	assert_int_equal(ctd_idmap_get(&map, 0, &value), 0);
	assert_int_equal(map.count, 1);
	ctd_idmap_free(&map);
}

static void an_existing_id_gets_the_new_value(void **state)
{
	struct ctd_idmap map = {0};
	uintptr_t value;

	(void)state;
	assert_int_equal(ctd_idmap_set(&map, 5, 1), 0);
	assert_int_equal(ctd_idmap_set(&map, 5, 2), 0);
	assert_int_equal(ctd_idmap_get(&map, 5, &value), 1);
	assert_int_equal(value, 2);
	assert_int_equal(map.count, 1);
	ctd_idmap_free(&map);
}

/* So that it never fails: the value before may be freed by then. */
static void an_existing_id_takes_no_memory(void **state)
{
	struct ctd_idmap map = {0};
	size_t capacity;

	(void)state;
	for (uint64_t id = 0; id < 1000; id++) {
		assert_int_equal(ctd_idmap_set(&map, id, 1), 0);
		capacity = map.capacity;
		assert_int_equal(ctd_idmap_set(&map, id, 2), 0);
		assert_int_equal(map.capacity, capacity);
	}
	ctd_idmap_free(&map);
}

static void a_freed_map_can_be_used_again(void **state)
{
	struct ctd_idmap map = {0};
	uintptr_t value;

	(void)state;
	assert_int_equal(ctd_idmap_set(&map, 1, 1), 0);
	ctd_idmap_free(&map);
	assert_int_equal(ctd_idmap_get(&map, 1, &value), 0);
	assert_int_equal(ctd_idmap_set(&map, 2, 2), 0);
	assert_int_equal(map.count, 1);
	ctd_idmap_free(&map);
}

#define IDS 600

/* Compares the map with the array, by get for every id and by one walk. */
static void assert_same(const struct ctd_idmap *map, const uintptr_t *value_of, uint64_t stride)
{
	bool seen[IDS] = {false};
	size_t count = 0, walked = 0, cursor = 0;
	uint64_t id;
	uintptr_t value;

	for (uint64_t i = 0; i < IDS; i++) {
		int found = ctd_idmap_get(map, i * stride, &value);

		assert_int_equal(found, value_of[i] != 0);
		if (found)
			assert_int_equal(value, value_of[i]);
		count += value_of[i] != 0;
	}
	while (ctd_idmap_next(map, &cursor, &id, &value)) {
		uint64_t i = id / stride;

		assert_true(i < IDS && id % stride == 0);
		assert_false(seen[i]);
		seen[i] = true;
		assert_int_equal(value, value_of[i]);
		walked++;
	}
	assert_int_equal(walked, count);
	assert_int_equal(map->count, count);
}

/* Small and wide strides: consecutive ids, ids that differ in their high half only. */
static void a_long_history_of_sets_and_removes_leaves_what_an_array_holds(void **state)
{
	static const uint64_t strides[] = {1, 64, 4096, UINT64_C(1) << 32, UINT64_C(1) << 52};

	(void)state;
	for (size_t s = 0; s < sizeof(strides) / sizeof(strides[0]); s++) {
		uintptr_t value_of[IDS] = {0};
		struct ctd_idmap map = {0};
		uint32_t random = 12345; /* a linear congruential generator: the same each run */

		for (uintptr_t step = 1; step <= 6000; step++) {
			uint64_t i;

			random = random * 1664525 + 1013904223;
			i = (random >> 8) % IDS;
			if (random >> 31) {
				assert_int_equal(ctd_idmap_set(&map, i * strides[s], step), 0);
				value_of[i] = step;
			} else {
				ctd_idmap_remove(&map, i * strides[s]);
				value_of[i] = 0;
			}
			if (step % 500 == 0)
				assert_same(&map, value_of, strides[s]);
		}
		ctd_idmap_free(&map);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_map_holds_nothing),
		cmocka_unit_test(id_zero_and_the_largest_id_are_ids_like_any_other),
		cmocka_unit_test(an_existing_id_gets_the_new_value),
		cmocka_unit_test(an_existing_id_takes_no_memory),
		cmocka_unit_test(a_freed_map_can_be_used_again),
		cmocka_unit_test(a_long_history_of_sets_and_removes_leaves_what_an_array_holds),
	};

	return cmocka_run_group_tests_name("idmap", tests, NULL, NULL);
}
