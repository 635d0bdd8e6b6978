/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_vendor.c - metrics of vendors' files are listed and explained. */
#include "app/explain/vendor.h"

#include <jansson.h>

#include "app/options/options.h"
#include "base/auto.h"
#include "base/root.h"
#include "unit/pmu/capture.h"
#include "unit/vendor/files.h"

static struct tree tree;

static int make_tree(void **state)
{
	(void)state;
	tree_new(&tree);
	put_perf(&tree);
	put_perfmon(&tree);
	put_arm(&tree);
	return 0;
}

static int remove_tree(void **state)
{
	(void)state;
	tree_free(&tree);
	return 0;
}

/* What is printed, the caller's. */
static char *show(struct ctd_options options, FILE *of, int want)
{
	struct capture capture;
	char *text;
	int status;

	options.colour = "never";
	options.metrics_dir = tree.root;
	capture_begin_on(&capture, of);
	status = ctd_vendor_main(&options, options.json	     ? ctd_vendor_show_json
					   : options.plan    ? ctd_vendor_show_plan
					   : options.explain ? ctd_vendor_show_metric
							     : ctd_vendor_show_list);
	text = capture_take(&capture);
	assert_int_equal(status, want);
	return text;
}

static void expect(const char *text, const char *what)
{
	if (!strstr(text, what))
		fail_msg("'%s' is not in:\n%s", what, text);
}

static void all_metrics_are_listed_parts_below_their_wholes(void **state)
{
	autofree char *text =
		show((struct ctd_options){.cpuid = INTEL_ID, .what = "metrics"}, stdout, 0);

	(void)state;
	expect(text, "Metrics of Linux' perf for GenuineIntel-6-8F-4");
	expect(text, " and 4 metrics, of which 3 can be");
	expect(text, "\nnot computed are 1 of other PMUs than the core's.");
	expect(text,
	       "\n  tma_backend_bound\n      Level 1, in %; worth a look where tma_backend_bound > 0.2; groups\n"
	       "      TopdownL1; counts 2 events\n    tma_memory_bound\n");
	expect(text,
	       "\n  uncore\n      Beside the tree; not computed here: UNC_CHA_CLOCKTICKS is of another PMU,");
}

static void a_metric_is_explained_with_all_that_it_counts(void **state)
{
	autofree char *text =
		show((struct ctd_options){.cpuid = INTEL_ID, .explain = "memory_bound"}, stdout, 0);

	(void)state;
	expect(text, "tma_memory_bound\n  Waits. Sample with");
	expect(text, "\nIn the tree\n  tma_backend_bound\n    > tma_memory_bound\n");
	expect(text, "\n  Sample with: MEM.L3, MEM.STALLS\n");
	expect(text, "\n  tma_memory_bound = cpu@MEM.STALLS\\,cmask\\=0x10@ / tma_clks\n"
		     "    tma_clks = CPU_CLK_UNHALTED.THREAD\n");
	expect(text,
	       "\n  cpu@MEM.STALLS,cmask=0x10@: config 0x100014a3, counters 0 1 2 3, counted alone\n");
	expect(text, "\n  CPU_CLK_UNHALTED.THREAD: config 0x3c, fixed counter 1\n");
}

static void groups_are_shown_with_what_is_counted_in_them(void **state)
{
	autofree char *text =
		show((struct ctd_options){.cpuid = INTEL_ID, .plan = true}, stdout, 0);

	(void)state;
	expect(text,
	       "Rotation of 3 metrics of Linux' perf for GenuineIntel-6-8F-4\n"
	       "2 groups, each metric counted 50 % of the time; as perf groups metrics it would\n"
	       "be 2. 8 general-purpose counters; fixed 0 1 2 3.\n");
	expect(text, "tma_backend_bound");
	expect(text, "\n      by CPU_CLK_UNHALTED.THREAD, MEM.STALLS\n");
	expect(text, "\n      by CPU_CLK_UNHALTED.THREAD, cpu@MEM.STALLS,cmask=0x10@\n");
}

