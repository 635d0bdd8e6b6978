/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* nodes.h - what nodes mean on every core: name, role, column, condition, help. */
#ifndef CPU_NODES_H
#define CPU_NODES_H

#include <cgtopdown/cpu.h>

/*
 * A design adds to a meaning where it is counted: @p in_group, one of the model's groups of events,
 * and @p needed, how many of its first counters must be there; and the formula, in the language of
 * metric/expr.h over the names of that group's events.
 *
 * Conditions are Intel's for its P-cores (TMA 5), and are taken for cores whose vendor has none.
 */

/* Indices of level 1, where a design has all four. */
enum { RETIRING, BAD_SPECULATION, FRONTEND_BOUND, BACKEND_BOUND };

/* clang-format off */
#define TREE_NODE(its_name, its_role, heading, depth, above, in_group, needed, its_formula, its_condition, meaning) \
	{.name = (its_name), .role = (its_role), .title = (heading), .level = (depth), \
	 .parent = (above), .group = (in_group), .counters = (needed), .formula = (its_formula), \
	 .condition = (its_condition), .help = (meaning)}

#define LEVEL1_NODE(its_name, its_role, heading, needed, its_formula, its_condition, meaning) \
	TREE_NODE(its_name, its_role, heading, 1, -1, 0, needed, its_formula, its_condition, meaning)

#define RETIRING_HELP \
	"Slots that did useful work. A large share is good; to go faster still, do the same with " \
	"fewer or wider instructions."
#define BAD_SPECULATION_HELP \
	"Slots spent on work that was thrown away, and on recovering from it: wrong branches " \
	"mostly, then other restarts of the pipeline."
#define FRONTEND_BOUND_HELP \
	"Slots left empty because no instructions arrived while the core could take some. Look at " \
	"the size and layout of hot code, at fetch_latency first."
#define BACKEND_BOUND_HELP(first) \
	"Slots left empty because the core could not take more: it waited for data or for a busy " \
	"unit. Look at " first " first."

#define RETIRING_NODE(needed, its_formula) \
	LEVEL1_NODE("retiring", CTD_ROLE_RETIRING, "Retiring", needed, its_formula, \
		    "retiring > 0.7 | heavy_operations > 0.1", RETIRING_HELP)
#define BAD_SPECULATION_NODE(needed, its_formula) \
	LEVEL1_NODE("bad_speculation", CTD_ROLE_BAD_SPECULATION, "BadSpec", needed, its_formula, \
		    "bad_speculation > 0.15", BAD_SPECULATION_HELP)
#define FRONTEND_BOUND_NODE(needed, its_formula) \
	LEVEL1_NODE("frontend_bound", CTD_ROLE_FRONTEND_BOUND, "FrontEnd", needed, its_formula, \
		    "frontend_bound > 0.15", FRONTEND_BOUND_HELP)
#define BACKEND_BOUND_NODE(needed, its_formula) \
	LEVEL1_NODE("backend_bound", CTD_ROLE_BACKEND_BOUND, "BackEnd", needed, its_formula, \
		    "backend_bound > 0.2", BACKEND_BOUND_HELP("memory_bound"))

#define HEAVY_OPERATIONS_WITH(above, in_group, needed, its_formula, meaning) \
	TREE_NODE("heavy_operations", CTD_ROLE_HEAVY_OPERATIONS, "HeavyOps", 2, above, in_group, \
		  needed, its_formula, "heavy_operations > 0.1", meaning)
#define HEAVY_OPERATIONS_NODE(above, in_group, needed, its_formula) \
	HEAVY_OPERATIONS_WITH(above, in_group, needed, its_formula, \
		"Useful slots of instructions that need several micro-operations or microcode. Look for " \
		"divisions, string moves, gathers and denormals.")
#define LIGHT_OPERATIONS_WITH(above, in_group, needed, its_formula, meaning) \
	TREE_NODE("light_operations", CTD_ROLE_LIGHT_OPERATIONS, "LightOps", 2, above, in_group, \
		  needed, its_formula, "light_operations > 0.6", meaning)
#define LIGHT_OPERATIONS_NODE(above, in_group, needed, its_formula) \
	LIGHT_OPERATIONS_WITH(above, in_group, needed, its_formula, \
		"Useful slots of instructions that are one micro-operation each. A large share asks for " \
		"a better algorithm or for vector code.")
#define BRANCH_MISPREDICTS_WITH(in_group, needed, its_formula, its_condition, meaning) \
	TREE_NODE("branch_mispredicts", CTD_ROLE_BRANCH_MISPREDICTS, "BrMispred", 2, \
		  BAD_SPECULATION, in_group, needed, its_formula, its_condition, meaning)
#define MISPREDICTS_CONDITION "branch_mispredicts > 0.1 & bad_speculation > 0.15"
#define BRANCH_MISPREDICTS_NODE(in_group, needed, its_formula) \
	BRANCH_MISPREDICTS_WITH(in_group, needed, its_formula, MISPREDICTS_CONDITION, \
		"Slots lost to branches that went another way than predicted. Find them by sampling " \
		"mispredicted branches; data-dependent ones may be made branchless.")
#define MACHINE_CLEARS_WITH(in_group, needed, its_formula, its_condition, meaning) \
	TREE_NODE("machine_clears", CTD_ROLE_MACHINE_CLEARS, "Clears", 2, BAD_SPECULATION, \
		  in_group, needed, its_formula, its_condition, meaning)
