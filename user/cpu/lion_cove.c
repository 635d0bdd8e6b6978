/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* lion_cove.c - Intel Lion Cove: both levels by PERF_METRICS, eight slots a cycle. */
#include "cpu/intel_cores.h"
#include "cpu/intel_general.h"
#include "cpu/perf_metrics.h"

static const struct ctd_cpu_event events[] = {LEVEL1_EVENTS, LEVEL2_EVENTS, {NULL, 0}};
static const struct ctd_cpu_event general_events[] = {INTEL_GENERAL_EVENTS_OF_SLOTS};

/* clang-format off */
LEVEL1_FORMULAS
LEVEL2_FORMULAS
INTEL_GENERAL_FORMULAS(1, cpu_clk_unhalted_thread)
/* clang-format on */

static const struct ctd_node nodes[] = {LEVEL1_TABLE, LEVEL2_TABLE, INTEL_GENERAL_TABLE(1)};

static const struct ctd_cpu_id ids[] = {
	INTEL(0xbd, 0xbd), /* Lunar Lake */
	INTEL(0xc5, 0xc5), /* Arrow Lake H */
	INTEL(0xc6, 0xc6), /* Arrow Lake S */
	{0},
};

const struct ctd_cpu_model ctd_cpu_lion_cove = {
	.name = "lion_cove",
	.title = "Intel Lion Cove: P-cores of Lunar Lake and Arrow Lake",
	.source = "perf_metrics",
	.vendor = "GenuineIntel",
	.publication =
		"Intel perfmon metrics: LNL and ARL 1.1 (TMA 5.1), which need no corrections",
	.slots_per_cycle = 8,
	.slots_per_count = 1,
	.read = CTD_READ_LEADER,
	.groups = {events, [CTD_GENERAL_GROUP] = general_events},
	.general_first = 1,
	.cache = "llc",
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(*nodes),
	.l1_counters = LEVEL1_COUNTER_INDICES,
};
