/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_history.c - a history keeps what it was given, and in little room less of it, but all time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/top/past.h"

static void a_full_history_is_coarser_and_loses_no_time(void **state)
{
	struct past past;
	uint64_t cpu_ns = 0, window_ns = 0;

	(void)state;
	past_begin(&past);
	past.history.bytes_max = 200000;
	for (int i = 1; i <= 500; i++)
		past_add(&past, 100, 0, 3);
	assert_true(past.history.bytes <= past.history.bytes_max);
	assert_in_range(past.history.count, 5, 200);
	for (size_t i = 0; i < past.history.count; i++) {
		const struct ctd_interval *interval = &past.history.frames[i]->interval;

		window_ns += interval->window_ns;
		for (size_t row = 0; row < interval->rows_count; row++)
			cpu_ns += interval->rows[row].oncpu_ns;
		assert_true(i == 0 ||
			    past.history.frames[i - 1]->number < past.history.frames[i]->number);
	}
	assert_int_equal(window_ns, 500000000000ull);
	assert_int_equal(cpu_ns, 500 * 103000000ull);
	/* The newest are as they came. */
	assert_int_equal(past.history.frames[past.history.count - 1]->interval.window_ns,
			 1000000000);
	past_end(&past);
}

static void a_frame_is_found_by_the_number_that_it_had(void **state)
{
	struct past past;

	(void)state;
	past_begin(&past);
	assert_null(ctd_top_history_find(&past.history, 1));
	for (int i = 0; i < 5; i++)
		past_add(&past, 1, 1, 1);
	assert_int_equal(ctd_top_history_find(&past.history, 3)->number, 3);
	assert_int_equal(ctd_top_history_find(&past.history, UINT64_MAX)->number, 5);
	assert_int_equal(ctd_top_history_find(&past.history, 0)->number, 1);
	past_end(&past);
}

static void frames_of_another_plan_are_not_added_up(void **state)
{
	static const struct ctd_record_header header = {.source = "none", .groups_count = 1};
	const char *unknown;
	struct past past;

	(void)state;
	past_begin(&past);
	past.history.bytes_max = 1;
	past_add(&past, 1, 1, 1);
	past_add(&past, 1, 1, 1);
	assert_int_equal(ctd_top_history_plan(&past.history, &header, &unknown), 0);
	for (int i = 0; i < 10; i++) {
		struct ctd_interval interval = {.window_ns = 1000000000, .groups_count = 1};

		assert_int_equal(ctd_top_history_add(&past.history, past.history.pipeline.plan,
						     &interval, NULL),
				 0);
	}
	for (size_t i = 0; i < past.history.count; i++)
		assert_true(past.history.frames[i]->plan->model == NULL ||
			    past.history.frames[i]->interval.counters_count == 9);
	past_end(&past);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_full_history_is_coarser_and_loses_no_time),
		cmocka_unit_test(a_frame_is_found_by_the_number_that_it_had),
		cmocka_unit_test(frames_of_another_plan_are_not_added_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
