/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* skylake_smt.c - Intel Skylake and its kin with hyper-threading: by events of cycles. */
#include "cpu/core_events_shared.h"

static const struct ctd_cpu_event level1_events[] = {SHARED_LEVEL1_EVENTS};
static const struct ctd_cpu_event frontend_events[] = {SHARED_FRONTEND_EVENTS};
static const struct ctd_cpu_event heavy_events[] = {
	SHARED_EVENTS, RETIRE_SLOTS_EVENT, MACRO_FUSED_EVENT, INSTRUCTIONS_EVENT, {NULL, 0},
};
static const struct ctd_cpu_event ipc_events[] = {CORE_EVENTS_IPC_EVENTS};

/* clang-format off */
static const struct ctd_node nodes[] = {
	SHARED_LEVEL1_NODES,
	HEAVY_OPERATIONS_NODE(SHARED_RETIRING, 2, 6, SPLIT_UOPS " / " SHARED_SLOTS),
	LIGHT_OPERATIONS_NODE(SHARED_RETIRING, 2, 6,
		"max(0, uops_retired.retire_slots - " SPLIT_UOPS ") / " SHARED_SLOTS),
	SHARED_FETCH_LATENCY_NODE,
	FETCH_BANDWIDTH_NODE(SHARED_FRONTEND_BOUND, 1, 5,
		"max(0, idq_uops_not_delivered.core - (" NO_UOPS_SLOTS ")) / " SHARED_SLOTS),
	CORE_EVENTS_IPC_NODES,
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
	.general_purpose_counters = 4,
	.read = CTD_READ_EACH,
	.groups = {level1_events, frontend_events, heavy_events, [CTD_IPC_GROUP] = ipc_events},
	.cache = "llc",
	.leader_fixed = true,
	.fixed_event = INTEL_INSTRUCTIONS,
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(*nodes),
};
