/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* intel.h - what Intel's cores have alike: the group beside the tree, and processors' ids. */
#ifndef CPU_INTEL_H
#define CPU_INTEL_H

#include "cpu/nodes.h"

/*
 * The kernel puts cycles and instructions on their fixed counters (arch/x86/events/intel/core.c,
 * FIXED_EVENT_CONSTRAINT of 0x3c and 0xc0), so that two general-purpose ones are taken, and a third
 * while the NMI watchdog holds that of cycles.
 */
/* clang-format off */
#define INTEL_INSTRUCTIONS "inst_retired.any"
#define INTEL_IPC_EVENTS \
	{INTEL_INSTRUCTIONS, 0xc0}, \
	{"br_misp_retired.all_branches", 0xc5}, \
	{"longest_lat_cache.miss", 0x412e}, \
	{NULL, 0}
/* The group behind a leader that counts slots; others begin with their cycles. */
#define INTEL_IPC_EVENTS_BEHIND_SLOTS \
	{"slots", 0}, {"cpu_clk_unhalted.thread", 0x3c}, INTEL_IPC_EVENTS
#define INTEL_IPC_NODES(first, cycles) \
	IPC_NODES(first, cycles, INTEL_INSTRUCTIONS, "br_misp_retired.all_branches", \
		      "longest_lat_cache.miss", "llc", "LLCMPKI", \
		      "Requests of the core that missed the last cache before memory, per thousand " \
		      "instructions: data, code, and what its prefetchers asked for. Look at data " \
		      "layout and at neighbours that share the cache.")

/* Family, first and last model; every stepping. */
/* clang-format off */
#define INTEL_CORE(first, last, core) {6, first, last, 0, 0, core}
#define INTEL(first, last) INTEL_CORE(first, last, CTD_CORE_TYPE_MAIN)
/* Of hybrid processors, whose P-cores have the same id. */
#define INTEL_E(first, last) INTEL_CORE(first, last, CTD_CORE_TYPE_EFFICIENT)
#define INTEL_LP_E(first, last) INTEL_CORE(first, last, CTD_CORE_TYPE_LOW_POWER)
#define SUNNY_COVE_TITLE "Intel Sunny Cove, Willow Cove, Cypress Cove: Ice Lake, Tiger Lake, Rocket Lake"
#define SUNNY_COVE_IDS \
	INTEL(0x6a, 0x6a), /* Ice Lake SP */ \
	INTEL(0x6c, 0x6c), /* Ice Lake D */ \
	INTEL(0x7d, 0x7e), /* Ice Lake client */ \
	INTEL(0x8c, 0x8d), /* Tiger Lake */ \
	INTEL(0xa7, 0xa7) /* Rocket Lake */

#define GOLDEN_COVE_TITLE \
	"Intel Golden Cove, Redwood Cove: Sapphire, Emerald and Granite Rapids, P-cores of Alder, Raptor and Meteor Lake"
#define GOLDEN_COVE_IDS \
	INTEL(0x8f, 0x8f), /* Sapphire Rapids */ \
	INTEL(0xcf, 0xcf), /* Emerald Rapids */ \
	INTEL(0xad, 0xae), /* Granite Rapids, Granite Rapids D */ \
	INTEL(0x97, 0x97), /* Alder Lake S */ \
	INTEL(0x9a, 0x9a), /* Alder Lake P */ \
	INTEL(0xb7, 0xb7), /* Raptor Lake S */ \
	INTEL(0xba, 0xba), /* Raptor Lake P */ \
	INTEL(0xbf, 0xbf), /* Raptor Lake, Alder Lake die */ \
	INTEL(0xaa, 0xaa), /* Meteor Lake */ \
	INTEL(0xac, 0xac), /* Meteor Lake S */ \
	INTEL(0xb5, 0xb5) /* Arrow Lake U */

/* Before PERF_METRICS. Some have hyper-threading on and some have not, and each state its models. */
#define SANDY_BRIDGE_IDS \
	INTEL(0x2a, 0x2a), /* Sandy Bridge */ \
	INTEL(0x2d, 0x2d) /* Sandy Bridge EP */
#define IVY_BRIDGE_IDS \
	INTEL(0x3a, 0x3a), /* Ivy Bridge */ \
	INTEL(0x3e, 0x3e) /* Ivy Bridge EP */
#define HASWELL_IDS \
	INTEL(0x3c, 0x3c), /* Haswell */ \
	INTEL(0x3f, 0x3f), /* Haswell EP */ \
	INTEL(0x45, 0x46) /* Haswell U, Haswell with Iris */
#define BROADWELL_IDS \
	INTEL(0x3d, 0x3d), /* Broadwell U */ \
	INTEL(0x47, 0x47), /* Broadwell with Iris */ \
	INTEL(0x4f, 0x4f), /* Broadwell EP */ \
	INTEL(0x56, 0x56) /* Broadwell D */
#define SKYLAKE_TITLE \
	"Intel Skylake and its kin: Kaby, Coffee, Comet, Cascade and Cooper Lake"
#define SKYLAKE_IDS \
	INTEL(0x4e, 0x4e), /* Skylake U */ \
	INTEL(0x55, 0x55), /* Skylake SP, Cascade Lake, Cooper Lake */ \
	INTEL(0x5e, 0x5e), /* Skylake S */ \
	INTEL(0x8e, 0x8e), /* Kaby, Coffee, Whiskey Lake U */ \
	INTEL(0x9e, 0x9e), /* Kaby, Coffee Lake S */ \
	INTEL(0xa5, 0xa6) /* Comet Lake */
/* clang-format on */

#endif
