/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* arm.h - what Arm's cores have alike: the group beside the tree, by events of the architecture. */
#ifndef CPU_ARM_H
#define CPU_ARM_H

#include "cpu/nodes.h"

/*
 * The L2 is the core's own. LL_CACHE_MISS_RD of the last one means what the system's builder made
 * of it (CPUECTLR_EL1.EXTLLC), which nothing here can see.
 */
static const struct ctd_cpu_event arm_ipc_events[] = {
	{"cpu_cycles", 0x11},
	{"inst_retired", 0x08},
	{"br_mis_pred_retired", 0x22},
	{"l2d_cache_refill", 0x17},
	{NULL, 0},
};
/* clang-format off */
#define ARM_IPC_NODES ARM_IPC_NODES_FROM(0)
#define ARM_IPC_NODES_FROM(first) \
	IPC_NODES(first, "cpu_cycles", "inst_retired", "br_mis_pred_retired", "l2d_cache_refill", \
		"l2", "L2MPKI", \
		"Lines brought into the core's L2 cache because they were not in it, per thousand " \
		"instructions, of data and code. Look at data layout, and at how large what is " \
		"worked on is.")

/* Implementer, part; every revision. */
#define ARM_PART(implementer, part) {(implementer), part, part, 0, 0, CTD_CORE_TYPE_MAIN}
#define ARM(part) ARM_PART(0x41, part)
/* clang-format on */

#define INTELS_CONDITIONS "it has no thresholds, these are Intel's of TMA"

#endif
