/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_counting.c - vendors' metrics are of the counts of their own groups, and say what lacks. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "counted.h"
#include "metric/expr.h"

static void each_metric_is_of_its_own_group(void **state)
{
	uint64_t counts[2 * CTD_COUNTERS_MAX] = {0}, count_ns[2] = {1000000000, 500000000};
	struct ctd_vendor_value values[3];
	int first, second;

	(void)state;
	add_two_groups();
	first = counting.metrics[find("first")].group;
	second = counting.metrics[find("second")].group;
	assert_int_equal(first + second, 1);
	/* Another phase of the load in each: the cycles of one are never those of the other. */
	counts[first * counting.rotation.events_count] = 1000;
	counts[second * counting.rotation.events_count] = 400;
	for (int i = 0; i < 4; i++) {
		char name[8];

		snprintf(name, sizeof(name), "E%d", i);
		counts[place_of(first, name)] = 150;
		snprintf(name, sizeof(name), "E%d", 4 + i);
		counts[place_of(second, name)] = 25;
	}
	evaluate(&counting, counts, count_ns, 2, values);
	assert_true(values[find("first")].value == 600.0 / 1000 && values[find("first")].hot);
	assert_true(values[find("second")].value == 100.0 / 400 && values[find("second")].hot);
	assert_true(isnan(values[find("beyond")].value) && !values[find("beyond")].hot);
	/* A threshold of a metric that is not known is none. */
	count_ns[first] = 0;
	evaluate(&counting, counts, count_ns, 2, values);
	assert_true(isnan(values[find("first")].value));
	assert_true(values[find("second")].value == 0.25 && !values[find("second")].hot);
	/* Nothing counted is no share of 0. */
	count_ns[first] = 1;
	counts[second * counting.rotation.events_count] = 0;
	evaluate(&counting, counts, count_ns, 2, values);
	assert_true(isnan(values[find("second")].value));
	/* As where CPUs must not be disturbed. */
	evaluate(&counting, counts, count_ns, 0, values);
	assert_true(isnan(values[find("first")].value));
}

/* As many as are evaluated side by side, twice, and some more. */
#define ROWS (2 * CTD_EXPR_LANES + 3)

/* Some of which lack a group, or both. */
static void each_row_is_what_it_is_alone(void **state)
{
	uint64_t counts[ROWS][2 * CTD_COUNTERS_MAX], count_ns[ROWS][2];
	struct ctd_vendor_counted_row rows[ROWS];
	struct ctd_vendor_value together[3 * ROWS], alone[3];
	size_t known = 0, hot = 0;

	(void)state;
	add_two_groups();
	for (size_t i = 0; i < ROWS; i++) {
		for (size_t k = 0; k < 2 * CTD_COUNTERS_MAX; k++)
			counts[i][k] = 1 + (i * 7919 + k * 104729) % 997;
		counts[i][0] *= i % 5 != 1;
		count_ns[i][0] = count_ns[i][1] = i % 7 == 2 ? 0 : 1000 + i;
		rows[i] = (struct ctd_vendor_counted_row){i % 3, counts[i], count_ns[i]};
	}
	ctd_vendor_counting_evaluate(&counting, rows, ROWS, together);
	for (size_t i = 0; i < ROWS; i++) {
		evaluate(&counting, counts[i], count_ns[i], (int)(i % 3), alone);
		for (size_t k = 0; k < 3; k++) {
			double value = together[3 * i + k].value;

			assert_int_equal(isnan(value), isnan(alone[k].value));
			if (!isnan(value))
				assert_memory_equal(&value, &alone[k].value, sizeof(value));
			assert_int_equal(together[3 * i + k].hot, alone[k].hot);
			known += !isnan(value);
			hot += alone[k].hot;
		}
	}
	assert_in_range(known, 10, ROWS + 5);
	assert_in_range(hot, 1, known - 1);
}

static void parts_are_behind_what_they_are_parts_of(void **state)
{
	(void)state;
	add_two_groups();
	assert_int_equal(counting.metrics_count, 3);
	assert_int_equal(find("second"), find("first") + 1);
	assert_int_equal(counting.metrics[find("second")].parent, find("first"));
	assert_int_equal(counting.metrics[find("second")].depth, 1);
	assert_int_equal(counting.metrics[find("beyond")].group, -1);
	assert_non_null(strstr(counting.metrics[find("beyond")].why, "uncore"));
}

static void a_group_that_is_refused_is_left_out(void **state)
{
	struct ctd_event *events;
	int first;

	(void)state;
	add_two_groups();
	first = counting.metrics[find("first")].group;
	assert_true(ctd_vendor_counting_leave_out(&counting, first, "refused"));
	assert_int_equal(counting.rotation.groups_count, 1);
	assert_int_equal(counting.metrics[find("first")].group, -1);
	assert_string_equal(counting.metrics[find("first")].why, "refused");
	assert_int_equal(counting.metrics[find("second")].group, 0);
	assert_true(place_of(0, "E7") > 0 && place_of(0, "E0") == -1);
	events = counting.rotation.events;
	assert_int_equal(events[0].type, PMU_TYPE);
	assert_int_equal(events[place_of(0, "E7")].config, 0x108);
	assert_false(ctd_vendor_counting_leave_out(&counting, 0, "refused"));
}

static void more_groups_than_can_rotate_are_too_many(void **state)
{
	(void)state;
	add_event("CPU_CLK_UNHALTED.THREAD", 0x3c, 0xff);
	table.general_counters = 4;
	for (int i = 0; i <= CTD_ROTATION_GROUPS_MAX; i++) {
		char name[16], expression[64];

		snprintf(name, sizeof(name), "EVENT%d", i);
		add_event(name, 0x101 + (uint64_t)i, 1);
		snprintf(expression, sizeof(expression), "%s / CPU_CLK_UNHALTED.THREAD", name);
		snprintf(name, sizeof(name), "metric%d", i);
		add_metric(name, expression, "", 1, -1);
	}
	assert_int_equal(count(1), -E2BIG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_row_is_what_it_is_alone, new_table,
						free_table),
		cmocka_unit_test_setup_teardown(each_metric_is_of_its_own_group, new_table,
						free_table),
		cmocka_unit_test_setup_teardown(parts_are_behind_what_they_are_parts_of, new_table,
						free_table),
		cmocka_unit_test_setup_teardown(a_group_that_is_refused_is_left_out, new_table,
						free_table),
		cmocka_unit_test_setup_teardown(more_groups_than_can_rotate_are_too_many, new_table,
						free_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
