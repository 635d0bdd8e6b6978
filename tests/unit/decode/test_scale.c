/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_scale.c - counts are scaled by the time they were counted in, or there are none. */
#include "decode/scale.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MS 1000000ULL

static void counts_are_as_good_as_the_time_they_were_counted_in(void **state)
{
	static const struct {
		int line;
		uint64_t oncpu_ns, running_ns, slices, raw;
		enum ctd_quality quality;
		uint64_t count;
	} cases[] = {
		{__LINE__, 100 * MS, 100 * MS, 1, 77, CTD_OK, 77},
		{__LINE__, 100 * MS, 101 * MS, 1, 77, CTD_OK, 77},
		/* Clocks run apart by a thousandth. */
		{__LINE__, 100 * MS, 99900000, 0, 77, CTD_OK, 77},
		{__LINE__, 100 * MS, 99899999, 0, 1000, CTD_SCALED, 1001},
		/* Many short slices are no excuse: a row that starved says so. */
		{__LINE__, 100 * MS, 5 * MS, 100000, 77, CTD_LOW_CONFIDENCE, 1540},
		{__LINE__, 500, 1, 1, 77, CTD_LOW_CONFIDENCE, 38500},
		{__LINE__, 100 * MS, 50 * MS, 1, 77, CTD_SCALED, 154},
		{__LINE__, 100 * MS, 10 * MS, 1, 77, CTD_SCALED, 770},
		{__LINE__, 100 * MS, 10 * MS - 1, 1, 77, CTD_LOW_CONFIDENCE, 770},
		{__LINE__, 100 * MS, 1, 1, 1, CTD_LOW_CONFIDENCE, 100 * MS},
		/* To the nearest. */
		{__LINE__, 100 * MS, 30 * MS, 1, 2, CTD_SCALED, 7},
		{__LINE__, 100 * MS, 30 * MS, 1, 1, CTD_SCALED, 3},
		/* Larger than a double can hold exactly, and than 64 bits can multiply. */
		{__LINE__, 2 * MS, MS, 0, (1ULL << 62) + 1, CTD_SCALED, (1ULL << 63) + 2},
		{__LINE__, UINT64_MAX, UINT64_MAX / 2, 0, UINT64_MAX, CTD_SCALED, UINT64_MAX},
		{__LINE__, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, CTD_OK, UINT64_MAX},
		/* Busy, and nothing was counted. */
		{__LINE__, 100 * MS, 0, 1, 0, CTD_NO_DATA, 0},
		{__LINE__, 100 * MS, 0, 1, 77, CTD_NO_DATA, 77},
		{__LINE__, 100 * MS, 100 * MS, 1, 0, CTD_NO_DATA, 0},
		{__LINE__, 100 * MS, 50 * MS, 1, 0, CTD_NO_DATA, 0},
		{__LINE__, 500, 0, 1, 0, CTD_NO_DATA, 0},
		/* Not busy: nothing to count. */
		{__LINE__, 0, 0, 0, 0, CTD_OK, 0},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		uint64_t raw = cases[i].raw, count = 0;
		struct ctd_interval_row row = {
			.oncpu_ns = cases[i].oncpu_ns,
			.running_ns = cases[i].running_ns,
			.slices = cases[i].slices,
			.raw = &raw,
			.count = &count,
		};

		ctd_interval_row_scale(&row, 1);
		if (row.quality != cases[i].quality || count != cases[i].count)
			fail_msg("line %d: %s, %llu", cases[i].line, ctd_quality_name(row.quality),
				 (unsigned long long)count);
		assert_int_equal(raw, cases[i].raw);
	}
}

static void every_counter_is_scaled_alike(void **state)
{
	uint64_t raw[] = {1, 2, 3, 4}, count[4] = {0};
	struct ctd_interval_row row = {
		.oncpu_ns = 4 * MS, .running_ns = 2 * MS, .raw = raw, .count = count};

	(void)state;
	ctd_interval_row_scale(&row, 3);
	assert_int_equal(count[0], 2);
	assert_int_equal(count[1], 4);
	assert_int_equal(count[2], 6);
	assert_int_equal(count[3], 0);
}

static void without_counters_counts_are_unsupported(void **state)
{
	struct ctd_interval_row row = {.oncpu_ns = 100 * MS};

	(void)state;
	ctd_interval_row_scale(&row, 0);
	assert_int_equal(row.quality, CTD_UNSUPPORTED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_are_as_good_as_the_time_they_were_counted_in),
		cmocka_unit_test(every_counter_is_scaled_alike),
		cmocka_unit_test(without_counters_counts_are_unsupported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