#define CLEARS_CONDITION "machine_clears > 0.1 & bad_speculation > 0.15"
#define MACHINE_CLEARS_NODE(in_group, needed, its_formula) \
	MACHINE_CLEARS_WITH(in_group, needed, its_formula, CLEARS_CONDITION, \
		"Slots lost to restarts of the pipeline that no branch caused. Look for memory-ordering " \
		"conflicts between threads, self-modifying code and floating-point assists.")
#define FETCH_LATENCY_WITH(above, in_group, needed, its_formula, its_condition, meaning) \
	TREE_NODE("fetch_latency", CTD_ROLE_FETCH_LATENCY, "FetchLat", 2, above, in_group, needed, \
		  its_formula, its_condition, meaning)
#define FETCH_LATENCY_CONDITION "fetch_latency > 0.1 & frontend_bound > 0.15"
#define FETCH_LATENCY_NODE(above, in_group, needed, its_formula) \
	FETCH_LATENCY_WITH(above, in_group, needed, its_formula, FETCH_LATENCY_CONDITION, \
		"Slots in cycles in which no instruction arrived at all. Look for misses of the " \
		"instruction cache and TLB, and for frequent jumps between far code.")
#define FETCH_BANDWIDTH_WITH(above, in_group, needed, its_formula, its_condition, meaning) \
	TREE_NODE("fetch_bandwidth", CTD_ROLE_FETCH_BANDWIDTH, "FetchBw", 2, above, in_group, \
		  needed, its_formula, its_condition, meaning)
#define FETCH_BANDWIDTH_CONDITION "fetch_bandwidth > 0.2"
#define FETCH_BANDWIDTH_NODE(above, in_group, needed, its_formula) \
	FETCH_BANDWIDTH_WITH(above, in_group, needed, its_formula, FETCH_BANDWIDTH_CONDITION, \
		"Slots in cycles in which some instructions arrived, but too few. Look for hot code " \
		"that does not fit the cache of decoded instructions.")
#define MEMORY_BOUND_WITH(in_group, needed, its_formula, meaning) \
	TREE_NODE("memory_bound", CTD_ROLE_MEMORY_BOUND, "MemBound", 2, BACKEND_BOUND, in_group, \
		  needed, its_formula, "memory_bound > 0.2 & backend_bound > 0.2", meaning)
#define MEMORY_BOUND_NODE(in_group, needed, its_formula) \
	MEMORY_BOUND_WITH(in_group, needed, its_formula, \
		"Slots in which the core waited for loads or stores. Look at cache misses, data layout, " \
		"and at neighbours that share the cache and memory channels.")
#define CORE_BOUND_WITH(in_group, needed, its_formula, its_condition, meaning) \
	TREE_NODE("core_bound", CTD_ROLE_CORE_BOUND, "CoreBound", 2, BACKEND_BOUND, in_group, \
		  needed, its_formula, its_condition, meaning)
#define CORE_BOUND_CONDITION "core_bound > 0.1 & backend_bound > 0.2"
#define CORE_BOUND_NODE(in_group, needed, its_formula) \
	CORE_BOUND_WITH(in_group, needed, its_formula, CORE_BOUND_CONDITION, \
		"Slots in which the core waited for execution units or for results of earlier " \
		"instructions. Look at divisions and at long dependency chains.")

/*
 * Beside the tree: instructions, clock, wrong branches, cache misses. Their group begins with the
 * model's leader, as all groups do, so that slots are counted in its steps too. Then, from counter
 * @p first on, which is 0 where the leader counts cycles: @p cycles while not halted, @p
 * instructions and @p mispredicts that retired, and @p misses of a cache, which is not the same one
 * everywhere, nor are all of its misses.
 */
#define IPC_NODE(its_name, its_role, heading, its_unit, needed, its_formula, meaning) \
	{.name = (its_name), .role = (its_role), .title = (heading), .unit = (its_unit), \
	 .parent = -1, .group = CTD_IPC_GROUP, .counters = (needed), .formula = (its_formula), \
	 .help = (meaning)}
#define IPC_NODES(first, cycles, instructions, mispredicts, misses, cache, cache_heading, cache_meaning) \
	IPC_NODE("ipc", CTD_ROLE_IPC, "IPC", CTD_UNIT_PER_CYCLE, (first) + 2, \
		     instructions " / " cycles, \
		     "Instructions per cycle in which the CPU was not halted. The tree says why they " \
		     "are few; spinning makes many of them, and no progress."), \
	IPC_NODE("ghz", CTD_ROLE_GHZ, "GHz", CTD_UNIT_GHZ, (first) + 1, cycles " / time_ns", \
		     "The clock while the row ran: cycles by the time in which they were counted. " \
		     "Where it is low, look at limits of power and heat, at the governor, and at " \
		     "neighbours with wide vector instructions."), \
	IPC_NODE("branch_mpki", CTD_ROLE_BRANCH_MPKI, "BrMPKI", CTD_UNIT_PER_THOUSAND, \
		     (first) + 3, "1000 * " mispredicts " / " instructions, \
		     "Branches that retired and went another way than predicted, per thousand " \
		     "instructions. Sample them to find the branches; bad_speculation says what they " \
		     "cost."), \
	IPC_NODE(cache "_mpki", CTD_ROLE_CACHE_MPKI, cache_heading, CTD_UNIT_PER_THOUSAND, \
		     (first) + 4, "1000 * " misses " / " instructions, cache_meaning), \
	IPC_NODE("cpi", CTD_ROLE_CPI, "CPI", CTD_UNIT_CYCLES, (first) + 2, \
		     cycles " / " instructions, \
		     "Cycles per instruction, the inverse of ipc. CPIs of like loads can be " \
		     "subtracted: what one has more is what it lost.")
/* clang-format on */

#endif
