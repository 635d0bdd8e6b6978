/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_region.c - regions add up what was between begin and end, and say what they lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "machine.h"

static void open_group(struct ctd_rdpmc_group *group, unsigned int flags)
{
	machine_begin("sapphire_rapids");
	assert_int_equal(machine_open(group, flags), CTD_RDPMC_OK);
	machine.resets = machine.reads = machine.rdpmcs = 0;
}

/* The ratios of a load, within what rounding may do. */
static void assert_is_load(const struct ctd_rdpmc_region *region, const uint64_t *load)
{
	double ratio[CTD_RDPMC_NODES_COUNT];

	assert_int_equal(ctd_rdpmc_ratios(region, ratio), CTD_RDPMC_NODES_COUNT);
	for (int i = 0; i < CTD_RDPMC_PARTS; i++)
		assert_float_equal(ratio[i], (double)load[i] / 1000,
				   ctd_rdpmc_error_ratio(region) + 0.001);
	for (int i = 0; i < 4; i++)
		assert_float_equal(ratio[CTD_RDPMC_LIGHT_OPERATIONS + i],
				   (double)(load[i] - load[4 + i]) / 1000,
				   2 * ctd_rdpmc_error_ratio(region) + 0.002);
}

static void regions_tell_loads_apart(void **state)
{
	(void)state;
	for (unsigned int flags = 0; flags <= CTD_RDPMC_READS; flags += CTD_RDPMC_READS) {
		struct ctd_rdpmc_region memory = ctd_rdpmc_named("memory"),
					branch = ctd_rdpmc_named("branch");
		struct ctd_rdpmc_group group;

		open_group(&group, flags);
		for (int i = 0; i < 50; i++) {
			assert_int_equal(ctd_rdpmc_begin(&group, &memory), CTD_RDPMC_OK);
			work(memory_load, 700);
			assert_int_equal(ctd_rdpmc_end(&group, &memory), CTD_RDPMC_OK);
			assert_int_equal(ctd_rdpmc_begin(&group, &branch), CTD_RDPMC_OK);
			work(branch_load, 300);
			assert_int_equal(ctd_rdpmc_end(&group, &branch), CTD_RDPMC_OK);
			work(branch_load, 100);
		}
		assert_int_equal(memory.measured, 50);
		assert_int_equal(memory.lost + branch.lost, 0);
		assert_int_equal(memory.slots, 35000000);
		assert_int_equal(branch.slots, 15000000);
		assert_is_load(&memory, memory_load);
		assert_is_load(&branch, branch_load);
		assert_true(ctd_rdpmc_error_ratio(&memory) <= group.error_ratio_max);
		assert_true(ctd_rdpmc_error_ratio(&branch) <= group.error_ratio_max);
		assert_int_equal(group.regions_open, 0);
		/* One way or the other, never both: a read resets the registers. */
		assert_true(flags ? machine.rdpmcs == 0 : machine.reads == 0);
		ctd_rdpmc_close(&group);
	}
}

static void the_register_is_reset_when_a_region_would_be_inexact(void **state)
{
	struct ctd_rdpmc_region region = ctd_rdpmc_named("region");
	struct ctd_rdpmc_group group;

	(void)state;
	open_group(&group, 0);
	work(branch_load, 10);
	/* Before the first, of which the length is not known; then when (2 n + 1) / 255 exceeds
	 * 0.05 with n regions' slots since: after 6. */
	for (int i = 0; i < 72; i++) {
		assert_int_equal(ctd_rdpmc_begin(&group, &region), CTD_RDPMC_OK);
		work(memory_load, 100);
		assert_int_equal(ctd_rdpmc_end(&group, &region), CTD_RDPMC_OK);
	}
	assert_int_equal(machine.resets, 12);
	assert_true(ctd_rdpmc_error_ratio(&region) <= 0.05);
	ctd_rdpmc_close(&group);
}

static void with_an_error_of_0_each_region_begins_with_a_reset(void **state)
{
	struct ctd_rdpmc_region region = ctd_rdpmc_named("region");
	struct ctd_rdpmc_group group;

	(void)state;
	open_group(&group, 0);
	group.error_ratio_max = 0;
	work(branch_load, 10);
	for (int i = 0; i < 70; i++) {
		assert_int_equal(ctd_rdpmc_begin(&group, &region), CTD_RDPMC_OK);
		work(memory_load, 100);
		assert_int_equal(ctd_rdpmc_end(&group, &region), CTD_RDPMC_OK);
	}
	assert_int_equal(machine.resets, 70);
	assert_float_equal(ctd_rdpmc_error_ratio(&region), 1.0 / 255, 1e-4);
	ctd_rdpmc_close(&group);
}

