/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* neoverse_n1.c - Arm Neoverse N1: cycles in which either end stalled; it counts no slots. */
#include "cpu/arm_general.h"

enum {
	CPU_CYCLES,
	STALL_FRONTEND,
	STALL_BACKEND,
	LEVEL1_COUNTERS,
};

static const struct ctd_cpu_event events[] = {
	{"cpu_cycles", 0x11},
	{"stall_frontend", 0x23},
	{"stall_backend", 0x24},
	{NULL, 0},
};

#define FRONTEND const double cpu_cycles = count[CPU_CYCLES], stall_frontend = count[STALL_FRONTEND]
#define BACKEND const double cpu_cycles = count[CPU_CYCLES], stall_backend = count[STALL_BACKEND]

/* clang-format off */
FORMULA(frontend_stalled_cycles, FRONTEND, stall_frontend / cpu_cycles)
FORMULA(backend_stalled_cycles, BACKEND, stall_backend / cpu_cycles)

/* Two parts of the cycles, and not the four of slots: Arm defines none for this core. */
static const struct ctd_node nodes[] = {
	LEVEL1(frontend_stalled_cycles, "FeStalls", 0.15,
	       "Cycles in which nothing was dispatched because no instructions arrived. Look at the "
	       "size and layout of hot code, and at misses of the instruction cache and TLB."),
	LEVEL1(backend_stalled_cycles, "BeStalls", 0.2,
	       "Cycles in which nothing was dispatched because the core could not take more: it "
	       "waited for data or for a busy unit. Look at misses of the caches and of the TLB."),
	ARM_GENERAL_TABLE,
};
/* clang-format on */

static const struct ctd_cpu_id ids[] = {
	{0x41, 0xd0c, 0xd0c, 0, 0, CTD_CORE_MAIN},
	{0},
};

const struct ctd_cpu_model ctd_cpu_neoverse_n1 = {
	.name = "neoverse_n1",
	.title = "Arm Neoverse N1: Graviton2, Ampere Altra",
	.source = "arm_cycles",
	.vendor = "arm",
	.publication =
		"Arm's telemetry data for Neoverse N1 of 2025-08; it has no thresholds, these are Intel's of TMA",
	.caution = "Shares are of cycles, not of slots, and do not add up to 100.",
	.slots_per_cycle = 0, /* its PMMIR_EL1.SLOTS is 0 */
	.slots_per_count = 0,
	.general_counters = 6,
	.read = CTD_READ_EACH,
	.groups = {events, [CTD_GENERAL_GROUP] = general_events},
	.cache = "l2",
	.leader_fixed = true,
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(*nodes),
	.l1_counters = {-1, -1, -1, -1},
};
