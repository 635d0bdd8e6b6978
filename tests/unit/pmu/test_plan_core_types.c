/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_plan_core_types.c - a plan for each kind of cores. */
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
#include "capture.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct ctd_counter_plan plans[CTD_CORE_TYPES_MAX];

/* "SOURCE MODEL GROUPSxCOUNTERS" of each kind; @return the error, with what was said in @p said. */
static int plan(const char *machine_name, const char *source, int level, char text[256],
		const char **said)
{
	static struct ctd_machine machine;
	static struct capture capture;
	int core_types_count = 0, err;
	size_t bytes = 0;
	char root[128];

	snprintf(root, sizeof(root), "tests/machines/%s", machine_name);
	ctd_root_set(root);
	assert_int_equal(ctd_machine_read(&machine), 0);
	memset(plans, 0, sizeof(plans));
	capture_begin(&capture);
	err = ctd_machine_plan(&machine, source, level, false, true, plans, &core_types_count);
	*said = capture_end(&capture);
	text[0] = '\0';
	for (int core = 0; core < core_types_count; core++) {
		const struct ctd_counter_plan *of_core = &plans[core];

		bytes += (size_t)snprintf(text + bytes, 256 - bytes, "%s%s %s %dx%d",
					  core ? "; " : "", of_core->source,
					  of_core->model ? of_core->model->name : "-",
					  of_core->groups_count, of_core->counters_count);
	}
	return err;
}

