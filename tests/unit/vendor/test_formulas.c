/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_formulas.c - metrics of vendors are computed from counts, or say why they cannot be. */
#include <errno.h>
#include <math.h>

#include "unit/vendor/files.h"
#include "vendor/reference.h"
#include "vendor/table.h"

static const struct ctd_vendor_machine machine = {1, 6, 2e9, 8, 0};
static const struct {
	const char *name;
	uint64_t config;
	const char *pmu, *lack;
	double latency;
} events[] = {
	{"A.ONE", 0x1a1, NULL, NULL, NAN},    {"A.TWO", 0x2a1, NULL, NULL, 7.5},
	{"CHA.READS", 0, "CHA", NULL, NAN},   {"BROKEN", 0, NULL, "it is odd", NAN},
	{"OCR.READ", 0x12a, NULL, NULL, NAN},
};

static struct ctd_vendor_table table;
static struct ctd_vendor_set *set;
static struct ctd_vendor_cpu cpu;

static int make_table(void **state)
{
	(void)state;
	cpu = cpu_of("GenuineIntel-6-97-2", "cpu_core");
	if (ctd_vendor_table_new(&table))
		return -1;
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++) {
		struct ctd_vendor_event event = {.name = events[i].name,
						 .description = "",
						 .config = events[i].config,
						 .pmu = events[i].pmu,
						 .lack = events[i].lack,
						 .latency = events[i].latency};

		if (ctd_vendor_add_event(&table, "file", &event))
			return -1;
	}
	return 0;
}

static int free_table(void **state)
{
	(void)state;
	ctd_vendor_set_free(set);
	set = NULL;
	ctd_vendor_table_free(&table);
	return 0;
}

static void add(const char *name, const char *expression, const char *threshold)
{
	assert_int_equal(ctd_vendor_add_metric(&table,
					       &(struct ctd_vendor_metric){
						       .name = name,
						       .description = "",
						       .expression = expression,
						       .threshold = threshold,
						       .unit = "",
						       .groups = "",
						       .sample_with = "",
						       .next = "",
						       .constraint = "",
						       .no_group = "",
						       .show_events = "",
						       .parent_name = "",
						       .file = "file",
						       .parent = -1,
					       }),
			 0);
}

static void compile(void)
{
	assert_int_equal(ctd_vendor_set_new(&table, &cpu, &machine, &set), 0);
}

static void assert_lack(const char *name, enum ctd_vendor_lack lack, const char *text)
{
	int metric = ctd_vendor_find_metric(&table, name);
	const char *why;

	assert_true(metric >= 0);
	if (ctd_vendor_set_lack(set, (size_t)metric, &why) != lack ||
	    (text && (!why || !strstr(why, text))))
		fail_msg("%s: %d, %s", name, ctd_vendor_set_lack(set, (size_t)metric, &why), why);
}

static void metrics_are_values_in_metrics_in_any_order(void **state)
{
	double values[16];
	bool needed[8] = {false};
	size_t count;
	const struct ctd_vendor_count *counts;

	(void)state;
	add("share", "part / whole", "share > 0.4 & whole > 100");
	add("part", "A.ONE + 0 * duration_time", "");
	add("whole", "A.ONE + A.TWO * #THREADS_PER_CORE", "whole > 500");
	add("rate", "A.TWO / duration_time", "");
	compile();
	counts = ctd_vendor_set_counts(set, &count);
	assert_int_equal(count, 2);
	assert_int_equal(ctd_vendor_set_room(set), 4 + 1 + 2);
	ctd_vendor_evaluate(set, (const double[]){100, 50}, 2, values);
	assert_string_equal(counts[0].name, "A.ONE");
	assert_true(values[0] == 0.5 && values[1] == 100 && values[2] == 200 && values[3] == 25);
	assert_true(ctd_vendor_hot(set, 0, values) == 1);
	assert_true(ctd_vendor_hot(set, 2, values) == 0);
	assert_true(isnan(ctd_vendor_hot(set, 1, values)));
	ctd_vendor_set_needs(set, 0, needed);
	assert_true(needed[0] && needed[1]);
	memset(needed, 0, sizeof(needed));
	ctd_vendor_set_needs(set, 3, needed);
	assert_true(!needed[0] && needed[1]);
	/* A count that was not made is no data, and not 0. */
	ctd_vendor_evaluate(set, (const double[]){NAN, 50}, 2, values);
	assert_true(isnan(values[0]) && isnan(ctd_vendor_hot(set, 0, values)));
	assert_true(values[3] == 25);
}

