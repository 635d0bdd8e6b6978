/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_rotation.c - vendors' metrics are put into groups that their core can count. */
#include "vendor/rotation.h"

#include <errno.h>
#include <math.h>

#include "unit/vendor/files.h"
#include "vendor/table.h"

#define INTEL "GenuineIntel-6-8F-4"
#define AMD "AuthenticAMD-25-11-1"
#define ARM "0x00000000410fd4f1"
#define GENERAL(count) ((UINT64_C(1) << (count)) - 1)
#define FIXED(number) (UINT64_C(1) << (CTD_PACK_FIXED + (number)))

static struct ctd_vendor_table table;
static struct ctd_vendor_set *set;
static struct ctd_vendor_rotation rotation;
static char why[CTD_VENDOR_WHY_BYTES];

static int new_table(void **state)
{
	(void)state;
	return ctd_vendor_table_new(&table);
}

static int free_table(void **state)
{
	(void)state;
	ctd_vendor_rotation_free(&rotation);
	ctd_vendor_set_free(set);
	set = NULL;
	ctd_vendor_table_free(&table);
	return 0;
}

static void add_event(const char *name, uint64_t config, uint64_t config1, uint64_t counters,
		      bool alone)
{
	const struct ctd_vendor_event event = {.name = name,
					       .description = "",
					       .config = config,
					       .config1 = config1,
					       .counters = counters,
					       .fixed_counter = -1,
					       .taken_alone = alone,
					       .latency = NAN};

	assert_int_equal(ctd_vendor_add_event(&table, "file", &event), 0);
}

static void add_metric(const char *name, const char *expression, const char *groups, int level)
{
	const struct ctd_vendor_metric metric = {.name = name,
						 .description = "",
						 .expression = expression,
						 .threshold = "",
						 .scale = 1,
						 .unit = "",
						 .groups = groups,
						 .sample_with = "",
						 .next = "",
						 .constraint = "",
						 .no_group = "",
						 .show_events = "",
						 .parent_name = "",
						 .parent = -1,
						 .level = level,
						 .file = "file"};

	assert_int_equal(ctd_vendor_add_metric(&table, &metric), 0);
}

static int plan(const char *id, const char *names, int level, bool watchdog)
{
	const struct ctd_vendor_machine machine = {1, 6, NAN, NAN, 0};
	const struct ctd_vendor_wish wish = {.names = names, .level = level, .watchdog = watchdog};
	const struct ctd_vendor_cpu cpu = cpu_of(id, "");

	if (!set)
		assert_int_equal(ctd_vendor_set_new(&table, &cpu, &machine, &set), 0);
	ctd_vendor_rotation_free(&rotation);
	return ctd_vendor_rotation_make(&table, &cpu, set, &wish, &rotation, why);
}

static int group_of(const char *metric)
{
	int index = ctd_vendor_metric_named(&table, metric);

	for (size_t i = 0; i < rotation.metrics_count; i++)
		if ((int)rotation.metrics[i] == index)
			return rotation.pack.group_of[i];
	fail_msg("%s is not planned", metric);
	return -1;
}

static bool counts(const char *event)
{
	for (size_t i = 0; i < rotation.pack.groups_count; i++)
		for (size_t at = 0; at < rotation.pack.groups[i].events_count; at++)
			if (strcmp(ctd_vendor_rotation_count(&rotation,
							     rotation.pack.groups[i].events[at])
					   ->name,
				   event) == 0)
				return true;
	return false;
}

static const char *leader(size_t group)
{
	return ctd_vendor_rotation_count(&rotation, rotation.pack.groups[group].events[0])->name;
}

static void add_intel(void)
{
	table.general_counters = 2;
	add_event("CLKS", 0x3c, 0, 0, false);
	add_event("A", 0x1a1, 0, 3, false);
	add_event("B", 0x2a1, 0, 3, false);
	add_event("C", 0x3a1, 0, 1, false);
	add_event("FE.ONE", 0x3c6, 0x11, 3, true);
	add_event("FE.TWO", 0x3c6, 0x12, 3, true);
	add_metric("tma_a", "A / CLKS", "TopdownL1", 1);
	add_metric("tma_b", "B / CLKS", "TopdownL2;Mem", 2);
	add_metric("tma_c", "C / CLKS", "TopdownL2;mem", 2);
	add_metric("tma_abc", "(A + B + C) / CLKS", "", 0);
	add_metric("tma_fe", "(FE.ONE + FE.TWO) / CLKS", "", 0);
}

