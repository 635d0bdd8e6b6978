/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_core_events.c - the ratios of Intel's cores before PERF_METRICS, from counts by hand. */
#include <cgtopdown/cpu.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "metrics.h"
#include "tree.h"

struct known_ratio {
	const char *name;
	double ratio;
};

/* @p count: of each group. */
static void check_ratios(const char *model_name, const double (*count)[CTD_COUNTERS_MAX],
			 const struct known_ratio *cases)
{
	const struct ctd_cpu_model *model = ctd_cpu_model_find(model_name);
	int checked = 0;

	for (; cases->name; cases++) {
		for (int node = 0; node < model->nodes_count; node++) {
			double got;

			if (strcmp(model->nodes[node].name, cases->name))
				continue;
			got = node_value(model, node, count[model->nodes[node].group]);
			if (!(fabs(got - cases->ratio) < 1e-12))
				fail_msg("%s: %s is %.17g", model_name, cases->name, got);
			checked++;
		}
	}
	assert_int_equal(checked, tree_nodes(model));
}

/* Computed by hand: of 1000 cycles, and so 4000 slots. Each group counted for another time. */
static void cores_before_perf_metrics_give_the_published_ratios(void **state)
{
	/* Cycles, not delivered, issued, retired, recovery; then both pairs of halves. */
	static const double skylake[][CTD_COUNTERS_MAX] = {
		{1000, 800, 1900, 1600, 25},
		{500, 400, 60, 800, 100, 700},
		{2000, 3800, 3200, 50, 30, 10},
	};
	/* The same, but what heavy operations take is of a group of its own. */
	static const double broadwell[][CTD_COUNTERS_MAX] = {
		{1000, 800, 1900, 1600, 25},
		{500, 400, 60},
		{2000, 4000, 3200, 1000},
		{2000, 3800, 3200, 50, 30, 10},
	};
	static const struct known_ratio ratios[] = {
		{"retiring", 0.4},
		{"bad_speculation", 0.1},
		{"frontend_bound", 0.2},
		{"backend_bound", 0.3},
		{"heavy_operations", 0.1},
		{"light_operations", 0.3},
		{"fetch_latency", 0.12},
		{"fetch_bandwidth", 0.08},
		{"branch_mispredicts", 0.075},
		{"machine_clears", 0.025},
		{NULL, 0},
	};

	(void)state;
	check_ratios("skylake", skylake, ratios);
	check_ratios("sandy_bridge", broadwell, ratios);
	check_ratios("ivy_bridge", broadwell, ratios);
	check_ratios("haswell", broadwell, ratios);
	check_ratios("broadwell", broadwell, ratios);
}

/* By hand: 1000 cycles, a quarter of them alone (10 ticks of 40), are 625 of the core: 2500 slots. */
static void a_thread_has_half_of_the_cycles_that_it_is_not_alone(void **state)
{
	static const double skylake[][CTD_COUNTERS_MAX] = {
		{1000, 10, 40, 1000, 500},
		{1000, 10, 40, 500, 75},
		{1000, 10, 40, 1000, 100, 850},
	};
	static const struct known_ratio ratios[] = {
		{"retiring", 0.4},
		{"frontend_bound", 0.2},
		{"heavy_operations", 0.1},
		{"light_operations", 0.3},
		{"fetch_latency", 0.12},
		{"fetch_bandwidth", 0.08},
		{NULL, 0},
	};
	const struct ctd_cpu_model *smt = ctd_cpu_model_find("skylake_smt");
	static const double alone[] = {1000, 40, 40, 1000, 500},
			    beside[] = {1000, 0, 40, 1000, 500};

	(void)state;
	check_ratios("skylake_smt", skylake, ratios);
	check_ratios("sandy_bridge_smt", skylake, ratios);
	assert_string_equal(smt->nodes[0].name, "retiring");
	assert_true(node_value(smt, 0, alone) == 0.25);
	assert_true(node_value(smt, 0, beside) == 0.5);
}

/* A thread has four general-purpose counters, and fixed ones for cycles and instructions; alone on
 * its core it has eight, of which the last group makes use. */
static void groups_of_cores_before_perf_metrics_fit_a_thread(void **state)
{
	int checked = 0;

	(void)state;
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		const struct ctd_cpu_model *model = ctd_cpu_models[i];

		if (strcmp(model->source, "core_events") != 0)
			continue;
		for (int group = 0; group < CTD_GROUPS_MAX; group++) {
			const struct ctd_cpu_event *event = model->groups[group];
			bool is_last = group + 1 == CTD_IPC_GROUP ||
				       (group < CTD_IPC_GROUP && !model->groups[group + 1]);
			bool may_be_refused = model->smt == CTD_SMT_OFF && is_last;
			int ipc = 0;

			for (; event && event->name; event++)
				ipc += event->config != 0x3c && event->config != 0xc0;
			assert_in_range(ipc, event ? 1 : 0, may_be_refused ? 8 : 4);
			checked += event != NULL;
		}
	}
	assert_true(checked >= 7);
}

/* Between two reads of a group some more work may be counted. */
static void what_remains_is_never_negative(void **state)
{
	static const double level1[] = {1000, 800, 3190, 3200, 1};
	const struct ctd_cpu_model *model = ctd_cpu_model_find("skylake");

	(void)state;
	assert_string_equal(model->nodes[1].name, "bad_speculation");
	assert_string_equal(model->nodes[3].name, "backend_bound");
	assert_true(node_value(model, 1, level1) == 0);
	assert_true(node_value(model, 3, level1) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cores_before_perf_metrics_give_the_published_ratios),
		cmocka_unit_test(a_thread_has_half_of_the_cycles_that_it_is_not_alone),
		cmocka_unit_test(groups_of_cores_before_perf_metrics_fit_a_thread),
		cmocka_unit_test(what_remains_is_never_negative),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
