/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_plan_ipc_group.c - the IPC group beside each machine's plan. */
#include <cgtopdown/counters.h>

#include <errno.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/root.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct ctd_pmu_facts facts_of(const char *machine)
{
	char root[128];
	struct ctd_pmu_facts facts;

	snprintf(root, sizeof(root), "tests/machines/%s", machine);
	ctd_root_set(root);
	assert_int_equal(ctd_pmu_facts_read(&facts), 0);
	ctd_root_set(NULL);
	return facts;
}

/* Plans a level of a machine, and the IPC metrics. What they are asked of sysfs is its own. */
static int plan_both(const char *machine, const char *source, int level,
		     struct ctd_counter_plan *ret_tree, struct ctd_counter_plan *ret_both,
		     char ret_why[160])
{
	struct ctd_pmu_facts facts = facts_of(machine);
	char root[128];
	int error;

	snprintf(root, sizeof(root), "tests/machines/%s", machine);
	ctd_root_set(root);
	assert_int_equal(ctd_pmu_plan(&facts, source, level, false, true, ret_tree), 0);
	*ret_both = *ret_tree;
	error = ctd_pmu_plan_ipc(&facts, ret_both, ret_why);
	ctd_root_set(NULL);
	return error;
}

static void check_tree_is_as_before(int line, const struct ctd_counter_plan *tree,
				    const struct ctd_counter_plan *both)
{
	for (int group = 0; group + 1 < both->groups_count; group++) {
		for (int i = 0; i < both->events_count; i++) {
			const struct ctd_event *event =
				&both->events[group * both->events_count + i];

			if (i >= tree->events_count && strcmp(event->name, "dummy") != 0)
				fail_msg("line %d: %s fills group %d up", line, event->name, group);
			if (i < tree->events_count)
				assert_memory_equal(event,
						    &tree->events[group * tree->events_count + i],
						    sizeof(*event));
		}
	}
}

static void the_group_comes_after_those_of_the_tree(void **state)
{
	static const struct {
		int line;
		const char *machine, *source;
		int level, want_groups, want_events;
		const char *want[6]; /* of the group, up to the dummies */
	} cases[] = {
		{__LINE__,
		 "sapphire_rapids",
		 "auto",
		 1,
		 2,
		 5,
		 {"slots", "cpu_clk_unhalted.thread", "inst_retired.any",
		  "br_misp_retired.all_branches", "longest_lat_cache.miss"}},
		{__LINE__,
		 "sapphire_rapids",
		 "auto",
		 2,
		 2,
		 9,
		 {"slots", "cpu_clk_unhalted.thread", "inst_retired.any",
		  "br_misp_retired.all_branches", "longest_lat_cache.miss"}},
		/* Slots are counted as they are by the tree. */
		{__LINE__,
		 "kvm_guest",
		 "auto",
		 1,
		 2,
		 5,
		 {"topdown.slots_p", "cpu_clk_unhalted.thread", "inst_retired.any",
		  "br_misp_retired.all_branches", "longest_lat_cache.miss"}},
		{__LINE__,
		 "skylake",
		 "auto",
		 2,
		 4,
		 6,
		 {"cpu_clk_unhalted.thread", "inst_retired.any", "br_misp_retired.all_branches",
		  "longest_lat_cache.miss"}},
		{__LINE__,
		 "zen4",
		 "auto",
		 2,
		 5,
		 5,
		 {"ls_not_halted_cyc", "ex_ret_instr", "ex_ret_brn_misp",
		  "l2_cache_req_stat.ic_dc_miss_in_l2"}},
		{__LINE__,
		 "neoverse_v1",
		 "auto",
		 1,
		 2,
		 7,
		 {"cpu_cycles", "inst_retired", "br_mis_pred_retired", "l2d_cache_refill"}},
		/* More events than the tree has. */
		{__LINE__,
		 "neoverse_n1",
		 "auto",
		 1,
		 2,
		 4,
		 {"cpu_cycles", "inst_retired", "br_mis_pred_retired", "l2d_cache_refill"}},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_counter_plan tree, both;
		char why[160];

		assert_int_equal(plan_both(cases[i].machine, cases[i].source, cases[i].level, &tree,
					   &both, why),
				 0);
		if (both.groups_count != cases[i].want_groups ||
		    both.events_count != cases[i].want_events || !both.ipc ||
		    both.read != tree.read || tree.ipc)
			fail_msg("line %d: %d groups of %d events", cases[i].line,
				 both.groups_count, both.events_count);
		check_tree_is_as_before(cases[i].line, &tree, &both);
		for (int event = 0; event < both.events_count; event++) {
			const struct ctd_event *got =
				&both.events[(both.groups_count - 1) * both.events_count + event];
			const char *want = event < 6 ? cases[i].want[event] : NULL;

			if (strcmp(got->name, want ? want : "dummy") != 0 ||
			    (got->type == PERF_TYPE_SOFTWARE) == (want != NULL))
				fail_msg("line %d: event %d is %s", cases[i].line, event,
					 got->name);
		}
	}
}

static void what_cannot_be_counted_is_not_planned(void **state)
{
	static const struct {
		const char *machine, *source, *want_why;
	} cases[] = {
		{"sapphire_rapids", "sim", "no instructions and cycles of source sim"},
		{"no_pmu", "auto", "no instructions and cycles of source none"},
		{"sapphire_rapids", "software:5", "no instructions and cycles of source software"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_counter_plan tree, both;
		char why[160] = "";

		assert_int_equal(plan_both(cases[i].machine, cases[i].source, 0, &tree, &both, why),
				 -ENODEV);
		if (!strstr(why, cases[i].want_why))
			fail_msg("%s: %s", cases[i].machine, why);
		assert_memory_equal(&tree, &both, sizeof(tree));
	}
}

/* By its hypervisor, where the slots' events are passed on. */
static void what_an_arm64_guest_is_not_given_is_named(void **state)
{
	struct ctd_pmu_facts facts = facts_of("neoverse_v1");
	struct ctd_counter_plan plan;
	char why[160];

	(void)state;
	assert_int_equal(ctd_pmu_plan(&facts, "arm_slots", 1, false, true, &plan), 0);
	ctd_root_set("tests/machines/neoverse_v1_guest");
	assert_int_equal(ctd_pmu_plan_ipc(&facts, &plan, why), -ENODEV);
	ctd_root_set(NULL);
	assert_non_null(strstr(why, "'armv8_pmuv3_0' does not offer inst_retired"));
	assert_int_equal(plan.groups_count, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_group_comes_after_those_of_the_tree),
		cmocka_unit_test(what_cannot_be_counted_is_not_planned),
		cmocka_unit_test(what_an_arm64_guest_is_not_given_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
