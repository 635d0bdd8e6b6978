/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* cougar_cove.c - Intel Cougar Cove: both levels by PERF_METRICS, eight slots a cycle. */
#include "cpu/intel.h"
#include "cpu/perf_metrics.h"

static const struct ctd_cpu_event events[] = {
	PERF_METRICS_LEVEL1_EVENTS, PERF_METRICS_LEVEL2_EVENTS, {NULL, 0}};
static const struct ctd_cpu_event ipc_events[] = {INTEL_IPC_EVENTS_BEHIND_SLOTS};

static const struct ctd_node nodes[] = {
	PERF_METRICS_LEVEL1_NODES,
	PERF_METRICS_LEVEL2_NODES,
	INTEL_IPC_NODES(1, "cpu_clk_unhalted.thread"),
};

static const struct ctd_cpu_id ids[] = {
	INTEL(0xcc, 0xcc), /* Panther Lake */
	INTEL(0xd5, 0xd5), /* Wildcat Lake */
	INTEL(0xe5, 0xe5), /* perf: as Panther Lake */
	{0},
};

const struct ctd_cpu_model ctd_cpu_cougar_cove = {
	.name = "cougar_cove",
	.title = "Intel Cougar Cove: P-cores of Panther Lake and Wildcat Lake",
	.source = "perf_metrics",
	.vendor = "GenuineIntel",
	.publication = "Intel perfmon events: PTL 1.07; formulas by Intel's TMA table, which has "
		       "Lion Cove's for this core",
	.slots_per_cycle = 8,
	.slots_per_count = 1,
	.read = CTD_READ_LEADER,
	.groups = {events, [CTD_IPC_GROUP] = ipc_events},
	.ipc_first = 1,
	.cache = "llc",
	.fixed_event = INTEL_INSTRUCTIONS,
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(*nodes),
	.l1_counters = PERF_METRICS_LEVEL1_COUNTERS,
};
