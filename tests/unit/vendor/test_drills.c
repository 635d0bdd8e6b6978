/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_drills.c - each core type has the steps that its own drill wants. */
#include <cgtopdown/drill.h>

#include <errno.h>

#include "unit/vendor/hybrid.h"
#include "vendor/drill.h"

static struct ctd_drills drills;

static int begin(void **state)
{
	int r = make_hybrid(state);

	return r ? r : ctd_drills_new(&countings, INFINITY, &drills);
}

static int end(void **state)
{
	ctd_drills_free(&drills);
	return free_hybrid(state);
}

static void each_core_type_with_a_tree_has_a_drill(void **state)
{
	struct ctd_drills none;

	(void)state;
	assert_non_null(drills.of[ON_P]);
	assert_non_null(drills.of[ON_E]);
	assert_null(drills.of[ON_OTHER]);
	made[ON_E].table.metrics[0].level = made[ON_E].table.metrics[1].level = 0;
	ctd_drills_free(&drills);
	assert_int_equal(ctd_drills_new(&countings, INFINITY, &drills), 0);
	assert_null(drills.of[ON_E]);
	countings.of[ON_P] = NULL;
	assert_int_equal(ctd_drills_new(&countings, INFINITY, &none), -ENOENT);
}

/* What a core type's group gets of these weights: it counts in each step whose number is its own,
 * or larger by a multiple of its groups. */
static int steps_of(const uint8_t *weights, int steps, int group, int groups)
{
	int sum = 0;

	for (int step = group; step < steps; step += groups)
		sum += weights[step];
	return sum;
}

static void every_core_type_gets_its_wishes_and_few_more(void **state)
{
	static const struct {
		int line, groups[3];
		uint8_t wishes[3][8], want[8];
		bool without[3]; /* a drill: all of its groups are wanted alike */
	} cases[] = {
		/* Those that are wanted anyway are taken first, */
		{__LINE__,
		 {7, 3},
		 {{4, 0, 0, 2, 0, 0, 1}, {5, 0, 0}},
		 {4, 0, 0, 2, 0, 0, 1},
		 {false}},
		{__LINE__, {7, 3}, {{4, 0, 0, 2}, {9, 0, 0}}, {7, 0, 0, 2}, {false}},
		/* else the first that has the group. */
		{__LINE__, {7, 3}, {{4, 0, 0, 2}, {1, 2, 0}}, {4, 2, 0, 2}, {false}},
		{__LINE__, {3, 7}, {{1, 2, 0}, {4, 0, 0, 2}}, {4, 2, 0, 2}, {false}},
		/* One group is in each step. */
		{__LINE__, {2, 1}, {{0, 3}, {3}}, {0, 3}, {false}},
		{__LINE__, {1, 1, 1}, {{1}, {16}, {2}}, {16}, {false}},
		{__LINE__, {4, 4, 2}, {{1, 0, 0, 0}, {0, 0, 0, 2}, {0, 4}}, {1, 0, 0, 4}, {false}},
		{__LINE__, {2, 0}, {{0, 3}}, {0, 3}, {false}},
		{__LINE__, {3, 2}, {{4, 0, 0}, {1, 1}}, {4, 1, 0}, {false, true}},
		{__LINE__, {2, 3}, {{4, 0}, {1, 1, 1}}, {3, 1, 1}, {false, true}},
		/* Of what rotates nothing is wanted. */
		{__LINE__, {2, 1}, {{0, 0, 4}, {0, 3}}, {1, 1}, {false}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_vendor_counting of[3] = {0};
		struct ctd_vendor_countings all = {.core_types_count = 3};
		struct ctd_drill drill[3] = {0};
		struct ctd_drills wanted = {0};
		uint8_t weights[CTD_ROTATION_GROUPS_MAX];
		int groups[CTD_CORE_TYPES_MAX] = {0}, steps;

		/* There may be more than rotate. */
		for (int core = 0; core < 3 && cases[i].groups[core]; core++) {
			groups[core] = cases[i].groups[core];
			of[core].rotation.groups_count = 8;
			memcpy(drill[core].weights, cases[i].wishes[core], 8);
			all.of[core] = &of[core];
			wanted.of[core] = cases[i].without[core] ? NULL : &drill[core];
		}
		steps = ctd_drills_weigh(&wanted, &all, groups, weights);
		for (int core = 0; core < 3; core++)
			assert_true(steps >= groups[core]);
		for (int step = 0; step < steps; step++)
			if (weights[step] != cases[i].want[step])
				fail_msg("line %d: step %d has %d", cases[i].line, step,
					 weights[step]);
		for (int core = 0; core < 3; core++)
			for (int group = 0; group < cases[i].groups[core]; group++)
				if (steps_of(weights, steps, group, cases[i].groups[core]) <
				    cases[i].wishes[core][group])
					fail_msg("line %d: too few of group %d", cases[i].line,
						 group);
	}
}

static void the_top_of_each_tree_is_counted_from_the_start(void **state)
{
	static const int groups[CTD_CORE_TYPES_MAX] = {2, 1, 1};
	uint8_t weights[CTD_ROTATION_GROUPS_MAX];
	int top = made[ON_P].counting.metrics[hybrid_index(ON_P, "tma_first")].group;

	(void)state;
	assert_int_equal(ctd_drills_weigh(&drills, &countings, groups, weights), 2);
	assert_true(weights[top] > 0);
	assert_int_equal(weights[!top], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_core_type_with_a_tree_has_a_drill, begin, end),
		cmocka_unit_test(every_core_type_gets_its_wishes_and_few_more),
		cmocka_unit_test_setup_teardown(the_top_of_each_tree_is_counted_from_the_start,
						begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