/* topdown.txt: every few seconds. */
static void at_the_latest_the_register_is_reset_after_2_to_the_36th_slots(void **state)
{
	struct ctd_rdpmc_region region = ctd_rdpmc_named("region");
	struct ctd_rdpmc_group group;
	uint64_t thousands = CTD_RDPMC_RESET_SLOTS / 1000 / 100;

	(void)state;
	open_group(&group, 0);
	group.error_ratio_max = 1e9;
	work(branch_load, 10);
	for (int i = 0; i < 102; i++) {
		assert_int_equal(ctd_rdpmc_begin(&group, &region), CTD_RDPMC_OK);
		assert_true(region.begin.slots <= CTD_RDPMC_RESET_SLOTS);
		work(memory_load, thousands);
		assert_int_equal(ctd_rdpmc_end(&group, &region), CTD_RDPMC_OK);
	}
	assert_int_equal(machine.resets, 2); /* of which one was before the first */
	ctd_rdpmc_close(&group);
}

static void nothing_is_reset_within_a_region(void **state)
{
	struct ctd_rdpmc_region outer = ctd_rdpmc_named("outer"), inner = ctd_rdpmc_named("inner");
	struct ctd_rdpmc_group group;

	(void)state;
	open_group(&group, 0);
	group.error_ratio_max = 0;
	work(branch_load, 10);
	assert_int_equal(ctd_rdpmc_begin(&group, &outer), CTD_RDPMC_OK);
	for (int i = 0; i < 10; i++) {
		work(branch_load, 100);
		assert_int_equal(ctd_rdpmc_begin(&group, &inner), CTD_RDPMC_OK);
		work(memory_load, 100);
		assert_int_equal(ctd_rdpmc_end(&group, &inner), CTD_RDPMC_OK);
	}
	/* They overlap: the outer one ends first. */
	assert_int_equal(ctd_rdpmc_begin(&group, &inner), CTD_RDPMC_OK);
	work(memory_load, 1000);
	assert_int_equal(ctd_rdpmc_end(&group, &outer), CTD_RDPMC_OK);
	work(memory_load, 1000);
	assert_int_equal(ctd_rdpmc_end(&group, &inner), CTD_RDPMC_OK);
	assert_int_equal(machine.resets, 1);
	assert_int_equal(outer.slots, 3000000);
	assert_int_equal(inner.slots, 3000000);
	assert_int_equal(inner.measured, 11);
	/* What it costs is said: the inner ones are of up to 2.9 million slots, rounded twice. */
	assert_true(ctd_rdpmc_error_ratio(&inner) > 5 * ctd_rdpmc_error_ratio(&outer));
	assert_is_load(&inner, memory_load);
	ctd_rdpmc_close(&group);
}

static void pairs_that_do_not_match_are_refused_and_disturb_nothing(void **state)
{
	struct ctd_rdpmc_region region = ctd_rdpmc_named("region");
	struct ctd_rdpmc_group group;

	(void)state;
	open_group(&group, 0);
	assert_int_equal(ctd_rdpmc_end(&group, &region), CTD_RDPMC_MISUSED);
	assert_int_equal(ctd_rdpmc_begin(&group, &region), CTD_RDPMC_OK);
	work(memory_load, 100);
	assert_int_equal(ctd_rdpmc_begin(&group, &region), CTD_RDPMC_MISUSED);
	work(memory_load, 100);
	assert_int_equal(ctd_rdpmc_end(&group, &region), CTD_RDPMC_OK);
	assert_int_equal(ctd_rdpmc_end(&group, &region), CTD_RDPMC_MISUSED);
	assert_int_equal(region.slots, 200000);
	assert_int_equal(region.lost, 0);
	assert_int_equal(group.regions_open, 0);
	/* One that has begun when its group is closed is lost. */
	assert_int_equal(ctd_rdpmc_begin(&group, &region), CTD_RDPMC_OK);
	ctd_rdpmc_close(&group);
	assert_int_equal(ctd_rdpmc_end(&group, &region), CTD_RDPMC_MISUSED);
	assert_int_equal(region.lost, 1);
	assert_int_equal(group.regions_open, 0);
}

