/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_unwind_ranges.c - places of mappings are used again, and a full array is not searched. */
#include "app/profile/unwind_ranges.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static struct ctd_unwind_ranges *fill(void)
{
	struct ctd_unwind_ranges *ranges = calloc(1, sizeof(*ranges));
	uint32_t first;

	assert_non_null(ranges);
	for (uint32_t i = 0; i < CTD_MAPPINGS_MAX / 64; i++) {
		assert_int_equal(ctd_unwind_ranges_take(ranges, 64, &first), 0);
		assert_int_equal(first, 64 * i);
	}
	return ranges;
}

static void what_is_given_back_is_free_after_two_drains(void **state)
{
	struct ctd_unwind_ranges *ranges = fill();
	uint32_t first = 0;

	(void)state;
	ctd_unwind_ranges_give_back(ranges, 640, 64);
	for (int drain = 0; drain < 2; drain++) {
		assert_int_equal(ctd_unwind_ranges_take(ranges, 64, &first), -ENOSPC);
		ctd_unwind_ranges_drained(ranges);
	}
	assert_int_equal(ctd_unwind_ranges_take(ranges, 64, &first), 0);
	assert_int_equal(first, 640);
	free(ranges);
}

/* Where it is full, each sample of a process asks for places. */
static void what_was_not_found_is_not_looked_for_until_places_come_free(void **state)
{
	struct ctd_unwind_ranges *ranges = fill();
	uint32_t first = 0;

	(void)state;
	assert_int_equal(ctd_unwind_ranges_take(ranges, 20, &first), -ENOSPC);
	/* As if nobody had told: it does not see it. */
	ranges->places[0] = 0;
	for (uint32_t i = 1; i < 30; i++)
		ranges->places[i] = 0;
	assert_int_equal(ctd_unwind_ranges_take(ranges, 20, &first), -ENOSPC);
	assert_int_equal(ctd_unwind_ranges_take(ranges, 30, &first), -ENOSPC);
	/* Fewer may be there. */
	assert_int_equal(ctd_unwind_ranges_take(ranges, 10, &first), 0);
	ctd_unwind_ranges_give_back(ranges, first, 10);
	for (int drain = 0; drain < 2; drain++)
		ctd_unwind_ranges_drained(ranges);
	assert_int_equal(ctd_unwind_ranges_take(ranges, 20, &first), 0);
	free(ranges);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_given_back_is_free_after_two_drains),
		cmocka_unit_test(what_was_not_found_is_not_looked_for_until_places_come_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
