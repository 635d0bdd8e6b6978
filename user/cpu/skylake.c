/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* skylake.c - Intel Skylake and its kin without hyper-threading: by events of cycles. */
#include "cpu/core_events_alone.h"
#include "cpu/intel_cores.h"

/* Two pairs of halves take four general-purpose counters, and a fixed one for instructions. */
enum {
	BRANCH_GROUP = FRONTEND_GROUP + 1,
	HEAVY_RETIRE_SLOTS = FRONTEND_COUNTERS,
	MACRO_FUSED,
	INSTRUCTIONS,
	LEVEL2_COUNTERS,
};

static const struct ctd_cpu_event level1_events[] = {LEVEL1_EVENTS(0x10d)};
static const struct ctd_cpu_event level2_events[] = {
	FRONTEND_EVENTS, RETIRE_SLOTS_EVENT, MACRO_FUSED_EVENT, INSTRUCTIONS_EVENT, LAST_EVENT,
};
static const struct ctd_cpu_event branch_events[] = {BRANCH_EVENTS(0x10d)};

#define HEAVY_COUNTS                                                 \
	COUNT cpu_clk_unhalted_thread = count[CYCLES];               \
	COUNT uops_retired_retire_slots = count[HEAVY_RETIRE_SLOTS]; \
	COUNT uops_retired_macro_fused = count[MACRO_FUSED];         \
	COUNT inst_retired_any = count[INSTRUCTIONS]

/* clang-format off */
LEVEL1_FORMULAS
FRONTEND_FORMULAS
BRANCH_FORMULAS
FORMULA(heavy_operations, HEAVY_COUNTS, SPLIT_UOPS / CORE_SLOTS)
FORMULA(light_operations, HEAVY_COUNTS, fmax(0, uops_retired_retire_slots - SPLIT_UOPS) / CORE_SLOTS)

static const struct ctd_node nodes[] = {
	LEVEL1_TABLE,
	{HEAVY_OPERATIONS_NODE(RETIRING), .group = FRONTEND_GROUP, .counters = LEVEL2_COUNTERS},
	{LIGHT_OPERATIONS_NODE(RETIRING), .group = FRONTEND_GROUP, .counters = LEVEL2_COUNTERS},
	BRANCH_TABLE(BRANCH_GROUP),
	FRONTEND_TABLE,
	INTEL_GENERAL_TABLE(0),
};
/* clang-format on */

static const struct ctd_cpu_id ids[] = {SKYLAKE_IDS, {0}};

const struct ctd_cpu_model ctd_cpu_skylake = {
	.name = "skylake",
	.title = SKYLAKE_TITLE ", without hyper-threading",
	.source = "core_events",
	.vendor = "GenuineIntel",
	.publication = "Intel perfmon: SKX events 1.37, metrics 1.0 (TMA 5.01)",
	.caution = ALONE_CAUTION,
	.slots_per_cycle = 4,
	.slots_per_count = 4,
	.smt = CTD_SMT_OFF,
	.general_counters = 8,
	.read = CTD_READ_EACH,
	.groups = {level1_events, level2_events,
		   branch_events, [CTD_GENERAL_GROUP] = general_events},
	.cache = "llc",
	.leader_fixed = true,
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(*nodes),
	.l1_counters = NO_COUNTER_INDICES,
};