static void circles_are_found_and_cost_only_their_members(void **state)
{
	double values[16];

	(void)state;
	add("self", "self + 1", "");
	add("a", "b + 1", "");
	add("b", "c * 2", "");
	add("c", "a / 3", "");
	add("user", "a + 1", "");
	add("good", "A.ONE", "");
	compile();
	assert_lack("self", CTD_VENDOR_CYCLE, "it needs self");
	assert_lack("a", CTD_VENDOR_CYCLE, NULL);
	assert_lack("b", CTD_VENDOR_CYCLE, NULL);
	assert_lack("c", CTD_VENDOR_CYCLE, "it needs a, which needs it in turn");
	assert_lack("user", CTD_VENDOR_CYCLE, NULL);
	assert_lack("good", CTD_VENDOR_COMPUTED, NULL);
	ctd_vendor_evaluate(set, (const double[]){3}, 1, values);
	assert_true(isnan(values[0]) && values[5] == 3);
}

/* Hyper-threading is on. */
static void what_a_constant_leaves_out_has_no_effect(void **state)
{
	double values[16];

	(void)state;
	add("a", "A.ONE if #SMT_on else b", "");
	add("b", "a + 1", "");
	add("measured", "A.ONE if #SMT_on else A.TWO:R", "");
	add("assumed", "A.TWO:R if #SMT_on else A.ONE", "");
	add("looked_up", "A.ONE if #SMT_on else source_count(NO.SUCH)", "");
	add("not_found", "A.ONE if source_count(NO.SUCH) > 1 else 1", "");
	compile();
	for (const char *const *name =
		     (const char *const[]){"a", "b", "measured", "looked_up", NULL};
	     *name; name++)
		assert_lack(*name, CTD_VENDOR_COMPUTED, NULL);
	assert_lack("not_found", CTD_VENDOR_NO_EVENT, "no file has the event NO.SUCH");
	assert_false(ctd_vendor_set_needs_latency(set, 2));
	assert_true(ctd_vendor_set_needs_latency(set, 3));
	ctd_vendor_evaluate(set, (const double[]){3, 5}, 1, values);
	assert_true(values[0] == 3 && values[1] == 4 && values[2] == 3);
}

