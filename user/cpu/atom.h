/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* atom.h - the nodes of Intel's E-cores, whose slots general-purpose counters count. */
#ifndef CPU_ATOM_H
#define CPU_ATOM_H

#include "cpu/intel.h"

/* These cores have one thread, and as many slots as cycles times their width. */
/* clang-format off */
/* On the fixed counter for cycles; on a general-purpose one where the NMI watchdog holds that. */
#define ATOM_CYCLES "cpu_clk_unhalted.core"
#define ATOM_CYCLES_EVENT {ATOM_CYCLES, 0x3c}
#define ATOM_IPC_EVENTS ATOM_CYCLES_EVENT, INTEL_IPC_EVENTS
#define ATOM_IPC_NODES INTEL_IPC_NODES(0, ATOM_CYCLES)
#define ATOM_SLOTS(width) "(" width " * " ATOM_CYCLES ")"

/* Intel's conditions for these cores are others than for P-cores. */
#define ATOM_RETIRING_NODE(needed, its_formula) \
	LEVEL1_NODE("retiring", CTD_ROLE_RETIRING, "Retiring", needed, its_formula, \
		    "retiring > 0.75", RETIRING_HELP)
#define ATOM_BAD_SPECULATION_NODE(needed, its_formula) \
	LEVEL1_NODE("bad_speculation", CTD_ROLE_BAD_SPECULATION, "BadSpec", needed, its_formula, \
		    "bad_speculation > 0.15", BAD_SPECULATION_HELP)
#define ATOM_FRONTEND_BOUND_NODE(needed, its_formula) \
	LEVEL1_NODE("frontend_bound", CTD_ROLE_FRONTEND_BOUND, "FrontEnd", needed, its_formula, \
		    "frontend_bound > 0.2", FRONTEND_BOUND_HELP)
#define ATOM_BACKEND_BOUND_NODE(needed, its_formula) \
	LEVEL1_NODE("backend_bound", CTD_ROLE_BACKEND_BOUND, "BackEnd", needed, its_formula, \
		    "backend_bound > 0.1", BACKEND_BOUND_HELP("resource_bound"))

/*
 * Level 2 is by cause. Those of the front end are the bits of one unit mask (0x72 and 0x8d, 0 being
 * all), so that one half may be what remains of the other. Those of bad speculation are not the
 * whole of it: it also has what was begun and thrown away, and lacks some kinds of clears.
 *
 * @p all: the front end's or the back end's slots.
 */
#define ATOM_FRONTEND_NODES(needed, all, width) \
	FETCH_LATENCY_WITH(FRONTEND_BOUND, 0, needed, \
		"topdown_fe_bound.frontend_latency / " ATOM_SLOTS(width), \
		"fetch_latency > 0.15 & frontend_bound > 0.2", \
		"Slots left empty by misses of the instruction cache and TLB, and by branches found " \
		"late (perf: ifetch_latency). Look at the size and layout of hot code."), \
	FETCH_BANDWIDTH_WITH(FRONTEND_BOUND, 0, needed, \
		"max(0, " all " - topdown_fe_bound.frontend_latency) / " ATOM_SLOTS(width), \
		"fetch_bandwidth > 0.1 & frontend_bound > 0.2", \
		"Slots left empty because decoding was too slow, as of microcode and of long " \
		"instructions (perf: ifetch_bandwidth). Look for unusual instructions in hot code.")
#define ATOM_BACKEND_NODES(needed, all, width) \
	TREE_NODE("resource_bound", CTD_ROLE_RESOURCE_BOUND, "ResBound", 2, BACKEND_BOUND, 0, needed, \
		  "max(0, " all " - topdown_be_bound.alloc_restrictions) / " ATOM_SLOTS(width), \
		  "resource_bound > 0.2 & backend_bound > 0.1", \
		  "Slots left empty because something of the core was full: its reorder buffer, " \
		  "registers or schedulers. Loads and stores that wait fill them: look at cache " \
		  "misses and data layout first."), \
	CORE_BOUND_WITH(0, needed, "topdown_be_bound.alloc_restrictions / " ATOM_SLOTS(width), \
		"core_bound > 0.1 & backend_bound > 0.1", \
		"Slots left empty by the core's rules of allocation. Other than on P-cores, these are " \
		"not all that waited for something else than memory.")
#define ATOM_BRANCH_MISPREDICTS_NODE(in_group, needed, width) \
	BRANCH_MISPREDICTS_WITH(in_group, needed, \
		"topdown_bad_speculation.mispredict / " ATOM_SLOTS(width), \
		"branch_mispredicts > 0.05 & bad_speculation > 0.15", \
		"Slots left empty after branches that went another way than predicted. Find them by " \
		"sampling mispredicted branches; data-dependent ones may be made branchless.")
#define ATOM_MACHINE_CLEARS_NODE(in_group, needed, width) \
	MACHINE_CLEARS_WITH(in_group, needed, \
		"topdown_bad_speculation.machine_clears / " ATOM_SLOTS(width), \
		"machine_clears > 0.05 & bad_speculation > 0.15", \
		"Slots left empty after restarts of the pipeline that no branch caused. Look for " \
		"memory-ordering conflicts between threads, self-modifying code and floating-point " \
		"assists.")

/*
 * From Crestmont on both levels are one group of all eight general-purpose counters.
 * fetch_bandwidth, which Intel counts by an event of its own, would be one too many; it is the
 * other half of a unit mask. The last event is the one to go where the leader needs a general
 * counter. The first three codes differ.
 */
#define CRESTMONT_EVENTS(frontend, backend, retired) \
	ATOM_CYCLES_EVENT, \
	{"topdown_fe_bound.all_p", (frontend)}, \
	{"topdown_be_bound.all_p", (backend)}, \
	{"topdown_retiring.all_p", (retired)}, \
	{"topdown_bad_speculation.all_p", 0x73}, \
	{"topdown_fe_bound.frontend_latency", 0x7271}, \
	{"topdown_be_bound.alloc_restrictions", 0x174}, \
	{"topdown_bad_speculation.mispredict", 0x473}, \
	{"topdown_bad_speculation.machine_clears", 0x373}, \
	{NULL, 0}
#define CRESTMONT_NODES(width) \
	ATOM_RETIRING_NODE(5, "topdown_retiring.all_p / " ATOM_SLOTS(width)), \
	ATOM_BAD_SPECULATION_NODE(5, "topdown_bad_speculation.all_p / " ATOM_SLOTS(width)), \
	ATOM_FRONTEND_BOUND_NODE(5, "topdown_fe_bound.all_p / " ATOM_SLOTS(width)), \
	ATOM_BACKEND_BOUND_NODE(5, "topdown_be_bound.all_p / " ATOM_SLOTS(width)), \
	ATOM_FRONTEND_NODES(6, "topdown_fe_bound.all_p", width), \
	ATOM_BACKEND_NODES(7, "topdown_be_bound.all_p", width), \
	ATOM_BRANCH_MISPREDICTS_NODE(0, 8, width), \
	ATOM_MACHINE_CLEARS_NODE(0, 9, width), \
	ATOM_IPC_NODES
/* clang-format on */

#endif
