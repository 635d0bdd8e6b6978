/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_rotation.c - which groups have the steps of a rotation, and how long these are. */
#include "collect/rotation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MS 1000000ULL

static const struct ctd_steps alike;

/* As ctd_collector_interval() cuts it: a step ends where there is room for one more. */
static uint64_t count_steps(uint64_t interval_ns, uint64_t length_ns)
{
	uint64_t steps = 1;

	while (length_ns < interval_ns / steps)
		steps++;
	return steps;
}

static void each_group_has_as_many_steps_as_the_others(void **state)
{
	static const struct {
		int line;
		uint64_t interval_ns, groups_count, want_steps;
	} cases[] = {
		{__LINE__, 1000 * MS, 2, 10},
		{__LINE__, 1000 * MS, 3, 9},
		{__LINE__, 1000 * MS, 5, 10},
		{__LINE__, 1000 * MS + 1, 3, 9},
		{__LINE__, 15000 * MS, 2, 150},
		/* As long as can be: less than a tenth of a second each. */
		{__LINE__, 299 * MS, 3, 3},
		{__LINE__, 60 * MS, 3, 3},
		/* Too short to be shared. */
		{__LINE__, 60 * MS - 1, 3, 1},
		{__LINE__, 1, 2, 1},
		{__LINE__, 3600000 * MS, 2, 36000},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint64_t length_ns =
			ctd_rotation_step_ns(&alike, cases[i].interval_ns, cases[i].groups_count);
		uint64_t steps = count_steps(cases[i].interval_ns, length_ns);

		if (steps != cases[i].want_steps)
			fail_msg("line %d: %lu ns, %lu steps", cases[i].line,
				 (unsigned long)length_ns, (unsigned long)steps);
	}
}

static void an_interval_without_an_end_has_steps_of_a_tenth_of_a_second(void **state)
{
	(void)state;
	assert_int_equal(ctd_rotation_step_ns(&alike, UINT64_MAX - 5, 2), 100 * MS);
	assert_int_equal(ctd_rotation_step_ns(&alike, 3600000 * MS + 1, 5), 100 * MS);
}

/* As intervals of one round each have them, and as one without an end. */
static void without_weights_each_group_gets_each_place_of_a_round(void **state)
{
	enum { ALIKE = 4 };

	(void)state;
	for (int cut = 0; cut < 2; cut++) {
		struct ctd_steps rotation = {0};
		int turns[5][5] = {0}, step = 0;

		for (int round = 0; round < 5 * ALIKE; round++) {
			if (cut)
				ctd_steps_begin(&rotation, step, 500 * MS, 5);
			for (int i = 0; i < 5; i++) {
				assert_int_equal(step, (round / ALIKE + i) % 5);
				turns[i][step]++;
				step = ctd_steps_next(&rotation, step, 5);
			}
		}
		for (int i = 0; i < 25; i++)
			assert_int_equal(turns[i / 5][i % 5], ALIKE);
	}
}

/* Of a load that does something in each round, or in every so many, a group sees each part as
 * often. */
static void without_weights_a_group_is_in_step_with_no_timer(void **state)
{
	enum { STEPS = 100000, MOST = 6 * 4 };

	(void)state;
	for (int groups_count = 2; groups_count < 7; groups_count++) {
		for (int rounds = 1; rounds <= 4; rounds *= 2) {
			struct ctd_steps rotation = {0};
			int at[MOST] = {0}, period = groups_count * rounds;
			int want = STEPS / groups_count / period;

			for (int i = 0, step = 0; i < STEPS; i++) {
				at[i % period] += step == 1;
				step = ctd_steps_next(&rotation, step, groups_count);
			}
			for (int i = 0; i < period; i++)
				if (abs(at[i] - want) > want / 20)
					fail_msg("%d groups, %d steps: %d of step %d, not %d",
						 groups_count, period, at[i], i, want);
		}
	}
}

static void each_group_has_the_steps_that_it_has_weights_for(void **state)
{
	static const uint8_t weights[] = {3, 0, 1, 8, 4}, other[] = {0, 1, 0, 1, 0};
	struct ctd_steps rotation = {0};

	(void)state;
	ctd_steps_weigh(&rotation, weights, 5);
	for (int round = 0, step = 0; round < 10; round++) {
		int turns[5] = {0};

		for (int i = 0; i < 16; i++) {
			step = ctd_steps_next(&rotation, step, 5);
			turns[step]++;
		}
		for (int i = 0; i < 5; i++)
			assert_int_equal(turns[i], weights[i]);
	}
	/* What is wanted no more has no step, what is wanted now has one in this round. */
	assert_int_not_equal(ctd_steps_next(&rotation, 0, 5), 1);
	ctd_steps_weigh(&rotation, other, 5);
	for (int i = 0, step = 0, last = 0; i < 40; i++, last = step) {
		step = ctd_steps_next(&rotation, step, 5);
		assert_true(step == 1 || step == 3);
		assert_true(i % 2 == 0 || step != last);
	}
	/* Weights are of counters that are no more there. */
	assert_int_equal(ctd_steps_next(&rotation, 1, 3), 2);
	assert_int_equal(ctd_steps_next(&rotation, 2, 3), 0);
	assert_int_equal(ctd_steps_next(&rotation, 0, 3), 1);
}