static void what_cannot_be_computed_says_why(void **state)
{
	(void)state;
	add("uncore", "CHA.READS / 2", "");
	add("unknown_uncore", "UNC_M_CAS.RD", "");
	add("pmu", "uncore_cha_0@event\\=0x1@", "");
	add("sleep", "cstate_core@c6\\-residency@", "");
	add("ticks", "A.ONE / msr@tsc\\,cpu=cpu_core@", "");
	add("tsc", "A.ONE / TSC", "");
	add("other", "cpu_atom@A.ONE@", "");
	add("both", "A.ONE:percore", "");
	add("absent", "NO.SUCH + 1", "");
	add("broken", "BROKEN + 1", "");
	add("late", "A.ONE:R", "");
	add("odd", "A.ONE + + 2", "");
	add("modifier", "A.ONE:zz", "");
	add("part", "cpu@A.ONE\\,wrong\\=1@", "");
	add("large", "cpu@A.ONE\\,cmask\\=256@", "");
	add("literal", "#nobody", "");
	add("within", "1 + uncore", "wrong +");
	compile();
	assert_lack("uncore", CTD_VENDOR_OTHER_PMU, "another PMU, CHA");
	assert_lack("unknown_uncore", CTD_VENDOR_OTHER_PMU, "uncore");
	assert_lack("pmu", CTD_VENDOR_OTHER_PMU, "uncore");
	assert_lack("sleep", CTD_VENDOR_OTHER_PMU, "asleep");
	assert_lack("ticks", CTD_VENDOR_OF_SYSTEM, "time-stamp counter");
	assert_lack("tsc", CTD_VENDOR_OF_SYSTEM, "time-stamp counter");
	assert_lack("other", CTD_VENDOR_OTHER_PMU, "another core type");
	assert_lack("both", CTD_VENDOR_BOTH_THREADS, "both threads");
	assert_lack("absent", CTD_VENDOR_NO_EVENT, "no file has the event NO.SUCH");
	assert_lack("broken", CTD_VENDOR_NO_EVENT, "BROKEN: it is odd");
	assert_lack("late", CTD_VENDOR_NO_LATENCY, "A.ONE:R");
	assert_lack("odd", CTD_VENDOR_MALFORMED, "byte 9 of its formula");
	assert_lack("modifier", CTD_VENDOR_MALFORMED, "modifier");
	assert_lack("part", CTD_VENDOR_MALFORMED, "'wrong' is nothing that an event has");
	assert_lack("large", CTD_VENDOR_MALFORMED, "too large");
	assert_lack("literal", CTD_VENDOR_MALFORMED, "#nobody is unknown");
	assert_lack("within", CTD_VENDOR_OTHER_PMU, "another PMU, CHA");
	assert_non_null(strstr(ctd_vendor_set_threshold_lack(set, 16), "there is no 'wrong'"));
}

static void every_form_of_an_event_has_its_encoding(void **state)
{
	static const struct {
		const char *name;
		uint64_t config, config1;
		bool user, kernel;
	} cases[] = {
		{"A.ONE", 0x1a1, 0, false, false},
		{"a.one", 0x1a1, 0, false, false},
		{"cpu@A.ONE,cmask=1,edge@", 0x10401a1, 0, false, false},
		{"cpu_core@A.ONE,inv,cmask=0x4@", 0x48001a1, 0, false, false},
		{"cpu@A.ONE,umask=0x3fc@", 0x3000000fca1, 0, false, false},
		{"cpu@event=0xa1,umask=0x2,config1=0x99@", 0x2a1, 0x99, false, false},
		{"cpu_core@A.ONE@k", 0x1a1, 0, false, true},
		{"cpu_core@topdown-fe-bound@", 0x8200, 0, false, false},
		{"PERF_METRICS.BACKEND_BOUND", 0x8300, 0, false, false},
		{"OCR.READ@offcore_rsp=0x103b800002@", 0x12a, 0x103b800002, false, false},
		{"OCR.READ:ocr_msr_val=0x104", 0x12a, 0x104, false, false},
		{"A.ONE:c2:e1:i1", 0x28401a1, 0, false, false},
		{"A.ONE:u0xfc", 0xfca1, 0, false, false},
		{"A.ONE:u", 0x1a1, 0, true, false},
		{"A.ONE:SUP", 0x1a1, 0, false, true},
		{"A.ONE:USER", 0x1a1, 0, true, false},
		{"A.ONE:perf_metrics", 0x1a1, 0, false, false},
		{"cycles-ct", 0x30000003c, 0, false, false},
		{"cycles", 0x3c, 0, false, false},
	};
	const struct ctd_reference_scope scope = {&table, &cpu, &machine};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_reference reference;

		ctd_reference_find(&scope, cases[i].name, &reference);
		if (reference.kind != CTD_REFERENCE_COUNT ||
		    reference.count.config != cases[i].config ||
		    reference.count.config1 != cases[i].config1 ||
		    reference.count.user_only != cases[i].user ||
		    reference.count.kernel_only != cases[i].kernel)
			fail_msg("%s: %d %#llx %#llx %s", cases[i].name, reference.kind,
				 (unsigned long long)reference.count.config,
				 (unsigned long long)reference.count.config1, reference.why);
	}
}