static void groups_are_of_what_is_asked_for(void **state)
{
	autofree char *text = show(
		(struct ctd_options){.cpuid = INTEL_ID, .plan = true, .metrics = "memory_bound"},
		stdout, 0);
	autofree char *refused =
		show((struct ctd_options){.cpuid = INTEL_ID, .plan = true, .metrics = "nothing"},
		     stderr, 1);

	(void)state;
	expect(text, "Rotation of 1 metric of");
	expect(refused, "--plan: there is no metric or group 'nothing'");
}

static void programs_get_the_same_as_json(void **state)
{
	autofree char *text =
		show((struct ctd_options){.cpuid = INTEL_ID, .json = true}, stdout, 0);
	autofree char *one = show(
		(struct ctd_options){.cpuid = INTEL_ID, .json = true, .explain = "memory_bound"},
		stdout, 0);
	autofree char *rotation = show(
		(struct ctd_options){.cpuid = INTEL_ID, .json = true, .plan = true, .level = 1},
		stdout, 0);
	json_t *all = json_loads(text, 0, NULL), *explained = json_loads(one, 0, NULL),
	       *planned = json_loads(rotation, 0, NULL), *core, *metric, *plan, *group;

	(void)state;
	core = json_array_get(json_object_get(all, "cores"), 0);
	assert_string_equal(json_string_value(json_object_get(all, "schema")),
			    "cgtopdown/vendor-metrics/1");
	assert_string_equal(json_string_value(json_object_get(core, "cpu")), INTEL_ID);
	assert_int_equal(json_array_size(json_object_get(core, "metrics")), 4);
	core = json_array_get(json_object_get(explained, "cores"), 0);
	assert_int_equal(json_array_size(json_object_get(core, "metrics")), 1);
	metric = json_array_get(json_object_get(core, "metrics"), 0);
	assert_string_equal(json_string_value(json_object_get(metric, "name")), "tma_memory_bound");
	assert_string_equal(json_string_value(json_object_get(metric, "parent")),
			    "tma_backend_bound");
	assert_true(json_is_true(json_object_get(metric, "computed")));
	assert_int_equal(json_array_size(json_object_get(metric, "events")), 2);
	core = json_array_get(json_object_get(planned, "cores"), 0);
	plan = json_object_get(core, "plan");
	assert_int_equal(json_array_size(json_object_get(plan, "groups")), 1);
	group = json_array_get(json_object_get(plan, "groups"), 0);
	assert_string_equal(json_string_value(json_array_get(json_object_get(group, "metrics"), 0)),
			    "tma_backend_bound");
	json_decref(all);
	json_decref(explained);
	json_decref(planned);
}

static void what_cannot_be_computed_is_explained_too(void **state)
{
	autofree char *text =
		show((struct ctd_options){.cpuid = INTEL_ID, .explain = "uncore"}, stdout, 0);

	(void)state;
	expect(text, "It cannot be computed here: UNC_CHA_CLOCKTICKS is of another PMU, CHA");
}

static void what_there_is_not_has_a_message(void **state)
{
	autofree char *near =
		show((struct ctd_options){.cpuid = INTEL_ID, .explain = "uncoer"}, stderr, 1);
	autofree char *far =
		show((struct ctd_options){.cpuid = INTEL_ID, .explain = "quux"}, stderr, 1);
	autofree char *other = show((struct ctd_options){.cpuid = "GenuineIntel-6-1"}, stderr, 1);
	autofree char *none = show(
		(struct ctd_options){.cpuid = "GenuineIntel-6-97", .core = "cpu_atom"}, stderr, 1);

	(void)state;
	expect(near, "perhaps 'uncore' is meant");
	expect(far, "shows all");
	expect(other, "none is of GenuineIntel-6-1");
	expect(none, "have 1 events of GenuineIntel-6-97, PMU cpu_atom, and no metrics");
}

static void this_machines_cores_are_meant_where_none_is_named(void **state)
{
	autofree char *text = NULL, *none = NULL;

	(void)state;
	ctd_root_set("tests/machines/sapphire_rapids");
	text = show((struct ctd_options){.what = "metrics"}, stdout, 0);
	expect(text, "Linux' perf for GenuineIntel-6-8F-");
	none = show((struct ctd_options){.core = "cpu_atom"}, stderr, 1);
	expect(none, "--core cpu_atom: this machine has no such PMU");
	ctd_root_set(NULL);
}

