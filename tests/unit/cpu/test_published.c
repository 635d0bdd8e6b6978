/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_published.c - the ratios that vendors publish formulas for, computed by hand. */
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

/* What each group of a model counted, and what is published of that; ended by a NULL name. */
struct published {
	const char *model;
	double count[CTD_GROUPS_MAX][CTD_COUNTERS_MAX + 1];
	struct {
		const char *name;
		double ratio;
	} nodes[CTD_NODES_MAX];
};

static void check_published(const struct published *published)
{
	const struct ctd_cpu_model *model = ctd_cpu_model_find(published->model);
	int checked = 0;

	assert_non_null(model);
	for (int i = 0; published->nodes[i].name; i++) {
		for (int node = 0; node < model->nodes_count; node++) {
			const struct ctd_node *of = &model->nodes[node];
			double got = node_value(model, node, published->count[of->group]);

			if (strcmp(of->name, published->nodes[i].name))
				continue;
			checked++;
			if (!(fabs(got - published->nodes[i].ratio) < 1e-12))
				fail_msg("%s: %s is %.17g", model->name, of->name, got);
		}
	}
	assert_int_equal(checked, published->count[CTD_IPC_GROUP][0] > 0
					  ? model->nodes_count - tree_nodes(model)
					  : tree_nodes(model));
}

/* Computed by hand from Intel's and AMD's formulas, each group in a window of its own. */
static void designs_of_counted_cycles_give_the_published_ratios(void **state)
{
	static const struct published cases[] = {
		{"gracemont",
		 /* 1000 slots; then 2000 */
		 {{200, 250, 350, 300, 150, 50}, {400, 120, 60}},
		 {{"retiring", 0.3},
		  {"bad_speculation", 0.1},
		  {"frontend_bound", 0.25},
		  {"backend_bound", 0.35},
		  {"fetch_latency", 0.15},
		  {"fetch_bandwidth", 0.1},
		  {"resource_bound", 0.3},
		  {"core_bound", 0.05},
		  {"branch_mispredicts", 0.06},
		  {"machine_clears", 0.03}}},
		{"crestmont",
		 /* 1200 slots, of which the events know 1188 */
		 {{200, 300, 420, 348, 120, 180, 60, 72, 24}},
		 {{"retiring", 0.29},
		  {"bad_speculation", 0.1},
		  {"frontend_bound", 0.25},
		  {"backend_bound", 0.35},
		  {"fetch_latency", 0.15},
		  {"fetch_bandwidth", 0.1},
		  {"resource_bound", 0.3},
		  {"core_bound", 0.05},
		  {"branch_mispredicts", 0.06},
		  {"machine_clears", 0.02}}},
		{"zen4",
		 /* 1200, 2400, 600 and 1200 slots */
		 {{200, 240, 300, 480, 360, 180},
		  {400, 960, 720, 30, 10},
		  {100, 150, 40, 50},
		  {200, 240, 25, 360, 36}},
		 {{"retiring", 0.3},
		  {"bad_speculation", 0.1},
		  {"frontend_bound", 0.2},
		  {"backend_bound", 0.25},
		  {"smt_contention", 0.15},
		  {"heavy_operations", 0.03},
		  {"light_operations", 0.27},
		  {"branch_mispredicts", 0.075},
		  {"machine_clears", 0.025},
		  {"fetch_latency", 0.125},
		  {"fetch_bandwidth", 0.075},
		  {"memory_bound", 0.2},
		  {"core_bound", 0.05}}},
		{"zen5",
		 /* 1600, 3200, 800 and 1600 slots */
		 {{200, 320, 400, 640, 480, 240},
		  {400, 1280, 960, 0, 0},
		  {100, 200, 0, 0},
		  {200, 320, 25, 480, 48}},
		 {{"retiring", 0.3},
		  {"bad_speculation", 0.1},
		  {"frontend_bound", 0.2},
		  {"backend_bound", 0.25},
		  {"smt_contention", 0.15},
		  {"heavy_operations", 0.03},
		  {"light_operations", 0.27},
		  /* Shares of nothing are 0, as of d_ratio(). */
		  {"branch_mispredicts", 0},
		  {"machine_clears", 0},
		  {"fetch_latency", 0.125},
		  {"fetch_bandwidth", 0.075},
		  {"memory_bound", 0},
		  {"core_bound", 0.25}}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_published(&cases[i]);
}

/* In 2000 ns: 6000 cycles, 9000 instructions, 45 wrong branches, 18 misses of a cache. */
static void ipc_metrics_are_those_of_every_vendor(void **state)
{
#define IPC(...)                                                                            \
	{                                                                                   \
		[CTD_IPC_GROUP] = { __VA_ARGS__, 9000, 45, 18, [CTD_COUNT_TIME_NS] = 2000 } \
	}
#define RESULTS(cache)                                                          \
	{                                                                       \
		{"ipc", 1.5}, {"cpi", 2.0 / 3}, {"ghz", 3}, {"branch_mpki", 5}, \
		{                                                               \
			cache, 2                                                \
		}                                                               \
	}
	static const struct published cases[] = {
		{"golden_cove", IPC(36000, 6000), RESULTS("llc_mpki")},
		{"golden_cove_gp", IPC(36000, 6000), RESULTS("llc_mpki")},
		{"sunny_cove", IPC(30000, 6000), RESULTS("llc_mpki")},
		{"lion_cove", IPC(48000, 6000), RESULTS("llc_mpki")},
		{"skylake", IPC(6000), RESULTS("llc_mpki")},
		{"skylake_smt", IPC(6000), RESULTS("llc_mpki")},
		{"broadwell", IPC(6000), RESULTS("llc_mpki")},
		{"gracemont", IPC(6000), RESULTS("llc_mpki")},
		{"crestmont", IPC(6000), RESULTS("llc_mpki")},
		{"zen5", IPC(6000), RESULTS("l2_mpki")},
		{"neoverse_n1", IPC(6000), RESULTS("l2_mpki")},
		{"neoverse_v2", IPC(6000), RESULTS("l2_mpki")},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_published(&cases[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(designs_of_counted_cycles_give_the_published_ratios),
		cmocka_unit_test(ipc_metrics_are_those_of_every_vendor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