static void arms_codes_are_of_16_bits(void **state)
{
	const struct ctd_reference_scope scope = {&table, &cpu, &machine};
	struct ctd_reference reference;

	(void)state;
	table.arm = true;
	ctd_reference_find(&scope, "armv8_pmuv3_0@event=0x8158@", &reference);
	assert_int_equal(reference.kind, CTD_REFERENCE_COUNT);
	assert_int_equal(reference.count.config, 0x8158);
	ctd_reference_find(&scope, "armv8_pmuv3_0@event=0x18158@", &reference);
	assert_int_equal(reference.kind, CTD_REFERENCE_LACK);
	ctd_reference_find(&scope, "topdown-retiring", &reference);
	assert_int_equal(reference.lack, CTD_VENDOR_NO_EVENT);
}

static void latencies_are_the_vendors_means_and_said_to_be(void **state)
{
	double values[8];

	(void)state;
	add("late", "A.ONE * A.TWO:R", "");
	add("later", "late + cpu_core@A.TWO@R", "");
	add("now", "A.ONE", "");
	compile();
	assert_lack("later", CTD_VENDOR_COMPUTED, NULL);
	assert_true(ctd_vendor_set_needs_latency(set, 0));
	assert_true(ctd_vendor_set_needs_latency(set, 1));
	assert_false(ctd_vendor_set_needs_latency(set, 2));
	ctd_vendor_evaluate(set, (const double[]){2}, 1, values);
	assert_true(values[1] == 2 * 7.5 + 7.5);
}

static void what_depends_on_the_machine_is_known(void **state)
{
	double values[16];

	(void)state;
	add("smt", "#SMT_on", "");
	add("core_wide", "#core_wide", "");
	add("slots", "#slots", "");
	add("tsx", "cycles\\-t if has_event(cycles\\-t) else 0", "");
	add("none", "7 if has_event(NO.SUCH) else 8", "");
	add("cpuid", "strcmp_cpuid_str(GenuineIntel\\-6\\-97)", "");
	add("packages", "#num_packages", "");
	add("ms", "DURATIONTIMEINSECONDS + #DURATIONTIMEINMILLISECONDS", "");
	compile();
	ctd_vendor_evaluate(set, (const double[]){40}, 3, values);
	assert_true(values[0] == 1 && values[1] == 0 && values[2] == 6);
	assert_true(values[3] == 40 && values[4] == 8 && values[5] == 1);
	assert_true(isnan(values[6]) && values[7] == 3003);
}

static void metrics_that_need_metrics_without_end_are_refused(void **state)
{
	static char names[200][8], texts[200][16];

	(void)state;
	for (int i = 0; i < 200; i++) {
		snprintf(names[i], sizeof(names[i]), "m%d", i);
		snprintf(texts[i], sizeof(texts[i]), "m%d + m%d", i + 1, i + 1);
		add(names[i], i == 199 ? "A.ONE" : texts[i], "");
	}
	compile();
	assert_lack("m0", CTD_VENDOR_MALFORMED, "metrics need metrics");
	assert_lack("m199", CTD_VENDOR_COMPUTED, NULL);
}

int main(void)
{
#define WITH_TABLE(test) cmocka_unit_test_setup_teardown(test, make_table, free_table)
	const struct CMUnitTest tests[] = {
		WITH_TABLE(metrics_are_values_in_metrics_in_any_order),
		WITH_TABLE(circles_are_found_and_cost_only_their_members),
		WITH_TABLE(what_a_constant_leaves_out_has_no_effect),
		WITH_TABLE(what_cannot_be_computed_says_why),
		WITH_TABLE(every_form_of_an_event_has_its_encoding),
		WITH_TABLE(arms_codes_are_of_16_bits),
		WITH_TABLE(latencies_are_the_vendors_means_and_said_to_be),
		WITH_TABLE(what_depends_on_the_machine_is_known),
		WITH_TABLE(metrics_that_need_metrics_without_end_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
