/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ampere.h - events and nodes of Ampere's own cores, which count operations and stalls. */
#ifndef CPU_AMPERE_H
#define CPU_AMPERE_H

#include "cpu/arm.h"

/*
 * Linux' perf, tools/perf/pmu-events/arch/arm64/ampere: TopdownL1 and TopdownL2. The events of
 * slots and stalls of the front end have errata there, "use metrics instead": so what it lost is
 * what remains of level 1, and its halves are corrected by that.
 *
 * The halves of each part are a group of their own. They need no more than the six counters that
 * every core of the architecture may be expected to have.
 */
/* clang-format off */
#define AMPERE_LEVEL1_EVENTS \
	{"cpu_cycles", 0x11}, {"op_retired", 0x3a}, {"op_spec", 0x3b}, {"stall_slot_backend", 0x3d}

static const struct ctd_cpu_event ampere_level1_events[] = {AMPERE_LEVEL1_EVENTS, {NULL, 0}};
static const struct ctd_cpu_event ampere_fetch_events[] = {
	AMPERE_LEVEL1_EVENTS,
	{"stall_frontend", 0x23},
	{"stall_slot_frontend", 0x3e},
	{NULL, 0},
};
static const struct ctd_cpu_event ampere_branch_events[] = {
	{"cpu_cycles", 0x11},
	{"op_retired", 0x3a},
	{"op_spec", 0x3b},
	{"br_mis_pred_retired", 0x22},
	{"gpc_flush", 0x120},
	{NULL, 0},
};
/* Of stalls by the TLB the designs have events of their own. */
#define AMPERE_MEMORY_EVENTS(tlb_code) \
	{"cpu_cycles", 0x11}, {"stall_slot_backend", 0x3d}, \
	{"stall_backend_cache", 0xd20d}, {"stall_backend_tlb", (tlb_code)}, {NULL, 0}

#define AMPERE_SLOTS "(4 * cpu_cycles)"
#define AMPERE_LOST "(op_spec - op_retired) / " AMPERE_SLOTS
#define AMPERE_FRONTEND \
	"(1 - (op_retired / " AMPERE_SLOTS " + " AMPERE_LOST \
	" + stall_slot_backend / " AMPERE_SLOTS "))"
/* Cycles of stalls, less those that the event of slots has too many. */
#define AMPERE_LATENCY \
	"(stall_frontend - (stall_slot_frontend - " AMPERE_FRONTEND " * " AMPERE_SLOTS \
	") / 4) / cpu_cycles"
#define AMPERE_MEMORY "(stall_backend_tlb + stall_backend_cache) / cpu_cycles"
/* No flush, no part of it. */
#define AMPERE_MISPREDICTS "br_mis_pred_retired / max(1, gpc_flush) * (" AMPERE_LOST ")"

static const struct ctd_node ampere_nodes[] = {
	RETIRING_NODE(4, "op_retired / " AMPERE_SLOTS),
	BAD_SPECULATION_NODE(4, AMPERE_LOST),
	FRONTEND_BOUND_NODE(4, AMPERE_FRONTEND),
	BACKEND_BOUND_NODE(4, "stall_slot_backend / " AMPERE_SLOTS),
	BRANCH_MISPREDICTS_NODE(1, 5, AMPERE_MISPREDICTS),
	MACHINE_CLEARS_NODE(1, 5, AMPERE_LOST " - " AMPERE_MISPREDICTS),
	FETCH_LATENCY_NODE(FRONTEND_BOUND, 3, 6, AMPERE_LATENCY),
	FETCH_BANDWIDTH_NODE(FRONTEND_BOUND, 3, 6, AMPERE_FRONTEND " - " AMPERE_LATENCY),
	MEMORY_BOUND_NODE(2, 4, AMPERE_MEMORY),
	CORE_BOUND_NODE(2, 4, "stall_slot_backend / " AMPERE_SLOTS " - " AMPERE_MEMORY),
	ARM_IPC_NODES,
};

/* What both have, beside name, title, publication and ids. Four slots: perf says of a partly used
 * cycle that 1, 2 or 3 operations are dispatched; the kernel tells, and is asked (caps/slots). */
#define AMPERE_DESIGN \
	.source = "arm_slots", .vendor = "arm", .slots_per_cycle = 4, .slots_per_count = 4, \
	.general_purpose_counters = 6, .read = CTD_READ_EACH, \
	.groups = {ampere_level1_events, ampere_branch_events, memory_events, \
		   ampere_fetch_events, [CTD_IPC_GROUP] = arm_ipc_events}, \
	.cache = "l2", .leader_fixed = true, .ids = ids, .nodes = ampere_nodes, \
	.nodes_count = sizeof(ampere_nodes) / sizeof(*ampere_nodes)
/* clang-format on */

#endif
