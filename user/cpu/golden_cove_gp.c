/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* golden_cove_gp.c - Intel Golden Cove and Redwood Cove: both levels by general-purpose counters. */
#include "cpu/gp_slots.h"

/* Level 2 takes all eight general-purpose counters, and the fixed one for slots. */
static const struct ctd_cpu_event events[] = {
	GP_SLOTS_EVENTS(0x10ad),
	{"uops_retired.heavy", 0x1c2},
	{"topdown.br_mispredict_slots", 0x8a4},
	{"idq_uops_not_delivered.cycles_0_uops_deliv.core", 0x600019c},
	{"topdown.memory_bound_slots", 0x10a4},
	{NULL, 0},
};

static const struct ctd_cpu_event ipc_events[] = {INTEL_IPC_EVENTS_BEHIND_SLOTS};

/* clang-format off */
#define BACKEND "topdown.backend_bound_slots"
#define FETCH_LATENCY \
	"(6 * idq_uops_not_delivered.cycles_0_uops_deliv.core - int_misc.uop_dropping)"

static const struct ctd_node nodes[] = {
	GP_SLOTS_LEVEL1_NODES(5, BACKEND),
	HEAVY_OPERATIONS_NODE(RETIRING, 0, 9, "uops_retired.heavy / slots"),
	LIGHT_OPERATIONS_NODE(RETIRING, 0, 9,
		"max(0, uops_retired.slots - uops_retired.heavy) / slots"),
	BRANCH_MISPREDICTS_NODE(0, 9, "topdown.br_mispredict_slots / slots"),
	MACHINE_CLEARS_NODE(0, 9,
		"max(0, " GP_SLOTS_REMAINDER(BACKEND) " - topdown.br_mispredict_slots) / slots"),
	FETCH_LATENCY_NODE(FRONTEND_BOUND, 0, 9, FETCH_LATENCY " / slots"),
	FETCH_BANDWIDTH_NODE(FRONTEND_BOUND, 0, 9,
		"max(0, " GP_SLOTS_FRONTEND " - " FETCH_LATENCY ") / slots"),
	MEMORY_BOUND_NODE(0, 9, "topdown.memory_bound_slots / slots"),
	CORE_BOUND_NODE(0, 9, "max(0, " BACKEND " - topdown.memory_bound_slots) / slots"),
	INTEL_IPC_NODES(1, "cpu_clk_unhalted.thread"),
};
/* clang-format on */

static const struct ctd_cpu_id ids[] = {GOLDEN_COVE_IDS, {0}};

const struct ctd_cpu_model ctd_cpu_golden_cove_gp = {
	.name = "golden_cove_gp",
	.title = GOLDEN_COVE_TITLE,
	.source = "gp_slots",
	.vendor = "GenuineIntel",
	.publication =
		"Intel PerfSpect metrics: SPR, EMR and GNR without fixed-counter TMA (TMA 5.2)",
	.slots_per_cycle = 6,
	.slots_per_count = 1,
	.general_purpose_counters = 8,
	.read = CTD_READ_EACH,
	.groups = {events, [CTD_IPC_GROUP] = ipc_events},
	.ipc_first = 1,
	.cache = "llc",
	.leader_by_code = SLOTS_BY_GENERAL_COUNTER,
	.fixed_event = INTEL_INSTRUCTIONS,
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(*nodes),
};
