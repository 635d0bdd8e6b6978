/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* olympus.c - NVIDIA Olympus: level 1 by general-purpose counters, of which one counts slots. */
#include "cpu/arm.h"

/*
 * Its hyper-threads share the slots of a core: the leader counts those that the thread was entitled
 * to. Stalls of the front end are without those behind a wrong branch.
 */
static const struct ctd_cpu_event events[] = {
	{"cpu_slot", 0x1e1},
	{"op_retired", 0x3a},
	{"op_spec", 0x3b},
	{"stall_slot", 0x3f},
	{"stall_slot_backend", 0x3d},
	{"stall_slot_frontend_without_mispred", 0x1e2},
	{NULL, 0},
};
static const struct ctd_cpu_event ipc_events[] = {
	{"cpu_slot", 0x1e1},	       {"cpu_cycles", 0x11},	   {"inst_retired", 0x08},
	{"br_mis_pred_retired", 0x22}, {"l2d_cache_refill", 0x17}, {NULL, 0},
};

/* clang-format off */
#define RETIRED "(op_retired / op_spec) * (1 - stall_slot / cpu_slot)"
#define FRONTEND "stall_slot_frontend_without_mispred / cpu_slot"
#define BACKEND "stall_slot_backend / cpu_slot"

static const struct ctd_node nodes[] = {
	RETIRING_NODE(6, RETIRED),
	BAD_SPECULATION_NODE(6, "1 - (" FRONTEND " + " RETIRED " + " BACKEND ")"),
	FRONTEND_BOUND_NODE(6, FRONTEND),
	BACKEND_BOUND_NODE(6, BACKEND),
	ARM_IPC_NODES_FROM(1),
};
/* clang-format on */

static const struct ctd_cpu_id ids[] = {ARM_PART(0x4e, 0x010), {0}};

const struct ctd_cpu_model ctd_cpu_olympus = {
	.name = "olympus",
	.title = "NVIDIA Olympus",
	.source = "arm_slots",
	.vendor = "arm",
	.publication = "Linux 7.3 perf metrics: nvidia/t410; " INTELS_CONDITIONS,
	.slots_per_cycle = 0, /* no file says; PMMIR_EL1.SLOTS does */
	.slots_per_count = 1,
	.general_purpose_counters = 6,
	.read = CTD_READ_EACH,
	.groups = {events, [CTD_IPC_GROUP] = ipc_events},
	.ipc_first = 1,
	.cache = "l2",
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(*nodes),
};
