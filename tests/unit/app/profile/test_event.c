/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_event.c - which event is sampled for what was asked for, on which cores, or why none is. */
#include "app/profile/event.h"

#include <errno.h>

#include "base/root.h"
#include "unit/pmu/capture.h"
#include "unit/vendor/files.h"

static struct tree tree;
static struct ctd_event_choice choice;
static struct capture said;

/* The kernel refuses this, 0: all. */
static uint64_t refused;
static int refusal;

static int try_core(const struct ctd_pmu_facts *facts, int cpu, struct ctd_sampled_core *core)
{
	(void)facts;
	(void)cpu; /* recorded machines do not say which are online */
	core->precision = core->event.type == 1 ? CTD_PRECISION_SOFTWARE : CTD_PRECISION_EXACT;
	return core->event.type != 1 && (!refused || core->event.config == refused) ? refusal : 0;
}

static int begin(void **state)
{
	(void)state;
	tree_new(&tree);
	put(&tree, "/x86/mapfile.csv",
	    "Family-model,Version,Filename,EventType\n"
	    "GenuineIntel-6-8F,v1,rapid,core\n"
	    "GenuineIntel-6-97,v1,hybrid,core\n");
	put(&tree, "/x86/rapid/events.json",
	    "[{\"EventName\": \"L3.MISS\", \"EventCode\": \"0xd1\", \"UMask\": \"0x20\","
	    "  \"SampleAfterValue\": \"100007\", \"PEBS\": \"1\"},"
	    " {\"EventName\": \"L3.HIT\", \"EventCode\": \"0xd1\", \"UMask\": \"0x4\","
	    "  \"SampleAfterValue\": \"50021\"},"
	    " {\"EventName\": \"CLKS\", \"EventCode\": \"0x3c\"}]");
	put(&tree, "/x86/rapid/metrics.json",
	    "[{\"MetricName\": \"tma_backend_bound\", \"MetricGroup\": \"TopdownL1\","
	    "  \"MetricExpr\": \"CLKS\", \"BriefDescription\": \"Without.\"},"
	    " {\"MetricName\": \"tma_memory_bound\", \"MetricExpr\": \"CLKS\","
	    "  \"MetricGroup\": \"TopdownL2;tma_backend_bound_group\","
	    "  \"BriefDescription\": \"Waits. Sample with: L3.GONE;L3.MISS_PS;L3.HIT. And\"},"
	    " {\"MetricName\": \"tma_l3_bound\", \"MetricExpr\": \"CLKS\","
	    "  \"MetricGroup\": \"TopdownL3;tma_memory_bound_group\","
	    "  \"BriefDescription\": \"Waits. Sample with: L3.HIT\"},"
	    " {\"MetricName\": \"tma_info_beside\", \"MetricExpr\": \"CLKS\","
	    "  \"BriefDescription\": \"Beside. Sample with: L3.GONE\"}]");
	put(&tree, "/x86/hybrid/events.json",
	    "[{\"Unit\": \"cpu_core\", \"EventName\": \"BOTH\", \"EventCode\": \"0x11\","
	    "  \"SampleAfterValue\": \"1000\"},"
	    " {\"Unit\": \"cpu_atom\", \"EventName\": \"BOTH\", \"EventCode\": \"0x22\","
	    "  \"SampleAfterValue\": \"3000\"},"
	    " {\"Unit\": \"cpu_core\", \"EventName\": \"LARGE\", \"EventCode\": \"0x33\","
	    "  \"SampleAfterValue\": \"5000\"}]");
	return 0;
}

static int end(void **state)
{
	(void)state;
	tree_free(&tree);
	return 0;
}

static int choose_on(const char *machine, const struct ctd_options *options)
{
	int error;

	ctd_root_set(machine);
	capture_begin(&said);
	error = ctd_event_choose_with(try_core, options, &choice);
	capture_end(&said);
	ctd_root_set(NULL);
	refused = 0;
	refusal = 0;
	return error;
}

static int choose(const char *event, const char *node, bool has_files)
{
	const struct ctd_options options = {
		.source = "auto",
		.metrics_dir = has_files ? tree.root : NULL,
		.profile = {.event = event, .node = node},
	};

	return choose_on("tests/machines/sapphire_rapids", &options);
}

static void assert_event(const char *name, uint64_t config, uint64_t period)
{
	if (strcmp(choice.event.name, name) != 0 ||
	    choice.event.core_types[0].event.config != config || choice.event.period != period)
		fail_msg("'%s', %#llx, %llu, and said: %s", choice.event.name,
			 (unsigned long long)choice.event.core_types[0].event.config,
			 (unsigned long long)choice.event.period, said.text);
}

static void assert_said(const char *text)
{
	if (!strstr(said.text, text))
		fail_msg("said: %s", said.text);
}

static void events_have_the_period_of_their_vendor(void **state)
{
	(void)state;
	assert_int_equal(choose("L3.MISS", NULL, true), 0);
	assert_event("L3.MISS", 0x20d1, 100007);
	assert_string_equal(choice.options.source, "none");
	assert_null(choice.options.metrics_dir);
	assert_int_equal(ctd_event_of_stacks(&choice.event).precision, CTD_PRECISION_EXACT);
	assert_int_equal(ctd_event_of_stacks(&choice.event).core_types, 1);
	/* The kernel takes it all the same. */
	assert_int_equal(choose("L3.HIT", NULL, true), 0);
	assert_int_equal(choice.event.core_types[0].precision, CTD_PRECISION_EXACT);
	assert_int_equal(ctd_event_of_stacks(&choice.event).precision, CTD_PRECISION_SKID);
	assert_int_equal(choose("page-faults", NULL, true), 0);
	assert_event("page-faults", 2, 1);
	/* The counters are free for slots. */
	assert_string_equal(choice.options.source, "auto");
	assert_int_equal(ctd_event_of_stacks(&choice.event).precision, CTD_PRECISION_SOFTWARE);
	assert_int_equal(choose(NULL, NULL, false), 0);
	assert_string_equal(choice.event.name, "");
}