/* Of several core types each has what it has of the names; all lack what none knows. */
static void what_another_core_type_may_have_is_passed_over(void **state)
{
	static const struct {
		int line;
		const char *names;
		int level, want;
		size_t metrics;
		const char *why;
	} cases[] = {
		{__LINE__, "tma_a,other", 0, 0, 1, NULL},
		{__LINE__, "other,Mem", 0, 0, 2, NULL},
		{__LINE__, "other", 2, 0, 3, NULL},
		{__LINE__, "other", 0, -ENOENT, 0, "there is no metric or group 'other'"},
		{__LINE__, "tma_uncore", 0, -ENOENT, 0,
		 "nothing that is asked for can be computed"},
		{__LINE__, "other,tma_uncore", 0, -ENOENT, 0, "nothing that is asked for can be"},
		{__LINE__, ",", 0, -ENOENT, 0, "',' names no metric"},
	};
	const struct ctd_vendor_machine machine = {1, 6, NAN, NAN, 0};
	const struct ctd_vendor_cpu cpu = cpu_of(INTEL, "cpu_core");

	(void)state;
	add_intel();
	add_metric("tma_uncore", "UNC_CHA_CLOCKTICKS", "", 3);
	assert_int_equal(ctd_vendor_set_new(&table, &cpu, &machine, &set), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct ctd_vendor_wish wish = {
			.names = cases[i].names, .level = cases[i].level, .partly = true};
		int r;

		*why = 0;
		ctd_vendor_rotation_free(&rotation);
		r = ctd_vendor_rotation_make(&table, &cpu, set, &wish, &rotation, why);
		if (r != cases[i].want || rotation.metrics_count != cases[i].metrics ||
		    (cases[i].why && !strstr(why, cases[i].why)))
			fail_msg("line %d: %d, %zu metrics, %s", cases[i].line, r,
				 rotation.metrics_count, why);
	}
	assert_true(ctd_vendor_knows(&table, "a") && ctd_vendor_knows(&table, "MEM"));
	assert_false(ctd_vendor_knows(&table, "other"));
}

static void each_metric_is_in_one_group_with_its_cycles(void **state)
{
	(void)state;
	add_intel();
	assert_int_equal(plan(INTEL, NULL, 2, false), 0);
	assert_int_equal(rotation.metrics_count, 3);
	assert_int_equal(rotation.pack.groups_count, 2);
	assert_int_equal(rotation.alone_groups, 3);
	assert_string_equal(leader(0), "CLKS");
	assert_string_equal(leader(1), "CLKS");
	assert_int_equal(rotation.core.counters, GENERAL(2) | FIXED(0) | FIXED(1) | FIXED(2));
}

static void names_are_of_metrics_or_groups(void **state)
{
	(void)state;
	add_intel();
	assert_int_equal(plan(INTEL, "a,MEM", 0, false), 0);
	assert_int_equal(rotation.metrics_count, 3);
	assert_int_equal(plan(INTEL, "tma_b", 1, false), 0);
	assert_int_equal(rotation.metrics_count, 2);
	assert_int_equal(plan(INTEL, NULL, 0, false), 0);
	assert_int_equal(rotation.metrics_count, 5);
	assert_int_equal(plan(INTEL, "a,nothing", 0, false), -ENOENT);
	assert_string_equal(why, "there is no metric or group 'nothing'");
	assert_int_equal(plan(INTEL, ",", 2, false), -ENOENT);
	assert_string_equal(why, "',' names no metric");
}

static void what_does_not_fit_says_why(void **state)
{
	struct ctd_strbuf text = {0};

	(void)state;
	add_intel();
	assert_int_equal(plan(INTEL, "tma_abc", 0, false), 0);
	assert_int_equal(group_of("tma_abc"), -1);
	ctd_vendor_rotation_add_lack(&rotation, 0, &text);
	assert_non_null(strstr(text.text, "than the 2 general-purpose ones"));
	ctd_strbuf_free(&text);
	assert_int_equal(plan(INTEL, "tma_fe", 0, false), 0);
	ctd_vendor_rotation_add_lack(&rotation, 0, &text);
	assert_non_null(strstr(text.text, "the one register"));
	ctd_strbuf_free(&text);
}

static void the_watchdog_takes_a_counter_of_each_group(void **state)
{
	(void)state;
	add_intel();
	assert_int_equal(plan(INTEL, "tma_a,tma_b", 0, false), 0);
	assert_int_equal(rotation.pack.groups_count, 1);
	/* Cycles move to one of the two that others would have. */
	assert_int_equal(plan(INTEL, "tma_a,tma_b", 0, true), 0);
	assert_int_equal(rotation.pack.groups_count, 2);
	assert_int_equal(rotation.core.counters, GENERAL(2) | FIXED(0) | FIXED(2));
}

static void parts_of_perf_metrics_are_counted_under_slots(void **state)
{
	(void)state;
	add_intel();
	add_metric("tma_retiring", "topdown\\-retiring / slots", "", 0);
	assert_int_equal(plan(INTEL, "retiring,tma_a,tma_b", 0, true), 0);
	assert_true(rotation.perf_metrics);
	/* Slots have a counter of their own, and cycles, which the watchdog has the counter of, are
	 * on one of the two others, in each of two groups. */
	assert_string_equal(leader(0), "slots");
	assert_string_equal(leader(1), "slots");
	assert_true(group_of("retiring") >= 0);
	assert_int_equal(rotation.pack.groups_count, 2);
}

