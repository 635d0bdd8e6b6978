/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* arm_general.h - the general metrics of Arm's cores, by events of the architecture. */
#ifndef CPU_ARM_GENERAL_H
#define CPU_ARM_GENERAL_H

#include "cpu/general.h"

/*
 * The L2 is the core's own. LL_CACHE_MISS_RD of the last one means what the system's builder made
 * of it (CPUECTLR_EL1.EXTLLC), which nothing here can see.
 */
static const struct ctd_cpu_event general_events[] = {
	{"cpu_cycles", 0x11},
	{"inst_retired", 0x08},
	{"br_mis_pred_retired", 0x22},
	{"l2d_cache_refill", 0x17},
	{NULL, 0},
};

/* clang-format off */
GENERAL_FORMULAS(0, cpu_cycles, inst_retired, br_mis_pred_retired, l2d_cache_refill, l2)
#define ARM_GENERAL_TABLE \
	GENERAL_TABLE(0, l2, "L2MPKI", \
		      "Lines brought into the core's L2 cache because they were not in it, per thousand " \
		      "instructions, of data and code. Look at data layout, and at how large what is " \
		      "worked on is.")
/* clang-format on */

#endif