static void each_kind_of_core_has_a_source_of_its_own(void **state)
{
	static const struct {
		int line;
		const char *machine, *source;
		int level;
		const char *want;
	} cases[] = {
		{__LINE__, "alder_lake", "auto", 0,
		 "perf_metrics golden_cove 1x9; atom gracemont 1x4"},
		{__LINE__, "alder_lake", "auto", 2,
		 "perf_metrics golden_cove 1x9; atom gracemont 2x6"},
		{__LINE__, "alder_lake", "gp_slots", 1, "gp_slots golden_cove_gp 1x5; none - 1x0"},
		{__LINE__, "alder_lake", "atom", 1, "none - 1x0; atom gracemont 1x4"},
		{__LINE__, "alder_lake", "none", 0, "none - 1x0"},
		{__LINE__, "alder_lake", "sim", 1, "sim sim 1x5"},
		{__LINE__, "alder_lake", "software:3", 0, "software - 1x3"},
		/* The NMI watchdog takes one from the E-cores. */
		{__LINE__, "arrow_lake_h", "auto", 0,
		 "perf_metrics lion_cove 1x9; atom skymont 1x8; atom crestmont 1x8"},
		{__LINE__, "panther_lake", "auto", 0,
		 "perf_metrics cougar_cove 1x9; atom darkmont 1x8"},
		{__LINE__, "big_little", "auto", 0, "none - 1x0"},
		{__LINE__, "sapphire_rapids", "auto", 0, "perf_metrics golden_cove 1x9"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *said;
		char text[256];
		int err = plan(cases[i].machine, cases[i].source, cases[i].level, text, &said);

		if (err || strcmp(text, cases[i].want))
			fail_msg("line %d: %d, '%s', '%s'", cases[i].line, err, text, said);
	}
}

static void a_kind_that_lacks_the_source_says_so(void **state)
{
	const char *said;
	char text[256];

	(void)state;
	assert_int_equal(plan("alder_lake", "atom", 0, text, &said), 0);
	assert_non_null(strstr(plans[0].why, "--source atom: it is not for this CPU"));
	assert_int_equal(plans[0].read, CTD_READ_NONE);
	assert_int_equal(plan("alder_lake", "core_events", 0, text, &said), -ENODEV);
	assert_non_null(strstr(said, "P-core: --source core_events: it is not for this CPU"));
	assert_non_null(strstr(said, "E-core: --source core_events: it is not for this CPU"));
}

static void all_are_of_one_width_that_count(void **state)
{
	const char *said;
	char text[256];

	(void)state;
	assert_int_equal(plan("alder_lake", "auto", 2, text, &said), 0);
	ctd_plans_pad(plans, 2);
	assert_int_equal(plans[0].events_count, 9);
	assert_int_equal(plans[1].events_count, 9);
	assert_int_equal(plans[1].counters_count, 6);
	assert_string_equal(plans[1].events[5].name, "topdown_be_bound.alloc_restrictions");
	assert_string_equal(plans[1].events[9 + 1].name, "topdown_bad_speculation.mispredict");
	for (int i = 0; i < 18; i++) {
		bool dummy = plans[1].events[i].type == PERF_TYPE_SOFTWARE;

		assert_int_equal(dummy, i % 9 >= (i < 9 ? 6 : 3));
		assert_int_equal(plans[1].events[i].config == PERF_COUNT_SW_DUMMY, dummy);
	}
	/* Who has none needs none. */
	assert_int_equal(plan("alder_lake", "gp_slots", 0, text, &said), 0);
	ctd_plans_pad(plans, 2);
	assert_int_equal(plans[1].events_count, 0);
}

/* Plans the IPC metrics of each kind, as the collector does, and pads. @return what is said of
 * kinds that have none. */
static void plan_ipc(const char *machine_name, const char *source, int level, char text[256])
{
	static struct ctd_machine machine;
	int core_types_count = 0;
	size_t bytes = 0;
	char root[128];

	snprintf(root, sizeof(root), "tests/machines/%s", machine_name);
	ctd_root_set(root);
	assert_int_equal(ctd_machine_read(&machine), 0);
	memset(plans, 0, sizeof(plans));
	assert_int_equal(ctd_machine_plan(&machine, source, level, false, true, plans,
					  &core_types_count),
			 0);
	text[0] = '\0';
	for (int core = 0; core < core_types_count; core++) {
		char why[160] = "";

		if (ctd_pmu_plan_ipc(&machine.core_types[core], &plans[core], why))
			bytes += (size_t)snprintf(text + bytes, 256 - bytes, "%s: %s;",
						  machine.core_types[core].core_name, why);
	}
	ctd_root_set(NULL);
	ctd_plans_pad(plans, core_types_count);
}

static void each_kind_of_core_counts_its_own_ipc_metrics(void **state)
{
	/* Of each kind: its groups, the events of a group, and the last group's. */
	static const struct {
		int line;
		const char *machine, *source;
		int level, width;
		struct {
			int groups;
			const char *events[6]; /* up to what counts nothing */
		} want[3];
		const char *said;
	} cases[] = {
		{__LINE__,
		 "alder_lake",
		 "auto",
		 1,
		 5,
		 {{2,
		   {"slots", "cpu_clk_unhalted.thread", "inst_retired.any",
		    "br_misp_retired.all_branches", "longest_lat_cache.miss"}},
		  {2,
		   {"cpu_clk_unhalted.core", "inst_retired.any", "br_misp_retired.all_branches",
		    "longest_lat_cache.miss"}}},
		 ""},
		{__LINE__,
		 "alder_lake",
		 "auto",
		 2,
		 9,
		 {{2,
		   {"slots", "cpu_clk_unhalted.thread", "inst_retired.any",
		    "br_misp_retired.all_branches", "longest_lat_cache.miss"}},
		  {3,
		   {"cpu_clk_unhalted.core", "inst_retired.any", "br_misp_retired.all_branches",
		    "longest_lat_cache.miss"}}},
		 ""},
		{__LINE__,
		 "alder_lake",
		 "atom",
		 1,
		 4,
		 {{0, {NULL}},
		  {2,
		   {"cpu_clk_unhalted.core", "inst_retired.any", "br_misp_retired.all_branches",
		    "longest_lat_cache.miss"}}},
		 "P-core: there are no instructions and cycles of source none;"},
		{__LINE__,
		 "big_little",
		 "auto",
		 0,
		 0,
		 {{0, {NULL}}},
		 "Cortex-A53: there are no instructions and cycles of source none;"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char said[256];

		plan_ipc(cases[i].machine, cases[i].source, cases[i].level, said);
		if (strcmp(said, cases[i].said) != 0)
			fail_msg("line %d: '%s'", cases[i].line, said);
		for (int core = 0; core < 3; core++) {
			const struct ctd_counter_plan *got = &plans[core];
			int groups = cases[i].want[core].groups;

			assert_int_equal(got->ipc, groups > 0);
			if (!groups)
				continue;
			if (got->groups_count != groups || got->events_count != cases[i].width)
				fail_msg("line %d, core %d: %dx%d", cases[i].line, core,
					 got->groups_count, got->events_count);
			for (int event = 0; event < got->events_count; event++) {
				const struct ctd_event *is =
					&got->events[(groups - 1) * got->events_count + event];
				const char *want =
					event < 6 ? cases[i].want[core].events[event] : NULL;

				if (strcmp(is->name, want ? want : "dummy") != 0)
					fail_msg("line %d, core %d, event %d: %s", cases[i].line,
						 core, event, is->name);
				/* Each by the PMU of its own kind. */
				assert_int_equal(is->type,
						 want ? got->events[0].type : PERF_TYPE_SOFTWARE);
			}
		}
		if (plans[0].ipc && plans[1].ipc)
			assert_int_not_equal(plans[0].events[0].type, plans[1].events[0].type);
	}
}

static void an_unknown_processor_is_told_what_it_takes(void **state)
{
	const char *said;
	char text[256];

	(void)state;
	assert_int_equal(plan("big_little", "auto", 0, text, &said), 0);
	assert_non_null(strstr(plans[0].why, "implementer 0x41 part 0xd03: a model is one file"));
	assert_non_null(strstr(plans[0].why, "deploy/capture-machine"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_of_core_has_a_source_of_its_own),
		cmocka_unit_test(a_kind_that_lacks_the_source_says_so),
		cmocka_unit_test(all_are_of_one_width_that_count),
		cmocka_unit_test(each_kind_of_core_counts_its_own_ipc_metrics),
		cmocka_unit_test(an_unknown_processor_is_told_what_it_takes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