static void put_core_types(void)
{
	put(&tree, "/hybrid/x86/mapfile.csv",
	    "Family-model,Version,Filename,EventType\n"
	    "GenuineIntel-6-C5,v1,here,core\n");
	put(&tree, "/hybrid/x86/here/events.json",
	    "[{\"Unit\": \"cpu_core\", \"EventName\": \"A\", \"EventCode\": \"0x11\"},"
	    " {\"Unit\": \"cpu_atom\", \"EventName\": \"A\", \"EventCode\": \"0x22\"}]");
	put(&tree, "/hybrid/x86/here/metrics.json",
	    "[{\"Unit\": \"cpu_core\", \"MetricName\": \"both\", \"MetricExpr\": \"A / 2\"},"
	    " {\"Unit\": \"cpu_core\", \"MetricName\": \"of_p\", \"MetricExpr\": \"A / 4\"},"
	    " {\"Unit\": \"cpu_atom\", \"MetricName\": \"both\", \"MetricExpr\": \"A / 8\"}]");
}

/* Low-power E-cores have nothing here. */
static void each_core_type_has_its_own_and_is_named(void **state)
{
	static const struct {
		int line;
		struct ctd_options options;
		int status;
		const char *want[3], *said;
	} cases[] = {
		{__LINE__,
		 {.what = "metrics"},
		 0,
		 {"for GenuineIntel-6-C5-2, cpu_core\n", "for GenuineIntel-6-C5-2, cpu_atom\n"},
		 "its files have 0 events of GenuineIntel-6-C5-2, PMU cpu_lowpower, and no metrics"},
		{__LINE__,
		 {.explain = "both"},
		 0,
		 {"both, cpu_core\n", "config 0x11", "both, cpu_atom\n"},
		 NULL},
		{__LINE__,
		 {.explain = "of_p"},
		 0,
		 {"of_p, cpu_core\n"},
		 "cpu_atom: the files of --metrics-dir have no metric 'of_p'"},
		{__LINE__,
		 {.plan = true, .metrics = "of_p,both"},
		 0,
		 {"2 metrics of Linux' perf for GenuineIntel-6-C5-2, cpu_core\n",
		  "1 metric of Linux' perf for GenuineIntel-6-C5-2, cpu_atom\n"},
		 "--plan: cpu_atom: there is no metric or group 'of_p'"},
		{__LINE__,
		 {.plan = true, .metrics = "of_p", .core = "cpu_atom"},
		 1,
		 {""},
		 "--plan: cpu_atom: there is no metric or group 'of_p'"},
		{__LINE__,
		 {.plan = true, .metrics = "both,nothing"},
		 1,
		 {"1 metric of Linux' perf for GenuineIntel-6-C5-2, cpu_core\n"},
		 "--plan: no core type has a metric or group 'nothing'"},
		{__LINE__,
		 {.plan = true, .metrics = "nothing"},
		 1,
		 {""},
		 "--plan: cpu_core: there is no metric or group 'nothing'"},
	};

	(void)state;
	put_core_types();
	ctd_root_set("tests/machines/arrow_lake_h");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		autofree char *text = show(cases[i].options, stdout, cases[i].status);
		autofree char *said = show(cases[i].options, stderr, cases[i].status);

		for (int at = 0; at < 3 && cases[i].want[at]; at++)
			if (!strstr(text, cases[i].want[at]))
				fail_msg("line %d: %s", cases[i].line, text);
		if (cases[i].said && !strstr(said, cases[i].said))
			fail_msg("line %d: %s", cases[i].line, said);
	}
	ctd_root_set(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_metrics_are_listed_parts_below_their_wholes),
		cmocka_unit_test(a_metric_is_explained_with_all_that_it_counts),
		cmocka_unit_test(groups_are_shown_with_what_is_counted_in_them),
		cmocka_unit_test(groups_are_of_what_is_asked_for),
		cmocka_unit_test(programs_get_the_same_as_json),
		cmocka_unit_test(what_cannot_be_computed_is_explained_too),
		cmocka_unit_test(what_there_is_not_has_a_message),
		cmocka_unit_test(this_machines_cores_are_meant_where_none_is_named),
		cmocka_unit_test(each_core_type_has_its_own_and_is_named),
	};

	return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
