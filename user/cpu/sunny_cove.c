/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sunny_cove.c - Intel Sunny Cove and its kin: level 1 by PERF_METRICS, five slots a cycle. */
#include "cpu/intel_cores.h"
#include "cpu/intel_general.h"
#include "cpu/perf_metrics.h"

static const struct ctd_cpu_event events[] = {LEVEL1_EVENTS, {NULL, 0}};
static const struct ctd_cpu_event general_events[] = {INTEL_GENERAL_EVENTS_OF_SLOTS};

/* clang-format off */
LEVEL1_FORMULAS
INTEL_GENERAL_FORMULAS(1, cpu_clk_unhalted_thread)
/* clang-format on */

static const struct ctd_node nodes[] = {LEVEL1_TABLE, INTEL_GENERAL_TABLE(1)};

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
	.groups = {events, [CTD_GENERAL_GROUP] = general_events},
	.general_first = 1,
	.cache = "llc",
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(*nodes),
	.l1_counters = LEVEL1_COUNTER_INDICES,
};