/* In the same one a group would see the same part of each second, however often it counts. */
static void each_round_has_another_order(void **state)
{
	static const uint8_t weights[] = {10, 1, 1, 1, 1, 1, 1};
	struct ctd_steps rotation = {0};
	int at[16] = {0}, step = 0;

	(void)state;
	ctd_steps_weigh(&rotation, weights, 7);
	for (int round = 0; round < 1600; round++) {
		ctd_steps_begin(&rotation, step, 1000 * MS, 7);
		for (int i = 0; i < 16; i++) {
			at[i] += step == 3;
			step = ctd_steps_next(&rotation, step, 7);
		}
	}
	/* 100 of each, give or take four standard deviations. */
	for (int i = 0; i < 16; i++)
		assert_in_range(at[i], 61, 139);
}

/* As an interval has them: at the end of each step, the last one too, the next one begins. @return
 * the group of the step that begins then. */
static int count_turns(struct ctd_steps *rotation, int step, int count, int groups_count,
		       int *ret_turns)
{
	memset(ret_turns, 0, (size_t)groups_count * sizeof(*ret_turns));
	for (int i = 0; i < count; i++) {
		ret_turns[step]++;
		step = ctd_steps_next(rotation, step, groups_count);
	}
	return step;
}

static void an_interval_is_of_whole_rounds(void **state)
{
	static const uint8_t weights[] = {12, 1, 2, 1}, fewer[] = {15, 0, 0, 1};
	struct ctd_steps rotation = {0};
	int turns[4], step = 0;

	(void)state;
	ctd_steps_weigh(&rotation, weights, 4);
	for (int interval = 0; interval < 100; interval++) {
		ctd_steps_begin(&rotation, step, 16 * 20 * MS, 4);
		step = count_turns(&rotation, step, 16, 4, turns);
		for (int i = 0; i < 4; i++)
			assert_int_equal(turns[i], weights[i]);
	}
	/* What is not wanted any more may have been next. */
	ctd_steps_weigh(&rotation, fewer, 4);
	ctd_steps_begin(&rotation, 2, 16 * 20 * MS, 4);
	step = count_turns(&rotation, 2, 17, 4, turns);
	assert_int_equal(turns[0], 15);
	assert_int_equal(turns[3], 1);
}

static void a_round_goes_on_where_an_interval_has_no_room_for_it(void **state)
{
	static const uint8_t weights[] = {12, 4};
	struct ctd_steps rotation = {0};
	int turns[2], all = 0, step = 0;

	(void)state;
	ctd_steps_weigh(&rotation, weights, 2);
	for (int interval = 0; interval < 4; interval++) {
		ctd_steps_begin(&rotation, step, 16 * 20 * MS - 1, 2);
		step = count_turns(&rotation, step, 4, 2, turns);
		all += turns[1];
	}
	/* The first of all steps was there before the round, and the one that begins now is of it. */
	assert_int_equal(all + (step == 1), 4);
}

static void a_round_of_many_steps_goes_on_in_the_next_interval(void **state)
{
	static const uint8_t weights[] = {4, 12};
	struct ctd_steps rotation = {0};

	(void)state;
	ctd_steps_weigh(&rotation, weights, 2);
	assert_int_equal(count_steps(1000 * MS, ctd_rotation_step_ns(&rotation, 1000 * MS, 2)), 16);
	assert_int_equal(count_steps(5000 * MS, ctd_rotation_step_ns(&rotation, 5000 * MS, 2)), 48);
	assert_int_equal(count_steps(200 * MS, ctd_rotation_step_ns(&rotation, 200 * MS, 2)), 10);
	assert_int_equal(count_steps(19 * MS, ctd_rotation_step_ns(&rotation, 19 * MS, 2)), 1);
	assert_int_equal(ctd_rotation_step_ns(&rotation, UINT64_MAX - 5, 2), 100 * MS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_weights_each_group_gets_each_place_of_a_round),
		cmocka_unit_test(without_weights_a_group_is_in_step_with_no_timer),
		cmocka_unit_test(each_group_has_the_steps_that_it_has_weights_for),
		cmocka_unit_test(each_round_has_another_order),
		cmocka_unit_test(an_interval_is_of_whole_rounds),
		cmocka_unit_test(a_round_goes_on_where_an_interval_has_no_room_for_it),
		cmocka_unit_test(a_round_of_many_steps_goes_on_in_the_next_interval),
		cmocka_unit_test(each_group_has_as_many_steps_as_the_others),
		cmocka_unit_test(an_interval_without_an_end_has_steps_of_a_tenth_of_a_second),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
