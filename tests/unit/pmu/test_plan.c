/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_plan.c - the source that is chosen on each machine, and what is said about it. */
#include <cgtopdown/counters.h>

#include <errno.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/root.h"
#include "capture.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct ctd_pmu_facts facts_of(const char *machine)
{
	static char root[128];
	struct ctd_pmu_facts facts;

	snprintf(root, sizeof(root), "tests/machines/%s", machine);
	ctd_root_set(root);
	assert_int_equal(ctd_pmu_facts_read(&facts), 0);
	return facts;
}

static void the_machine_and_the_wish_decide(void **state)
{
	static const struct {
		int line;
		const char *machine, *source;
		int level;
		const char *want_source, *want_model;
		int want_events;
		enum ctd_read want_read;
		const char *want_why;
	} cases[] = {
		{__LINE__, "sapphire_rapids", "auto", 0, "perf_metrics", "golden_cove", 9,
		 CTD_READ_LEADER, "level 2"},
		{__LINE__, "sapphire_rapids", "auto", 1, "perf_metrics", "golden_cove", 5,
		 CTD_READ_LEADER, "level 1"},
		{__LINE__, "sapphire_rapids", "perf_metrics", 2, "perf_metrics", "golden_cove", 9,
		 CTD_READ_LEADER, "level 2"},
		{__LINE__, "ice_lake", "auto", 0, "perf_metrics", "sunny_cove", 5, CTD_READ_LEADER,
		 "level 1"},
		{__LINE__, "ice_lake", "auto", 2, "perf_metrics", "sunny_cove", 5, CTD_READ_LEADER,
		 "level 2 is not in sysfs"},
		{__LINE__, "alder_lake", "auto", 0, "perf_metrics", "golden_cove", 9,
		 CTD_READ_LEADER, "level 2"},
		{__LINE__, "sapphire_rapids", "gp_slots", 0, "gp_slots", "golden_cove_gp", 9,
		 CTD_READ_EACH, "level 2, each read by itself"},
		{__LINE__, "sapphire_rapids", "gp_slots", 1, "gp_slots", "golden_cove_gp", 5,
		 CTD_READ_EACH, "level 1"},
		{__LINE__, "alder_lake", "gp_slots", 2, "gp_slots", "golden_cove_gp", 9,
		 CTD_READ_EACH, "level 2"},
		{__LINE__, "ice_lake", "gp_slots", 0, "gp_slots", "sunny_cove_gp", 6, CTD_READ_EACH,
		 "level 1"},
		{__LINE__, "ice_lake", "gp_slots", 2, "gp_slots", "sunny_cove_gp", 6, CTD_READ_EACH,
		 "level 1 (there is no level 2 of this source)"},
		{__LINE__, "kvm_guest", "auto", 0, "gp_slots", "golden_cove_gp", 5, CTD_READ_EACH,
		 "level 1 (level 2 takes 9 general-purpose counters, the core has 8)"},
		{__LINE__, "kvm_guest", "gp_slots", 1, "gp_slots", "golden_cove_gp", 5,
		 CTD_READ_EACH, "level 1, each"},
		{__LINE__, "skylake", "auto", 1, "core_events", "skylake", 5, CTD_READ_EACH,
		 "general-purpose counters of skylake, level 1, each"},
		{__LINE__, "skylake", "core_events", 1, "core_events", "skylake", 5, CTD_READ_EACH,
		 "level 1"},
		{__LINE__, "skylake_smt", "auto", 1, "core_events", "skylake_smt", 5, CTD_READ_EACH,
		 "general-purpose counters of skylake_smt, level 1, each"},
		{__LINE__, "skylake_smt", "core_events", 1, "core_events", "skylake_smt", 5,
		 CTD_READ_EACH, "level 1"},
		{__LINE__, "sierra_forest", "auto", 0, "atom", "crestmont", 9, CTD_READ_EACH,
		 "crestmont, level 2, each"},
		{__LINE__, "sierra_forest", "atom", 1, "atom", "crestmont", 5, CTD_READ_EACH,
		 "crestmont, level 1, each"},
		{__LINE__, "zen4", "auto", 0, "zen_dispatch", "zen4", 5, CTD_READ_EACH,
		 "level 1 without smt_contention (the NMI watchdog holds one of the counters), "
		 "each"},
		{__LINE__, "zen5", "auto", 0, "zen_dispatch", "zen5", 6, CTD_READ_EACH,
		 "zen5, level 1, each"},
		{__LINE__, "zen5", "zen_dispatch", 2, "zen_dispatch", "zen5", 6, CTD_READ_EACH,
		 "level 2 in 4 groups that rotate, each"},
		{__LINE__, "neoverse_v1", "auto", 0, "arm_slots", "neoverse_v1", 7, CTD_READ_EACH,
		 "general-purpose counters of neoverse_v1, level 1"},
		{__LINE__, "neoverse_v2", "auto", 0, "arm_slots", "neoverse_v2", 7, CTD_READ_EACH,
		 "level 1, each read by itself"},
		{__LINE__, "neoverse_v2", "arm_slots", 2, "arm_slots", "neoverse_v2", 7,
		 CTD_READ_EACH, "level 1 (there is no level 2 of this source)"},
		{__LINE__, "neoverse_n2", "auto", 0, "arm_slots", "neoverse_n2", 7, CTD_READ_EACH,
		 "level 1"},
		{__LINE__, "cobalt_100", "auto", 0, "arm_slots", "neoverse_n2_r0p0", 7,
		 CTD_READ_EACH, "level 1"},
		{__LINE__, "ampereone", "auto", 0, "arm_slots", "ampereone", 4, CTD_READ_EACH,
		 "general-purpose counters of ampereone, level 1"},
		{__LINE__, "ampereone", "auto", 2, "arm_slots", "ampereone", 6, CTD_READ_EACH,
		 "level 2 in 4 groups that rotate"},
		{__LINE__, "olympus", "auto", 0, "arm_slots", "olympus", 6, CTD_READ_EACH,
		 "general-purpose counters of olympus, level 1"},
		{__LINE__, "kunpeng_920", "auto", 0, "arm_slots", "kunpeng_920", 4, CTD_READ_EACH,
		 "general-purpose counters of kunpeng_920, level 1"},
		{__LINE__, "panther_lake", "auto", 0, "perf_metrics", "cougar_cove", 9,
		 CTD_READ_LEADER, "level 2"},
		{__LINE__, "neoverse_n1", "auto", 0, "arm_cycles", "neoverse_n1", 3, CTD_READ_EACH,
		 "general-purpose counters of neoverse_n1, level 1"},
		{__LINE__, "arm64_guest", "arm_cycles", 1, "arm_cycles", "neoverse_n1", 3,
		 CTD_READ_EACH, "level 1"},
		{__LINE__, "neoverse_v1_guest", "auto", 0, "none", NULL, 0, CTD_READ_NONE,
		 "'armv8_pmuv3_0' does not offer stall_slot, which neoverse_v1 takes: CPU time only"},
		{__LINE__, "big_little", "auto", 0, "none", NULL, 0, CTD_READ_NONE,
		 "'armv8_cortex_a53' has no slots and topdown-* events: CPU time only"},
		{__LINE__, "no_pmu", "auto", 0, "none", NULL, 0, CTD_READ_NONE,
		 "no core PMU in /sys/bus/event_source/devices: CPU time only; --source sim shows "
		 "simulated slots"},
		{__LINE__, "sapphire_rapids", "none", 0, "none", NULL, 0, CTD_READ_NONE,
		 "no counters were asked for"},
		{__LINE__, "sapphire_rapids", "sim", 0, "sim", "sim", 9, CTD_READ_SIM, "simulated"},
		{__LINE__, "no_pmu", "sim", 1, "sim", "sim", 5, CTD_READ_SIM, "simulated"},
		{__LINE__, "no_pmu", "sim", 2, "sim", "sim", 9, CTD_READ_SIM, "simulated"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_pmu_facts facts = facts_of(cases[i].machine);
		struct ctd_counter_plan plan = {0};
		int err = ctd_pmu_plan(&facts, cases[i].source, cases[i].level, false, true, &plan);
		bool metrics = strcmp(cases[i].want_source, "perf_metrics") == 0;
		bool counted = cases[i].want_read == CTD_READ_EACH ||
			       cases[i].want_read == CTD_READ_LEADER;
		const char *model = plan.model ? plan.model->name : "none";

		if (err || strcmp(plan.source, cases[i].want_source) ||
		    strcmp(model, cases[i].want_model ? cases[i].want_model : "none") ||
		    plan.events_count != cases[i].want_events || plan.read != cases[i].want_read ||
		    !strstr(plan.why, cases[i].want_why) || plan.topdown_refresh != metrics ||
		    plan.pinned != counted || plan.simulated != (plan.read == CTD_READ_SIM))
			fail_msg("line %d: %d, %s, %s, %d events, read %d, '%s'", cases[i].line,
				 err, plan.source, model, plan.events_count, plan.read, plan.why);
	}
}

static void configs_come_from_sysfs(void **state)
{
	struct ctd_pmu_facts facts = facts_of("sapphire_rapids");
	static const uint64_t want[] = {0x400,	0x8000, 0x8100, 0x8200, 0x8300,
					0x8400, 0x8500, 0x8600, 0x8700};
	struct ctd_counter_plan plan;

	(void)state;
	assert_int_equal(ctd_pmu_plan(&facts, "auto", 0, false, true, &plan), 0);
	assert_string_equal(plan.events[0].name, "slots");
	for (size_t i = 0; i < COUNT(want); i++) {
		assert_int_equal(plan.events[i].type, 4);
		assert_int_equal(plan.events[i].config, want[i]);
	}
}

static void cores_before_perf_metrics_are_counted_by_code(void **state)
{
	static const struct {
		const char *machine;
		uint64_t want[5];
	} cases[] = {
		{"skylake", {0x3c, 0x19c, 0x10e, 0x2c2, 0x10d}},
		{"skylake_smt", {0x3c, 0x23c, 0x13c, 0x2c2, 0x19c}},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_pmu_facts facts = facts_of(cases[i].machine);
		struct ctd_counter_plan plan;

		assert_int_equal(ctd_pmu_plan(&facts, "auto", 1, false, true, &plan), 0);
		for (size_t event = 0; event < COUNT(cases[i].want); event++) {
			assert_int_equal(plan.events[event].type, 4);
			assert_int_equal(plan.events[event].config, cases[i].want[event]);
		}
	}
}

static const char *model_of(const struct ctd_pmu_facts *facts)
{
	struct ctd_counter_plan plan;

	assert_int_equal(ctd_pmu_plan(facts, "auto", 1, false, true, &plan), 0);
	return plan.model ? plan.model->name : "none";
}

static void every_core_before_perf_metrics_has_a_model_for_either_state(void **state)
{
	static const struct {
		int line;
		unsigned int model, stepping;
		const char *alone, *shared;
	} cases[] = {
		{__LINE__, 0x2a, 7, "sandy_bridge", "sandy_bridge_smt"},
		{__LINE__, 0x2d, 7, "sandy_bridge", "sandy_bridge_smt"},
		{__LINE__, 0x3a, 9, "ivy_bridge", "sandy_bridge_smt"},
		{__LINE__, 0x3e, 4, "ivy_bridge", "sandy_bridge_smt"},
		{__LINE__, 0x3c, 3, "haswell", "sandy_bridge_smt"},
		{__LINE__, 0x3f, 2, "haswell", "sandy_bridge_smt"},
		{__LINE__, 0x45, 1, "haswell", "sandy_bridge_smt"},
		{__LINE__, 0x46, 1, "haswell", "sandy_bridge_smt"},
		{__LINE__, 0x3d, 4, "broadwell", "sandy_bridge_smt"},
		{__LINE__, 0x47, 1, "broadwell", "sandy_bridge_smt"},
		{__LINE__, 0x4f, 1, "broadwell", "sandy_bridge_smt"},
		{__LINE__, 0x56, 3, "broadwell", "sandy_bridge_smt"},
		{__LINE__, 0x4e, 3, "skylake", "skylake_smt"},
		{__LINE__, 0x55, 4, "skylake", "skylake_smt"},
		{__LINE__, 0x55, 7, "skylake", "skylake_smt"}, /* Cascade Lake */
		{__LINE__, 0x55, 11, "skylake", "skylake_smt"}, /* Cooper Lake */
		{__LINE__, 0x5e, 3, "skylake", "skylake_smt"},
		{__LINE__, 0x8e, 10, "skylake", "skylake_smt"},
		{__LINE__, 0x9e, 13, "skylake", "skylake_smt"},
		{__LINE__, 0xa5, 2, "skylake", "skylake_smt"},
		{__LINE__, 0xa6, 0, "skylake", "skylake_smt"},
		{__LINE__, 0x2c, 2, "none", "none"}, /* Westmere */
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_pmu_facts facts = facts_of("skylake");
		const char *alone, *shared;

		facts.id.model = cases[i].model;
		facts.id.stepping = cases[i].stepping;
		alone = model_of(&facts);
		facts.smt = true;
		shared = model_of(&facts);
		if (strcmp(alone, cases[i].alone) || strcmp(shared, cases[i].shared))
			fail_msg("line %d: %s and %s", cases[i].line, alone, shared);
	}
}

static void gp_slots_has_the_leader_that_sysfs_offers_and_codes_besides(void **state)
{
	static const struct {
		int line;
		const char *machine, *want_leader;
		uint64_t want[6];
	} cases[] = {
		{__LINE__, "sapphire_rapids", "slots", {0x400, 0x2c2, 0x19c, 0x10ad, 0x2a4, 0x1c2}},
		{__LINE__, "ice_lake", "slots", {0x400, 0x2c2, 0x19c, 0x100d, 0x2a4, 0x104010d}},
		{__LINE__, "kvm_guest", "topdown.slots_p", {0x1a4, 0x2c2, 0x19c, 0x10ad, 0x2a4}},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_pmu_facts facts = facts_of(cases[i].machine);
		struct ctd_counter_plan plan;

		assert_int_equal(ctd_pmu_plan(&facts, "gp_slots", 0, false, true, &plan), 0);
		assert_string_equal(plan.events[0].name, cases[i].want_leader);
		for (int event = 0; event < plan.events_count && event < 6; event++) {
			if (plan.events[event].config != cases[i].want[event] ||
			    plan.events[event].type != facts.type)
				fail_msg("line %d: event %d is %s", cases[i].line, event,
					 plan.events[event].name);
		}
	}
}

static const struct ctd_event *event_named(const struct ctd_counter_plan *plan, const char *name)
{
	for (int i = 0; i < plan->events_count; i++) {
		if (!strcmp(plan->events[i].name, name))
			return &plan->events[i];
	}
	return NULL;
}

/* A leader of cycles shares its counter with the watchdog; one of slots does not. */
static void the_nmi_watchdog_costs_the_last_event_where_it_is_in_the_way(void **state)
{
	static const struct {
		int line;
		const char *machine, *source;
		int level;
		bool watchdog;
		int want_events;
		const char *want_why, *want_last;
	} cases[] = {
		{__LINE__, "sierra_forest", "auto", 0, false, 9, "level 2, each",
		 "topdown_bad_speculation.machine_clears"},
		{__LINE__, "sierra_forest", "auto", 0, true, 8,
		 "level 2 without machine_clears (the NMI watchdog holds one of the counters)",
		 "topdown_bad_speculation.mispredict"},
		{__LINE__, "sierra_forest", "auto", 1, true, 5, "level 1, each",
		 "topdown_bad_speculation.all_p"},
		{__LINE__, "zen5", "auto", 1, true, 5, "level 1 without smt_contention (the NMI",
		 "ex_ret_ops"},
		{__LINE__, "zen4", "auto", 0, false, 6, "zen4, level 1, each",
		 "de_no_dispatch_per_slot.smt_contention"},
		{__LINE__, "sapphire_rapids", "gp_slots", 0, false, 9, "level 2, each",
		 "topdown.memory_bound_slots"},
		{__LINE__, "sapphire_rapids", "gp_slots", 0, true, 9, "level 2, each",
		 "topdown.memory_bound_slots"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_pmu_facts facts = facts_of(cases[i].machine);
		struct ctd_counter_plan plan = {0};
		int err;

		facts.nmi_watchdog = cases[i].watchdog;
		err = ctd_pmu_plan(&facts, cases[i].source, cases[i].level, false, true, &plan);
		if (err || plan.events_count != cases[i].want_events ||
		    !strstr(plan.why, cases[i].want_why) ||
		    event_named(&plan, cases[i].want_last) != &plan.events[plan.events_count - 1])
			fail_msg("line %d: %d, %d events, '%s'", cases[i].line, err,
				 plan.events_count, plan.why);
	}
}

/* The architecture's, whatever names an older kernel has for them. */
static void arm_events_are_opened_by_their_codes(void **state)
{
	static const struct {
		int line;
		const char *machine;
		uint64_t want[7];
	} cases[] = {
		{__LINE__, "neoverse_v1", {0x11, 0x3f, 0x3e, 0x3d, 0x3a, 0x3b, 0x10}},
		{__LINE__, "neoverse_n1", {0x11, 0x23, 0x24}},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_pmu_facts facts = facts_of(cases[i].machine);
		struct ctd_counter_plan plan;

		assert_int_equal(ctd_pmu_plan(&facts, "auto", 0, false, true, &plan), 0);
		for (int event = 0; event < plan.events_count; event++) {
			if (plan.events[event].config != cases[i].want[event] ||
			    plan.events[event].type != facts.type)
				fail_msg("line %d: event %d is %s", cases[i].line, event,
					 plan.events[event].name);
		}
	}
}

static void slots_that_the_pmu_tells_are_believed(void **state)
{
	struct ctd_pmu_facts facts = facts_of("neoverse_v2");
	struct ctd_counter_plan plan = {0};
	struct capture capture;

	(void)state;
	facts.slots_per_cycle = 10;
	assert_int_equal(ctd_pmu_plan(&facts, "auto", 0, false, true, &plan), 0);
	assert_string_equal(plan.source, "none");
	assert_non_null(strstr(plan.why, "the core PMU 'armv8_pmuv3_0' has 10 slots a cycle "
					 "(caps/slots), and not 8 as neoverse_v2: CPU time only"));
	capture_begin(&capture);
	assert_int_equal(ctd_pmu_plan(&facts, "arm_slots", 0, false, true, &plan), -ENODEV);
	assert_non_null(strstr(capture_end(&capture), "--source arm_slots: the core PMU"));
	/* Who counts cycles takes no slots from it. */
	facts = facts_of("neoverse_n1");
	facts.slots_per_cycle = 4;
	assert_int_equal(ctd_pmu_plan(&facts, "auto", 0, false, true, &plan), 0);
	assert_string_equal(plan.source, "arm_cycles");
}

/* A kernel that has no table for a processor puts events on counters that do not count them. */
static void a_kernel_that_does_not_know_the_processor_is_believed(void **state)
{
	struct ctd_pmu_facts facts = facts_of("skylake");
	struct ctd_counter_plan plan = {0};

	(void)state;
	snprintf(facts.caps_name, sizeof(facts.caps_name), "generic_arch_v2+");
	assert_int_equal(ctd_pmu_plan(&facts, "auto", 0, false, true, &plan), 0);
	assert_string_equal(plan.source, "none");
	assert_non_null(strstr(plan.why,
			       "this kernel does not know the events of the processor (its "
			       "cpu is generic_arch_v2+): CPU time only"));
}

/* Codes are of one design only. */
static void an_unknown_cpu_without_perf_metrics_has_no_source(void **state)
{
	struct ctd_pmu_facts facts = facts_of("kvm_guest");
	struct ctd_counter_plan plan;

	(void)state;
	snprintf(facts.vendor, sizeof(facts.vendor), "AuthenticAMD");
	assert_int_equal(ctd_pmu_plan(&facts, "auto", 0, false, true, &plan), 0);
	assert_string_equal(plan.source, "none");
	facts = facts_of("kvm_guest");
	facts.id.model = 1;
	assert_int_equal(ctd_pmu_plan(&facts, "auto", 0, false, true, &plan), 0);
	assert_string_equal(plan.source, "none");
	assert_non_null(strstr(plan.why, "'cpu' has no slots and topdown-* events in this virtual "
					 "machine: CPU time only"));
}

static void an_unknown_cpu_is_read_by_its_capabilities(void **state)
{
	static const struct {
		int line;
		const char *machine, *want_model;
		int want_events;
	} cases[] = {
		{__LINE__, "sapphire_rapids", "golden_cove", 9},
		{__LINE__, "ice_lake", "sunny_cove", 5},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_pmu_facts facts = facts_of(cases[i].machine);
		struct ctd_counter_plan plan = {0};
		int err;

		facts.id.family = 99;
		err = ctd_pmu_plan(&facts, "auto", 0, false, true, &plan);
		if (err || strcmp(plan.model->name, cases[i].want_model) ||
		    plan.events_count != cases[i].want_events ||
		    !strstr(plan.why, "CPU family 99 model") ||
		    !strstr(plan.why, "its capabilities decided"))
			fail_msg("line %d: %d, %s, %d events, '%s'", cases[i].line, err,
				 plan.model->name, plan.events_count, plan.why);
	}
}

/* Whatever is left out for want of counters, no turn is without slots or cycles. */
static void every_turn_has_its_leader(void **state)
{
	static const char *const machines[] = {"skylake", "skylake_smt", "sierra_forest", "zen4",
					       "zen5"};
	int rotation = 0;

	(void)state;
	for (size_t i = 0; i < 2 * COUNT(machines); i++) {
		struct ctd_pmu_facts facts = facts_of(machines[i / 2]);
		struct ctd_counter_plan plan = {0};

		facts.nmi_watchdog = i % 2;
		assert_int_equal(ctd_pmu_plan(&facts, "auto", 2, false, true, &plan), 0);
		for (int group = 0; group < plan.groups_count; group++, rotation++) {
			const struct ctd_event *leader = &plan.events[group * plan.events_count];

			if (leader->type != facts.type || leader->config != plan.events[0].config)
				fail_msg("%s: turn %d of %d begins with %s", machines[i / 2], group,
					 plan.groups_count, leader->name);
		}
	}
	assert_in_range(rotation, 20, 40);
}

static void skylake_s_instructions_have_a_counter_of_their_own(void **state)
{
	struct ctd_pmu_facts facts = facts_of("skylake_smt");
	struct ctd_counter_plan plan = {0};

	(void)state;
	facts.nmi_watchdog = false;
	assert_int_equal(ctd_pmu_plan(&facts, "auto", 2, false, true, &plan), 0);
	assert_int_equal(plan.groups_count, 3);
	assert_string_equal(plan.events[2 * plan.events_count + plan.events_count - 1].name,
			    "inst_retired.any");
	assert_null(strstr(plan.why, "without"));
}

static void each_member_is_read_when_asked_for(void **state)
{
	struct ctd_pmu_facts facts = facts_of("ice_lake");
	struct ctd_counter_plan plan;

	(void)state;
	assert_int_equal(ctd_pmu_plan(&facts, "auto", 0, true, false, &plan), 0);
	assert_int_equal(plan.read, CTD_READ_EACH);
	assert_false(plan.pinned);
}

static void a_source_that_cannot_be_had_is_refused_with_a_reason(void **state)
{
	static const struct {
		int line;
		const char *machine, *source;
		int want;
		const char *want_said;
	} cases[] = {
		{__LINE__, "no_pmu", "perf_metrics", -ENODEV, "no core PMU in"},
		{__LINE__, "kvm_guest", "perf_metrics", -ENODEV, "in this virtual machine"},
		{__LINE__, "no_pmu", "gp_slots", -ENODEV, "gp_slots: no core PMU in"},
		{__LINE__, "skylake_smt", "gp_slots", -ENODEV, "0x55, hyper-threading on"},
		{__LINE__, "ice_lake", "core_events", -ENODEV, "core_events: it is not for"},
		{__LINE__, "sapphire_rapids", "atom", -ENODEV, "it is not for this CPU ("},
		{__LINE__, "alder_lake", "atom", -ENODEV, "it is not for this CPU ("},
		{__LINE__, "neoverse_v2", "gp_slots", -ENODEV, "it is not for this CPU (arm"},
		{__LINE__, "neoverse_v2", "arm_cycles", -ENODEV, "it is not for this CPU (arm"},
		{__LINE__, "neoverse_v1_guest", "arm_slots", -ENODEV,
		 "arm_slots: the core PMU 'armv8_pmuv3_0' does not offer stall_slot"},
		{__LINE__, "no_pmu", "", -EINVAL, "--source ''"},
		{__LINE__, "no_pmu", "pmu", -EINVAL, "--source 'pmu' is none of auto"},
		{__LINE__, "no_pmu", "software:0", -EINVAL, "software:0"},
		{__LINE__, "no_pmu", "software:17", -EINVAL, "software:17"},
		{__LINE__, "no_pmu", "software:", -EINVAL, "software:"},
		{__LINE__, "no_pmu", "software5", -EINVAL, "software5"},
		{__LINE__, "no_pmu", "software:123456789", -EINVAL, "software:1"},
		{__LINE__, "no_pmu", "software:2:follower", -EINVAL, "follower"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_pmu_facts facts = facts_of(cases[i].machine);
		struct ctd_counter_plan plan = {.events_count = 77};
		struct capture capture;
		const char *said;
		int err;

		capture_begin(&capture);
		err = ctd_pmu_plan(&facts, cases[i].source, 0, false, true, &plan);
		said = capture_end(&capture);
		if (err != cases[i].want || plan.events_count != 77 ||
		    !strstr(said, cases[i].want_said))
			fail_msg("line %d: %d, '%s'", cases[i].line, err, said);
	}
}

static void the_test_source_has_as_many_software_events_as_asked(void **state)
{
	static const struct {
		int line;
		const char *source;
		int want_events;
		enum ctd_read want_read;
	} cases[] = {
		{__LINE__, "software", 5, CTD_READ_EACH},
		{__LINE__, "software:1", 1, CTD_READ_EACH},
		{__LINE__, "software:16", 16, CTD_READ_EACH},
		{__LINE__, "software:leader", 5, CTD_READ_LEADER},
		{__LINE__, "software:9:leader", 9, CTD_READ_LEADER},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_pmu_facts facts = {0};
		struct ctd_counter_plan plan = {0};
		int err = ctd_pmu_plan(&facts, cases[i].source, 0, false, true, &plan);

		if (err || plan.model || plan.events_count != cases[i].want_events ||
		    plan.read != cases[i].want_read || strcmp(plan.source, "software"))
			fail_msg("line %d: %d, %d events, read %d", cases[i].line, err,
				 plan.events_count, plan.read);
		for (int j = 0; j < plan.events_count; j++) {
			bool clock = plan.events[j].config == PERF_COUNT_SW_CPU_CLOCK;

			if (plan.events[j].type != PERF_TYPE_SOFTWARE || clock != (j % 9 == 1))
				fail_msg("line %d: event %d is %s", cases[i].line, j,
					 plan.events[j].name);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_machine_and_the_wish_decide),
		cmocka_unit_test(configs_come_from_sysfs),
		cmocka_unit_test(cores_before_perf_metrics_are_counted_by_code),
		cmocka_unit_test(every_core_before_perf_metrics_has_a_model_for_either_state),
		cmocka_unit_test(gp_slots_has_the_leader_that_sysfs_offers_and_codes_besides),
		cmocka_unit_test(the_nmi_watchdog_costs_the_last_event_where_it_is_in_the_way),
		cmocka_unit_test(arm_events_are_opened_by_their_codes),
		cmocka_unit_test(slots_that_the_pmu_tells_are_believed),
		cmocka_unit_test(a_kernel_that_does_not_know_the_processor_is_believed),
		cmocka_unit_test(an_unknown_cpu_without_perf_metrics_has_no_source),
		cmocka_unit_test(an_unknown_cpu_is_read_by_its_capabilities),
		cmocka_unit_test(every_turn_has_its_leader),
		cmocka_unit_test(skylake_s_instructions_have_a_counter_of_their_own),
		cmocka_unit_test(each_member_is_read_when_asked_for),
		cmocka_unit_test(a_source_that_cannot_be_had_is_refused_with_a_reason),
		cmocka_unit_test(the_test_source_has_as_many_software_events_as_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
