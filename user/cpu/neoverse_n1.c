/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* neoverse_n1.c - Arm Neoverse N1: cycles in which either end stalled; it counts no slots. */
#include "cpu/arm.h"

static const struct ctd_cpu_event events[] = {
	{"cpu_cycles", 0x11},
	{"stall_frontend", 0x23},
	{"stall_backend", 0x24},
	{NULL, 0},
};

/* clang-format off */
/* Two parts of the cycles, and not the four of slots: Arm defines none for this core. */
static const struct ctd_node nodes[] = {
	LEVEL1_NODE("frontend_stalled_cycles", CTD_ROLE_FRONTEND_STALLS, "FeStalls", 3,
	       "stall_frontend / cpu_cycles", "frontend_stalled_cycles > 0.15",
	       "Cycles in which nothing was dispatched because no instructions arrived. Look at the "
	       "size and layout of hot code, and at misses of the instruction cache and TLB."),
	LEVEL1_NODE("backend_stalled_cycles", CTD_ROLE_BACKEND_STALLS, "BeStalls", 3,
	       "stall_backend / cpu_cycles", "backend_stalled_cycles > 0.2",
	       "Cycles in which nothing was dispatched because the core could not take more: it "
	       "waited for data or for a busy unit. Look at misses of the caches and of the TLB."),
	ARM_IPC_NODES,
};
/* clang-format on */

static const struct ctd_cpu_id ids[] = {
	ARM(0xd0c),
	{0},
};

const struct ctd_cpu_model ctd_cpu_neoverse_n1 = {
	.name = "neoverse_n1",
	.title = "Arm Neoverse N1: Graviton2, Ampere Altra",
	.source = "arm_cycles",
	.vendor = "arm",
	.publication = "Arm's telemetry data for Neoverse N1 of 2025-08; " INTELS_CONDITIONS,
	.caution = "Shares are of cycles, not of slots, and do not add up to 100.",
	.slots_per_cycle = 0, /* its PMMIR_EL1.SLOTS is 0 */
	.slots_per_count = 0,
	.general_purpose_counters = 6,
	.read = CTD_READ_EACH,
	.groups = {events, [CTD_IPC_GROUP] = arm_ipc_events},
	.cache = "l2",
	.leader_fixed = true,
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(*nodes),
};