/* What counted part of the time is not scaled up: of a thread's own region that would be made up. */
static void a_region_that_was_not_counted_all_the_time_is_lost(void **state)
{
	(void)state;
	for (unsigned int flags = 0; flags <= CTD_RDPMC_READS; flags += CTD_RDPMC_READS) {
		struct ctd_rdpmc_region region = ctd_rdpmc_named("region");
		struct ctd_rdpmc_group group;

		open_group(&group, flags);
		assert_int_equal(ctd_rdpmc_begin(&group, &region), CTD_RDPMC_OK);
		work(memory_load, 100);
		miss_a_turn();
		work(memory_load, 100);
		assert_int_equal(ctd_rdpmc_end(&group, &region), CTD_RDPMC_TAKEN);
		assert_int_equal(region.measured, 0);
		assert_int_equal(region.lost, 1);
		assert_int_equal(region.why_lost, CTD_RDPMC_TAKEN);
		/* What was missed before is no matter. */
		assert_int_equal(ctd_rdpmc_begin(&group, &region), CTD_RDPMC_OK);
		work(memory_load, 100);
		assert_int_equal(ctd_rdpmc_end(&group, &region), CTD_RDPMC_OK);
		assert_int_equal(region.slots, 100000);
		ctd_rdpmc_close(&group);
	}
}

static void a_region_in_which_somebody_reset_the_register_is_lost(void **state)
{
	struct ctd_rdpmc_region region = ctd_rdpmc_named("region");
	struct ctd_rdpmc_group group;

	(void)state;
	open_group(&group, 0);
	assert_int_equal(ctd_rdpmc_begin(&group, &region), CTD_RDPMC_OK);
	work(memory_load, 100);
	assert_int_equal(ctd_rdpmc_end(&group, &region), CTD_RDPMC_OK);
	group.error_ratio_max = 1e9;
	assert_int_equal(ctd_rdpmc_begin(&group, &region), CTD_RDPMC_OK);
	(void)control_group(group.fd[0], PERF_EVENT_IOC_RESET);
	work(memory_load, 10);
	assert_int_equal(ctd_rdpmc_end(&group, &region), CTD_RDPMC_WENT_BACK);
	assert_int_equal(region.slots, 100000);
	assert_int_equal(region.lost, 1);
	ctd_rdpmc_close(&group);
}

/* Whether the kernel gives the registers back to a thread or has them begin at 0 was not seen. What
 * is after the switch may be less than what was before it, or more, which looks like a region. */
static void a_region_has_figures_only_without_a_switch_inside(void **state)
{
	(void)state;
	for (int kind = 0; kind < 4; kind++) {
		struct ctd_rdpmc_region region = ctd_rdpmc_named("region"),
					outer = ctd_rdpmc_named("outer");
		struct ctd_rdpmc_group group;

		open_group(&group, 0);
		machine.begins_anew = kind & 1;
		group.error_ratio_max = kind & 2 ? 0.05 : 1e9;
		for (uint64_t i = 0; i < 60; i++) {
			bool switches = i % 3 == 1;

			work(branch_load, i % 5);
			if (i % 2)
				switch_context();
			assert_int_equal(ctd_rdpmc_begin(&group, &region), CTD_RDPMC_OK);
			work(memory_load, 200 - 3 * i);
			if (switches) {
				switch_context();
				work(branch_load, 7 * i);
			}
			work(memory_load, 3 * i);
			assert_int_equal(ctd_rdpmc_end(&group, &region),
					 switches ? CTD_RDPMC_TOO_LONG : CTD_RDPMC_OK);
		}
		assert_int_equal(region.lost, 20);
		assert_int_equal(region.why_lost, CTD_RDPMC_TOO_LONG);
		assert_int_equal(region.measured, 40);
		assert_int_equal(region.slots, 40 * 200000);
		assert_is_load(&region, memory_load);
		/* Of nested ones those are lost that it was in. */
		region = ctd_rdpmc_named("region");
		assert_int_equal(ctd_rdpmc_begin(&group, &outer), CTD_RDPMC_OK);
		work(branch_load, 100);
		switch_context();
		assert_int_equal(ctd_rdpmc_begin(&group, &region), CTD_RDPMC_OK);
		work(memory_load, 1000);
		assert_int_equal(ctd_rdpmc_end(&group, &region), CTD_RDPMC_OK);
		assert_int_equal(ctd_rdpmc_end(&group, &outer), CTD_RDPMC_TOO_LONG);
		assert_int_equal(region.slots, 1000000);
		assert_is_load(&region, memory_load);
		assert_int_equal(outer.measured, 0);
		ctd_rdpmc_close(&group);
	}
}

