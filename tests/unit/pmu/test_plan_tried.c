/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_plan_tried.c - what is planned where sources were tried and cannot be used. */
#include <cgtopdown/counters.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/root.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct ctd_pmu_facts read_facts(void)
{
	struct ctd_pmu_facts facts;

	ctd_root_set("tests/machines/sapphire_rapids");
	assert_int_equal(ctd_pmu_facts_read(&facts), 0);
	return facts;
}

static void auto_does_without_what_was_found_to_lie(void **state)
{
	static const char *const want[] = {"perf_metrics", "gp_slots", "none"};
	struct ctd_pmu_facts facts = read_facts();

	(void)state;
	for (size_t i = 0; i < COUNT(want); i++) {
		struct ctd_counter_plan plan = {0};

		assert_int_equal(ctd_pmu_plan(&facts, "auto", 0, false, true, &plan), 0);
		assert_string_equal(plan.source, want[i]);
		ctd_pmu_pass_over(&facts, plan.source, CTD_LACK_TRUST);
	}
}

static void where_nothing_counts_it_is_said_why_and_what_to_do(void **state)
{
	static const struct {
		int line;
		enum ctd_source_lack perf_metrics, general_purpose;
		bool watchdog, pinned;
		const char *want;
	} cases[] = {
		{__LINE__, CTD_LACK_TRUST, CTD_LACK_TRUST, false, true,
		 "what this machine's PMU counts is not to be trusted: CPU time only; --source sim shows simulated slots"},
		{__LINE__, CTD_LACK_OPENING, CTD_LACK_TRUST, false, true,
		 "the kernel does not open this machine's counters: CPU time only; --source sim shows simulated slots"},
		{__LINE__, CTD_LACK_FREE_COUNTERS, CTD_LACK_TRUST, false, true,
		 "another program holds this machine's counters: CPU time only; end other profilers, or share with --no-pin"},
		{__LINE__, CTD_LACK_TRUST, CTD_LACK_FREE_COUNTERS, true, true,
		 "another program holds this machine's counters: CPU time only; end other profilers, set kernel.nmi_watchdog to 0, or share with --no-pin"},
		{__LINE__, CTD_LACK_FREE_COUNTERS, CTD_LACK_FREE_COUNTERS, false, false,
		 "another program holds this machine's counters: CPU time only; end other profilers"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_pmu_facts facts = read_facts();
		struct ctd_counter_plan plan = {0};

		facts.nmi_watchdog = cases[i].watchdog;
		ctd_pmu_pass_over(&facts, "perf_metrics", cases[i].perf_metrics);
		ctd_pmu_pass_over(&facts, "gp_slots", cases[i].general_purpose);
		assert_int_equal(ctd_pmu_plan(&facts, "auto", 0, false, cases[i].pinned, &plan), 0);
		if (strcmp(plan.source, "none") != 0 || strcmp(plan.why, cases[i].want) != 0)
			fail_msg("line %d: %s: '%s'", cases[i].line, plan.source, plan.why);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(auto_does_without_what_was_found_to_lie),
		cmocka_unit_test(where_nothing_counts_it_is_said_why_and_what_to_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
