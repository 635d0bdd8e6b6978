/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* atom.h - the nodes of Intel's E-cores, whose slots ordinary counters count. */
#ifndef CPU_ATOM_H
#define CPU_ATOM_H

#include "cpu/intel_cores.h"
#include "cpu/intel_general.h"

/* These cores have one thread, and as many slots as cycles times their width. */
/* clang-format off */
/* On the fixed counter for cycles; on a general one where the NMI watchdog holds that. */
#define CORE_CYCLES {"cpu_clk_unhalted.core", 0x3c}

/* clang-format on */
static const struct ctd_cpu_event general_events[] = {INTEL_GENERAL_EVENTS(CORE_CYCLES)};
/* clang-format off */
INTEL_GENERAL_FORMULAS(0, cpu_clk_unhalted_core)

#define ATOM_LEVEL1_TABLE LEVEL1_TABLE_WITH(0.75, 0.15, 0.2, 0.1, "resource_bound")

/*
 * Level 2 is by cause. Those of the front end are the bits of one unit mask (0x72 and 0x8d, 0 being
 * all), so that one half may be what remains of the other. Those of bad speculation are not the
 * whole of it: it also has what was begun and thrown away, and lacks some kinds of clears.
 *
 * @p in_group, @p needed: where the counts of a node are.
 */
#define BRANCH_MISPREDICTS(in_group, needed) \
	LEVEL2_OF_GROUP(branch_mispredicts, BAD_SPECULATION, in_group, needed, "BrMispred", 0.05, \
	       "Slots left empty after branches that went another way than predicted. Find " \
	       "them by sampling mispredicted branches; data-dependent ones may be made " \
	       "branchless.")
#define MACHINE_CLEARS(in_group, needed) \
	LEVEL2_OF_GROUP(machine_clears, BAD_SPECULATION, in_group, needed, "Clears", 0.05, \
	       "Slots left empty after restarts of the pipeline that no branch caused. Look " \
	       "for memory-ordering conflicts between threads, self-modifying code and " \
	       "floating-point assists.")
#define FRONTEND_TABLE(in_group, needed) \
	LEVEL2_OF_GROUP(fetch_latency, FRONTEND_BOUND, in_group, needed, "FetchLat", 0.15, \
	       "Slots left empty by misses of the instruction cache and TLB, and by " \
	       "branches found late (perf: ifetch_latency). Look at the size and layout of " \
	       "hot code."), \
	LEVEL2_OF_GROUP(fetch_bandwidth, FRONTEND_BOUND, in_group, needed, "FetchBw", 0.1, \
	       "Slots left empty because decoding was too slow, as of microcode and of long " \
	       "instructions (perf: ifetch_bandwidth). Look for unusual instructions in hot " \
	       "code.")
#define BACKEND_TABLE(in_group, needed) \
	LEVEL2_OF_GROUP(resource_bound, BACKEND_BOUND, in_group, needed, "ResBound", 0.2, \
	       "Slots left empty because something of the core was full: its reorder " \
	       "buffer, registers or schedulers. Loads and stores that wait fill them: " \
	       "look at cache misses and data layout first."), \
	LEVEL2_OF_GROUP(core_bound, BACKEND_BOUND, in_group, needed, "CoreBound", 0.1, \
	       "Slots left empty by the core's rules of allocation. Other than on P-cores, " \
	       "these are not all that waited for something else than memory.")
/* clang-format on */

#endif