static void events_that_are_none_are_refused(void **state)
{
	(void)state;
	assert_int_equal(choose("L3.MISS", NULL, false), -ENOENT);
	assert_said("--event L3.MISS: the kernel has no such event; those of the vendor are in its "
		    "files: see --metrics-dir");
	assert_int_equal(choose("NO.SUCH", NULL, true), -ENOENT);
	assert_said("--event NO.SUCH: no file has the event NO.SUCH");
	refusal = -EACCES;
	assert_int_equal(choose("L3.MISS", NULL, true), -EACCES);
	assert_said("--event L3.MISS: perf_event_open: Permission denied - run as root or with "
		    "CAP_PERFMON");
}

static void the_first_that_the_kernel_takes_is_sampled_for_a_node(void **state)
{
	(void)state;
	assert_int_equal(choose(NULL, "memory_bound", true), 0);
	assert_event("L3.MISS_PS", 0x20d1, 100007);
	refused = 0x20d1;
	refusal = -EINVAL;
	assert_int_equal(choose(NULL, "tma_memory_bound", true), 0);
	assert_event("L3.HIT", 0x4d1, 50021);
	assert_null(choice.options.sort);
}

static void windows_are_taken_where_no_event_can_be(void **state)
{
	(void)state;
	refusal = -EOPNOTSUPP;
	assert_int_equal(choose(NULL, "tma_memory_bound", true), 0);
	assert_string_equal(choice.event.name, "");
	assert_string_equal(choice.options.sort, "memory_bound");
	assert_int_equal(choice.options.level, 2);
	assert_string_equal(choice.options.source, "auto");
	assert_said("L3.MISS_PS is not sampled: perf_event_open: Operation not supported - its PMU "
		    "sends no interrupts");
	assert_said("CPU time is, in windows, sorted by memory_bound");
	/* The built-in tree has its parent. */
	refusal = -EOPNOTSUPP;
	assert_int_equal(choose(NULL, "l3_bound", true), 0);
	assert_string_equal(choice.options.sort, "memory_bound");
	assert_int_equal(choose(NULL, "backend_bound", true), 0);
	assert_said("the vendor names no event to sample for tma_backend_bound");
	assert_string_equal(choice.options.sort, "backend_bound");
	assert_int_equal(choice.options.level, 0);
	assert_int_equal(choose(NULL, "memory_bound", false), 0);
	assert_said("which event to sample for it is in the vendor's files: see --metrics-dir");
	assert_string_equal(choice.options.sort, "memory_bound");
}

static void nodes_that_no_tree_has_are_refused(void **state)
{
	(void)state;
	assert_int_equal(choose(NULL, "no_such", true), -ENODEV);
	assert_said("--node no_such: the files have no such metric, and the built-in tree has no "
		    "such node either");
	assert_int_equal(choose(NULL, "info_beside", true), -ENODEV);
	assert_said("--node info_beside: L3.GONE: no file has the event L3.GONE");
}

static void each_core_type_has_its_own_code(void **state)
{
	struct ctd_options options = {.source = "auto", .metrics_dir = tree.root};
	const struct ctd_sampled_core *cores = choice.event.core_types;

	(void)state;
	options.profile.event = "BOTH";
	assert_int_equal(choose_on("tests/machines/alder_lake", &options), 0);
	assert_true(cores[0].there && cores[1].there);
	assert_int_equal(cores[0].event.config, 0x11);
	assert_int_equal(cores[1].event.config, 0x22);
	assert_true(cores[0].event.type != cores[1].event.type);
	/* One for all, so that samples are worth the same. */
	assert_int_equal(choice.event.period, 3000);
	options.core = "cpu_atom";
	assert_int_equal(choose_on("tests/machines/alder_lake", &options), 0);
	assert_true(!cores[0].there && cores[1].there);
	options.core = NULL;
	options.profile.event = "LARGE";
	options.profile.period = 7;
	assert_int_equal(choose_on("tests/machines/alder_lake", &options), 0);
	assert_true(cores[0].there && !cores[1].there);
	assert_int_equal(ctd_event_of_stacks(&choice.event).core_types, 1);
	assert_said(
		"LARGE is not sampled on E-core: no file has the event LARGE: what runs there is in no figure");
	assert_int_equal(choice.event.period, 7);
	options.core = "cpu_lowpower";
	assert_int_equal(choose_on("tests/machines/alder_lake", &options), -ENODEV);
	assert_said("--core cpu_lowpower: this machine has no such PMU");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_have_the_period_of_their_vendor),
		cmocka_unit_test(events_that_are_none_are_refused),
		cmocka_unit_test(the_first_that_the_kernel_takes_is_sampled_for_a_node),
		cmocka_unit_test(windows_are_taken_where_no_event_can_be),
		cmocka_unit_test(nodes_that_no_tree_has_are_refused),
		cmocka_unit_test(each_core_type_has_its_own_code),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
