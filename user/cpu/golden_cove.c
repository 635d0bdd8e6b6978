/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* golden_cove.c - Intel Golden Cove and Redwood Cove: both levels by PERF_METRICS, six slots a
 * cycle. */
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

static const struct ctd_cpu_id ids[] = {GOLDEN_COVE_IDS, {0}};

const struct ctd_cpu_model ctd_cpu_golden_cove = {
	.name = "golden_cove",
	.title = GOLDEN_COVE_TITLE,
	.source = "perf_metrics",
	.vendor = "GenuineIntel",
	.publication = "Intel perfmon metrics: SPR 1.3, EMR 1.4, GNR 1.3 (TMA 5.2), ADL and MTL "
		       "1.1 (TMA 5.1)" WITHOUT_CORRECTIONS,
	.slots_per_cycle = 6,
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