static void amds_cores_have_six_and_no_fixed_ones(void **state)
{
	(void)state;
	add_event("ls_not_halted_cyc", 0x76, 0, 0, false);
	add_event("flops", 0xf03, 0, 0, false);
	add_event("ops", 0xc1, 0, 0, false);
	add_event("x1", 0x1aa, 0, 0, false);
	add_event("x2", 0x2aa, 0, 0, false);
	add_event("x3", 0x3aa, 0, 0, false);
	add_metric("four", "(ops + x1 + x2 + flops) / ls_not_halted_cyc", "", 0);
	add_metric("five", "(ops + x1 + x2 + x3 + flops) / ls_not_halted_cyc", "", 0);
	assert_int_equal(plan(AMD, NULL, 0, false), 0);
	assert_int_equal(rotation.core.counters, GENERAL(6));
	assert_false(rotation.counters_said);
	assert_string_equal(leader(0), "ls_not_halted_cyc");
	/* Cycles, three others, and two counters for the large increments. */
	assert_int_equal(group_of("four"), 0);
	assert_int_equal(group_of("five"), -1);
	assert_int_equal(plan(AMD, NULL, 0, true), 0);
	assert_int_equal(rotation.core.counters, GENERAL(5));
	assert_int_equal(rotation.pack.groups_count, 0);
}

static void arms_cycles_have_a_counter_of_their_own(void **state)
{
	(void)state;
	table.arm = true;
	add_event("CPU_CYCLES", 0x11, 0, 0, false);
	for (int i = 0; i < 7; i++) {
		static const char *const names[] = {"E0", "E1", "E2", "E3", "E4", "E5", "E6"};

		add_event(names[i], 0x20 + (uint64_t)i, 0, 0, false);
	}
	add_metric("six", "(E0 + E1 + E2 + E3 + E4 + E5) / CPU_CYCLES", "", 0);
	add_metric("seven", "(E0 + E1 + E2 + E3 + E4 + E5 + E6) / CPU_CYCLES", "", 0);
	assert_int_equal(plan(ARM, NULL, 0, false), 0);
	assert_int_equal(group_of("six"), 0);
	assert_int_equal(group_of("seven"), -1);
	assert_int_equal(plan(ARM, "six", 0, true), 0);
	assert_int_equal(group_of("six"), -1);
}

static void a_condition_of_constants_counts_one_side_only(void **state)
{
	(void)state;
	add_intel();
	add_metric("cond", "(A if #SMT_on else B + MISSING) / CLKS", "", 0);
	add_metric("nested", "cond if #core_wide < 1 else C", "", 0);
	add_metric("other", "A if #SMT_on < 1 else MISSING", "", 0);
	add_metric("counted", "A if CLKS > 1 else B", "", 0);
	assert_int_equal(plan(INTEL, "nested", 0, false), 0);
	assert_true(counts("A"));
	assert_false(counts("B"));
	assert_false(counts("C"));
	assert_int_equal(ctd_vendor_set_lack(set, (size_t)ctd_vendor_find_metric(&table, "other"),
					     NULL),
			 CTD_VENDOR_NO_EVENT);
	assert_int_equal(plan(INTEL, "counted", 0, false), 0);
	assert_true(counts("A") && counts("B"));
	assert_int_equal(plan(INTEL, "other", 0, false), -ENOENT);
	assert_string_equal(why, "nothing that is asked for can be computed here");
}

static void parts_of_perf_metrics_that_a_constant_leaves_out_need_no_slots(void **state)
{
	(void)state;
	add_intel();
	add_metric("cond", "topdown\\-retiring if #SMT_on < 1 else A / CLKS", "", 0);
	assert_int_equal(plan(INTEL, "cond", 0, false), 0);
	assert_false(rotation.perf_metrics);
	assert_string_equal(leader(0), "CLKS");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, new_table, free_table)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_another_core_type_may_have_is_passed_over),
		TEST(each_metric_is_in_one_group_with_its_cycles),
		TEST(names_are_of_metrics_or_groups),
		TEST(what_does_not_fit_says_why),
		TEST(the_watchdog_takes_a_counter_of_each_group),
		TEST(parts_of_perf_metrics_are_counted_under_slots),
		TEST(amds_cores_have_six_and_no_fixed_ones),
		TEST(arms_cycles_have_a_counter_of_their_own),
		TEST(a_condition_of_constants_counts_one_side_only),
		TEST(parts_of_perf_metrics_that_a_constant_leaves_out_need_no_slots),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
