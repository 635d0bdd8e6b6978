/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sunny_cove.c - Intel Sunny Cove and its kin: level 1 by PERF_METRICS, five slots a cycle. */
#include "cpu/intel.h"
#include "cpu/perf_metrics.h"

static const struct ctd_cpu_event events[] = {PERF_METRICS_LEVEL1_EVENTS, {NULL, 0}};
static const struct ctd_cpu_event ipc_events[] = {INTEL_IPC_EVENTS_BEHIND_SLOTS};

static const struct ctd_node nodes[] = {
	PERF_METRICS_LEVEL1_NODES,
	INTEL_IPC_NODES(1, "cpu_clk_unhalted.thread"),
};

static const struct ctd_cpu_id ids[] = {SUNNY_COVE_IDS, {0}};

const struct ctd_cpu_model ctd_cpu_sunny_cove = {
	.name = "sunny_cove",
	.title = SUNNY_COVE_TITLE,
	.source = "perf_metrics",
	.vendor = "GenuineIntel",
	.publication =
		"Intel perfmon metrics: ICX 1.2 (TMA 5.2), ICL and TGL 1.1 (TMA 5.1)" WITHOUT_CORRECTIONS,
	.slots_per_cycle = 5,
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
