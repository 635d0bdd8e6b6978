/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_sum.c - what a sum of rows is worth. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rollup/sum.h"

static void a_sum_is_as_good_as_its_rows(void **state)
{
	static const struct {
		int line;
		uint64_t weight[CTD_UNSUPPORTED + 1];
		enum ctd_quality quality;
	} cases[] = {
		{__LINE__, {0}, CTD_NO_DATA},
		{__LINE__, {100}, CTD_OK},
		{__LINE__, {90, 10}, CTD_SCALED},
		{__LINE__, {90, 0, 10}, CTD_LOW_CONFIDENCE},
		/* Some rows without counts: the ratios speak for a part. */
		{__LINE__, {90, 0, 0, 10}, CTD_LOW_CONFIDENCE},
		{__LINE__, {1, 0, 0, 999999}, CTD_LOW_CONFIDENCE},
		{__LINE__, {0, 0, 0, 10}, CTD_NO_DATA},
		{__LINE__, {0, 0, 0, 0, 10}, CTD_UNSUPPORTED},
		/* Less than 1 % is left aside. */
		{__LINE__, {1000, 0, 9}, CTD_OK},
		{__LINE__, {1000, 0, 0, 9}, CTD_OK},
		{__LINE__, {1000, 0, 11}, CTD_LOW_CONFIDENCE},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		enum ctd_quality quality = ctd_weight_quality(cases[i].weight);

		if (quality != cases[i].quality)
			fail_msg("line %d: quality %d", cases[i].line, quality);
	}
}

static void counts_without_quality_are_not_added(void **state)
{
	static const struct ctd_counts_shape shape = {1, 1};
	uint64_t count = 5, group_ns = 7, count_ns = 9;
	struct ctd_interval_row good = {.oncpu_ns = 10,
					.slices = 1,
					.switches = 2,
					.count = &count,
					.group_ns = &group_ns,
					.count_ns = &count_ns};
	struct ctd_interval_row bad = good;
	struct ctd_rollup_part sum = {0}, whole = {0};
	uint64_t sum_count[3] = {0}, whole_count[3] = {0};

	(void)state;
	bad.quality = CTD_NO_DATA;
	ctd_part_add_row(&sum, &good, sum_count, shape);
	ctd_part_add_row(&sum, &bad, sum_count, shape);
	ctd_part_add(&whole, &sum, whole_count, shape);
	ctd_part_add(&whole, &sum, whole_count, shape);
	assert_int_equal(whole.count[0], 10);
	assert_int_equal(whole.group_ns[0], 14);
	assert_int_equal(whole.count_ns[0], 18);
	assert_int_equal(whole.cpu_ns, 40);
	assert_int_equal(whole.slices, 4);
	assert_int_equal(whole.switches, 8);
	assert_int_equal(ctd_weight_quality(whole.weight), CTD_LOW_CONFIDENCE);
}

static void a_row_that_held_no_cpu_keeps_its_quality(void **state)
{
	struct ctd_interval_row idle = {.quality = CTD_SCALED};
	struct ctd_rollup_part sum = {0};

	(void)state;
	ctd_part_add_row(&sum, &idle, NULL, (struct ctd_counts_shape){0});
	assert_true(sum.ran);
	assert_int_equal(ctd_weight_quality(sum.weight), CTD_SCALED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sum_is_as_good_as_its_rows),
		cmocka_unit_test(counts_without_quality_are_not_added),
		cmocka_unit_test(a_row_that_held_no_cpu_keeps_its_quality),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
