/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_plan_rotation.c - groups that are made at run time are planned as they are, or of clocks. */
#include <cgtopdown/counters.h>

#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct ctd_event events[4];
static struct ctd_rotation rotation;

static int begin(void **state)
{
	static const struct ctd_event first[4] = {
		{.name = "cycles", .type = 4, .config = 0x3c},
		{.name = "A", .type = 4, .config = 0x1a3, .config1 = 7, .user_only = true},
		{.name = "cycles", .type = 4, .config = 0x3c},
		{.name = ""},
	};

	(void)state;
	memcpy(events, first, sizeof(events));
	rotation = (struct ctd_rotation){.groups_count = 2, .events_count = 2, .events = events};
	return 0;
}

static void groups_are_filled_up(void **state)
{
	struct ctd_counter_plan plan;

	(void)state;
	ctd_pmu_plan_rotation(&rotation, false, true, &plan);
	assert_true(plan.read == CTD_READ_EACH && plan.pinned && !plan.simulated && !plan.model);
	assert_int_equal(plan.groups_count, 2);
	assert_int_equal(plan.events_count, 2);
	assert_int_equal(ctd_plan_events(&plan, 0)[1].config, 0x1a3);
	assert_true(ctd_plan_events(&plan, 0)[1].user_only);
	assert_int_equal(ctd_plan_events(&plan, 1)[0].type, 4);
	assert_int_equal(ctd_plan_events(&plan, 1)[1].type, PERF_TYPE_SOFTWARE);
	assert_int_equal(ctd_plan_events(&plan, 1)[1].config, PERF_COUNT_SW_DUMMY);
}

/* Also where it is planned again, as when counters are opened anew. */
static void clocks_take_the_place_of_events_and_of_nothing_else(void **state)
{
	struct ctd_counter_plan plan;

	(void)state;
	for (int i = 0; i < 2; i++) {
		ctd_pmu_plan_rotation(&rotation, true, false, &plan);
		assert_true(plan.simulated);
		assert_int_equal(ctd_plan_events(&plan, 0)[1].type, PERF_TYPE_SOFTWARE);
		assert_int_equal(ctd_plan_events(&plan, 0)[1].config, PERF_COUNT_SW_CPU_CLOCK);
		assert_string_equal(ctd_plan_events(&plan, 0)[1].name, "A");
		assert_int_equal(ctd_plan_events(&plan, 1)[1].config, PERF_COUNT_SW_DUMMY);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(groups_are_filled_up, begin),
		cmocka_unit_test_setup(clocks_take_the_place_of_events_and_of_nothing_else, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
