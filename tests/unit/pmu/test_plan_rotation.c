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
	assert_int_equal(ctd_plan_event(&plan, 0, 1)->config, 0x1a3);
	assert_true(ctd_plan_event(&plan, 0, 1)->user_only);
	assert_int_equal(ctd_plan_event(&plan, 1, 0)->type, 4);
	assert_int_equal(ctd_plan_event(&plan, 1, 1)->type, PERF_TYPE_SOFTWARE);
	assert_int_equal(ctd_plan_event(&plan, 1, 1)->config, PERF_COUNT_SW_DUMMY);
}

/* Also where it is planned again, as when counters are opened anew. */
static void clocks_take_the_place_of_events_and_of_nothing_else(void **state)
{
	struct ctd_counter_plan plan;

	(void)state;
	for (int i = 0; i < 2; i++) {
		ctd_pmu_plan_rotation(&rotation, true, false, &plan);
		assert_true(plan.simulated);
		assert_int_equal(ctd_plan_event(&plan, 0, 1)->type, PERF_TYPE_SOFTWARE);
		assert_int_equal(ctd_plan_event(&plan, 0, 1)->config, PERF_COUNT_SW_CPU_CLOCK);
		assert_string_equal(ctd_plan_event(&plan, 0, 1)->name, "A");
		assert_int_equal(ctd_plan_event(&plan, 1, 1)->config, PERF_COUNT_SW_DUMMY);
	}
}

/* Of P-cores one rotation, of E-cores none, and one core type was not there when they were made. */
static void each_core_type_has_its_own_groups_or_a_reason(void **state)
{
	static const struct {
		int line, machine_types, rotations_types;
		bool has[2]; /* groups, of those that are there */
		int want; /* plans */
		const char *why[3]; /* NULL: it counts */
	} cases[] = {
		{__LINE__, 1, 1, {true}, 1, {NULL}},
		{__LINE__, 2, 2, {true, true}, 2, {NULL, NULL}},
		{__LINE__, 2, 2, {true, false}, 2, {NULL, "why not 1"}},
		{__LINE__, 2, 2, {false, true}, 2, {"why not 0", NULL}},
		{__LINE__,
		 3,
		 2,
		 {true, true},
		 3,
		 {NULL, NULL, "no metrics were asked for of such cores"}},
		/* All CPUs count the same, whatever core types came. */
		{__LINE__, 2, 1, {true}, 1, {NULL}},
		/* One went. */
		{__LINE__, 1, 2, {true, true}, 1, {NULL}},
		{__LINE__, 2, 2, {false, false}, 1, {"why not 0"}},
	};
	static struct ctd_machine machine;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		static struct ctd_counter_plan plans[CTD_CORE_TYPES_MAX];
		struct ctd_rotations rotations = {.core_types_count = cases[i].rotations_types,
						  .why = {"why not 0", "why not 1"}};
		int count;

		machine.core_types_count = cases[i].machine_types;
		for (int type = 0; type < cases[i].rotations_types; type++)
			rotations.of[type] = cases[i].has[type] ? &rotation : NULL;
		count = ctd_machine_plan_rotations(&machine, &rotations, false, true, plans);
		if (count != cases[i].want)
			fail_msg("line %d: %d plans", cases[i].line, count);
		for (int type = 0; type < count; type++) {
			const char *why = cases[i].why[type];

			assert_int_equal(ctd_plan_counts(&plans[type]), !why);
			assert_int_equal(plans[type].groups_count, why ? 1 : 2);
			if (why)
				assert_string_equal(plans[type].why, why);
		}
		ctd_plans_pad(plans, count);
		for (int type = 0; type < count; type++)
			assert_int_equal(plans[type].events_count,
					 cases[i].why[type] ? 0 : rotation.events_count);
	}
}

static void a_plan_has_other_groups_behind_its_own(void **state)
{
	struct ctd_counter_plan plan = {.read = CTD_READ_LEADER};

	(void)state;
	/* The wider of the two fills up the other. */
	assert_int_equal(ctd_pmu_plan_software("software:4", &plan), 0);
	plan.counters_count = plan.events_count;
	plan.ipc = true;
	ctd_pmu_plan_beside(&rotation, false, &plan);
	assert_int_equal(plan.groups_count, 3);
	assert_int_equal(ctd_plan_own_groups(&plan), 1);
	assert_false(plan.beside_slots);
	assert_int_equal(plan.events_count, 4);
	assert_int_equal(plan.counters_count, 4);
	assert_true(ctd_plan_is_ipc(&plan, 0));
	assert_false(ctd_plan_is_ipc(&plan, 2));
	assert_int_equal(ctd_plan_event(&plan, 0, 3)->config, plan.events[3].config);
	assert_int_equal(ctd_plan_event(&plan, 1, 1)->config, 0x1a3);
	assert_int_equal(ctd_plan_event(&plan, 1, 2)->config, PERF_COUNT_SW_DUMMY);
	assert_int_equal(ctd_plan_event(&plan, 2, 0)->config, 0x3c);
	assert_int_equal(ctd_plan_event(&plan, 2, 1)->config, PERF_COUNT_SW_DUMMY);
	assert_non_null(strstr(plan.why, ", and 2 groups of --metrics-dir"));

	plan = (struct ctd_counter_plan){0};
	assert_int_equal(ctd_pmu_plan_software("software:1", &plan), 0);
	plan.counters_count = plan.events_count;
	plan.events[0] = (struct ctd_event){
		.name = "clock", .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK};
	ctd_pmu_plan_beside(&rotation, true, &plan);
	assert_true(plan.beside_slots);
	assert_int_equal(plan.events_count, 2);
	assert_int_equal(plan.counters_count, 1);
	assert_int_equal(ctd_plan_event(&plan, 0, 1)->config, PERF_COUNT_SW_DUMMY);
	assert_string_equal(ctd_plan_event(&plan, 1, 1)->name, "A");
	assert_int_equal(ctd_plan_event(&plan, 1, 1)->config, PERF_COUNT_SW_CPU_CLOCK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(groups_are_filled_up, begin),
		cmocka_unit_test_setup(each_core_type_has_its_own_groups_or_a_reason, begin),
		cmocka_unit_test_setup(a_plan_has_other_groups_behind_its_own, begin),
		cmocka_unit_test_setup(clocks_take_the_place_of_events_and_of_nothing_else, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
