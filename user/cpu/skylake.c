/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* skylake.c - Intel Skylake and its kin without hyper-threading: by events of cycles. */
#include "cpu/core_events_alone.h"

static const struct ctd_cpu_event level1_events[] = {ALONE_LEVEL1_EVENTS(0x10d)};
/* Two pairs of halves take four general-purpose counters, and a fixed one for instructions. */
static const struct ctd_cpu_event level2_events[] = {
	ALONE_FRONTEND_EVENTS, RETIRE_SLOTS_EVENT, MACRO_FUSED_EVENT, INSTRUCTIONS_EVENT, {NULL, 0},
};
static const struct ctd_cpu_event branch_events[] = {ALONE_BRANCH_EVENTS(0x10d)};
static const struct ctd_cpu_event ipc_events[] = {CORE_EVENTS_IPC_EVENTS};

/* clang-format off */
static const struct ctd_node nodes[] = {
	ALONE_LEVEL1_NODES,
	HEAVY_OPERATIONS_NODE(RETIRING, ALONE_FRONTEND_GROUP, 6, SPLIT_UOPS " / " ALONE_SLOTS),
	LIGHT_OPERATIONS_NODE(RETIRING, ALONE_FRONTEND_GROUP, 6,
		"max(0, uops_retired.retire_slots - " SPLIT_UOPS ") / " ALONE_SLOTS),
	ALONE_BRANCH_NODES(2),
	ALONE_FRONTEND_NODES,
	CORE_EVENTS_IPC_NODES,
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
	.general_purpose_counters = 8,
	.read = CTD_READ_EACH,
	.groups = {level1_events, level2_events, branch_events, [CTD_IPC_GROUP] = ipc_events},
	.cache = "llc",
	.leader_fixed = true,
	.fixed_event = INTEL_INSTRUCTIONS,
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(*nodes),
};