/* The kernel itself adds up what was before. */
static void a_region_that_is_read_may_have_switches_inside(void **state)
{
	(void)state;
	for (int begins_anew = 0; begins_anew < 2; begins_anew++) {
		struct ctd_rdpmc_region region = ctd_rdpmc_named("region");
		struct ctd_rdpmc_group group;

		open_group(&group, CTD_RDPMC_READS);
		machine.begins_anew = begins_anew;
		for (int i = 0; i < 20; i++) {
			assert_int_equal(ctd_rdpmc_begin(&group, &region), CTD_RDPMC_OK);
			for (int part = 0; part < 4; part++) {
				work(memory_load, 1000);
				switch_context();
			}
			assert_int_equal(ctd_rdpmc_end(&group, &region), CTD_RDPMC_OK);
		}
		assert_int_equal(region.slots, 80000000);
		assert_is_load(&region, memory_load);
		ctd_rdpmc_close(&group);
	}
}

static void what_the_register_may_not_hold_is_lost(void **state)
{
	uint64_t thousands = (UINT64_C(1) << 47) / 1000;

	(void)state;
	for (unsigned int flags = 0; flags <= CTD_RDPMC_READS; flags += CTD_RDPMC_READS) {
		for (uint64_t more = 0; more < 2; more++) {
			struct ctd_rdpmc_region region = ctd_rdpmc_named("region");
			struct ctd_rdpmc_group group;

			open_group(&group, flags);
			work(branch_load, 10);
			assert_int_equal(ctd_rdpmc_begin(&group, &region), CTD_RDPMC_OK);
			work(memory_load, thousands + more);
			assert_int_equal(ctd_rdpmc_end(&group, &region),
					 more && !flags ? CTD_RDPMC_TOO_LONG : CTD_RDPMC_OK);
			ctd_rdpmc_close(&group);
		}
	}
}

static void every_error_and_node_has_its_text(void **state)
{
	(void)state;
	for (int i = 0; i < CTD_RDPMC_ERRORS_COUNT; i++) {
		assert_true(strlen(ctd_rdpmc_error_text(i)) > 5);
		for (int other = 0; other < i; other++)
			assert_string_not_equal(ctd_rdpmc_error_text(i),
						ctd_rdpmc_error_text(other));
	}
	assert_string_equal(ctd_rdpmc_error_text(-1), "unknown error");
	assert_string_equal(ctd_rdpmc_error_text(CTD_RDPMC_ERRORS_COUNT), "unknown error");
	assert_string_equal(ctd_rdpmc_node_name(CTD_RDPMC_CORE_BOUND), "core_bound");
	assert_string_equal(ctd_rdpmc_node_name(CTD_RDPMC_NODES_COUNT), "unknown node");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(regions_tell_loads_apart),
		cmocka_unit_test(the_register_is_reset_when_a_region_would_be_inexact),
		cmocka_unit_test(with_an_error_of_0_each_region_begins_with_a_reset),
		cmocka_unit_test(at_the_latest_the_register_is_reset_after_2_to_the_36th_slots),
		cmocka_unit_test(nothing_is_reset_within_a_region),
		cmocka_unit_test(pairs_that_do_not_match_are_refused_and_disturb_nothing),
		cmocka_unit_test(a_region_that_was_not_counted_all_the_time_is_lost),
		cmocka_unit_test(a_region_in_which_somebody_reset_the_register_is_lost),
		cmocka_unit_test(a_region_has_figures_only_without_a_switch_inside),
		cmocka_unit_test(a_region_that_is_read_may_have_switches_inside),
		cmocka_unit_test(what_the_register_may_not_hold_is_lost),
		cmocka_unit_test(every_error_and_node_has_its_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
