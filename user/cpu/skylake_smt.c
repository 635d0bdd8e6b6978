/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* skylake_smt.c - Intel Skylake and its kin with hyper-threading: by events of cycles. */
#include "cpu/core_events_shared.h"
#include "cpu/intel_cores.h"

enum {
	HEAVY_GROUP = FRONTEND_GROUP + 1,
	MACRO_FUSED = RETIRING_COUNTERS, /* after those of the first group's retiring */
	INSTRUCTIONS,
	HEAVY_COUNTERS,
};

static const struct ctd_cpu_event level1_events[] = {LEVEL1_EVENTS};
static const struct ctd_cpu_event frontend_events[] = {FRONTEND_EVENTS};
static const struct ctd_cpu_event heavy_events[] = {
	SHARED_EVENTS, RETIRE_SLOTS_EVENT, MACRO_FUSED_EVENT, INSTRUCTIONS_EVENT, LAST_EVENT,
};

#define HEAVY_COUNTS                                           \
	SHARED_COUNTS;                                         \
	COUNT uops_retired_retire_slots = count[RETIRE_SLOTS]; \
	COUNT uops_retired_macro_fused = count[MACRO_FUSED];   \
	COUNT inst_retired_any = count[INSTRUCTIONS]

/* clang-format off */
LEVEL1_FORMULAS
FORMULA(fetch_bandwidth, FRONTEND_COUNTS,
	fmax(0, idq_uops_not_delivered_core - NO_UOPS_SLOTS) / CORE_SLOTS)
FORMULA(heavy_operations, HEAVY_COUNTS, SPLIT_UOPS / CORE_SLOTS)
FORMULA(light_operations, HEAVY_COUNTS,
	fmax(0, uops_retired_retire_slots - SPLIT_UOPS) / CORE_SLOTS)

static const struct ctd_node nodes[] = {
	SHARED_LEVEL1_TABLE,
	{HEAVY_OPERATIONS_NODE(SHARED_RETIRING), .group = HEAVY_GROUP, .counters = HEAVY_COUNTERS},
	{LIGHT_OPERATIONS_NODE(SHARED_RETIRING), .group = HEAVY_GROUP, .counters = HEAVY_COUNTERS},
	{FETCH_LATENCY_NODE(SHARED_FRONTEND_BOUND), .group = FRONTEND_GROUP, .counters = FRONTEND_COUNTERS},
	{FETCH_BANDWIDTH_NODE(SHARED_FRONTEND_BOUND), .group = FRONTEND_GROUP, .counters = FRONTEND_COUNTERS},
	INTEL_GENERAL_TABLE(0),
};
/* clang-format on */

static const struct ctd_cpu_id ids[] = {SKYLAKE_IDS, {0}};

const struct ctd_cpu_model ctd_cpu_skylake_smt = {
	.name = "skylake_smt",
	.title = SKYLAKE_TITLE ", with hyper-threading",
	.source = "core_events",
	.vendor = "GenuineIntel",
	.publication =
		"Intel perfmon: SKX events 1.37, metrics 1.0 (TMA 5.01), as for samples of a thread",
	.caution = SHARED_CAUTION,
	.slots_per_cycle = 4,
	.slots_per_count = 2,
	.smt = CTD_SMT_ON,
	.core_scope = true,
	.general_counters = 4,
	.read = CTD_READ_EACH,
	.groups = {level1_events, frontend_events,
		   heavy_events, [CTD_GENERAL_GROUP] = general_events},
	.cache = "llc",
	.leader_fixed = true,
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(*nodes),
	.l1_counters = NO_COUNTER_INDICES,
};
