/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* intel_general.h - the general metrics of Intel's cores, whose codes of them are alike. */
#ifndef CPU_INTEL_GENERAL_H
#define CPU_INTEL_GENERAL_H

#include "cpu/general.h"

/*
 * The kernel puts cycles and instructions on their fixed counters (arch/x86/events/intel/core.c,
 * FIXED_EVENT_CONSTRAINT of 0x3c and 0xc0), so that two general ones are taken, and a third while
 * the NMI watchdog holds that of cycles. @p cycles: the name and code of that event.
 */
/* clang-format off */
#define INTEL_GENERAL_EVENTS(cycles) \
	cycles, \
	{"inst_retired.any", 0xc0}, \
	{"br_misp_retired.all_branches", 0xc5}, \
	{"longest_lat_cache.miss", 0x412e}, \
	{NULL, 0}
/* Behind a leader that counts slots. */
#define INTEL_GENERAL_EVENTS_OF_SLOTS \
	{"slots", 0}, INTEL_GENERAL_EVENTS(INTEL_THREAD_CYCLES)
#define INTEL_THREAD_CYCLES {"cpu_clk_unhalted.thread", 0x3c}

#define INTEL_GENERAL_FORMULAS(first, cycles) \
	GENERAL_FORMULAS(first, cycles, inst_retired_any, br_misp_retired_all_branches, \
			 longest_lat_cache_miss, llc)
#define INTEL_GENERAL_TABLE(first) \
	GENERAL_TABLE(first, llc, "LLCMPKI", \
		      "Requests of the core that missed the last cache before memory, per thousand " \
		      "instructions: data, code, and what its prefetchers asked for. Look at data " \
		      "layout and at neighbours that share the cache.")
/* clang-format on */

#endif
