/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* topdown.h - the nodes of levels 1 and 2, which cores have alike whatever counts them. */
#ifndef CPU_TOPDOWN_H
#define CPU_TOPDOWN_H

#include <cgtopdown/cpu.h>
#include <math.h>

/*
 * One writing gives the function and its text. In an expression a count has the name of its event,
 * with '_' for '-' and '.'.
 */
#define TEXT(expression) #expression
#define FORMULA(node, counts, expression)               \
	static double node##_ratio(const double *count) \
	{                                               \
		counts;                                 \
		return expression;                      \
	}                                               \
	static const char node##_formula[] = TEXT(expression);

enum {
	RETIRING,
	BAD_SPECULATION,
	FRONTEND_BOUND,
	BACKEND_BOUND,
	LEVEL1_NODES,
	LEVEL2_NODES = LEVEL1_NODES + 8,
};

/* No formula takes all counts of its group. */
#define COUNT __attribute__((unused)) const double

/* What each node means. */
#define ROLE_retiring CTD_ROLE_RETIRING
#define ROLE_bad_speculation CTD_ROLE_BAD_SPECULATION
#define ROLE_frontend_bound CTD_ROLE_FRONTEND_BOUND
#define ROLE_backend_bound CTD_ROLE_BACKEND_BOUND
#define ROLE_smt_contention CTD_ROLE_SMT_CONTENTION
#define ROLE_heavy_operations CTD_ROLE_HEAVY_OPERATIONS
#define ROLE_light_operations CTD_ROLE_LIGHT_OPERATIONS
#define ROLE_branch_mispredicts CTD_ROLE_BRANCH_MISPREDICTS
#define ROLE_machine_clears CTD_ROLE_MACHINE_CLEARS
#define ROLE_fetch_latency CTD_ROLE_FETCH_LATENCY
#define ROLE_fetch_bandwidth CTD_ROLE_FETCH_BANDWIDTH
#define ROLE_memory_bound CTD_ROLE_MEMORY_BOUND
#define ROLE_core_bound CTD_ROLE_CORE_BOUND
#define ROLE_resource_bound CTD_ROLE_RESOURCE_BOUND
#define ROLE_ipc CTD_ROLE_IPC
#define ROLE_cpi CTD_ROLE_CPI
#define ROLE_ghz CTD_ROLE_GHZ
#define ROLE_branch_mpki CTD_ROLE_BRANCH_MPKI
#define ROLE_frontend_stalled_cycles CTD_ROLE_FRONTEND_STALLS
#define ROLE_backend_stalled_cycles CTD_ROLE_BACKEND_STALLS
#define ROLE_llc_mpki CTD_ROLE_CACHE_MPKI
#define ROLE_l2_mpki CTD_ROLE_CACHE_MPKI

/* What a node is, but for .group and .counters, the place of its counts. */
#define NODE(node, depth, above, heading, threshold, text)                                       \
	.name = #node, .role = ROLE_##node, .formula = node##_formula, .ratio = node##_ratio,    \
	.title = (heading), .level = (depth), .parent = (above), .threshold_ratio = (threshold), \
	.help = (text)

/* clang-format off */
/* Thresholds differ between kinds of cores, as does the node below backend_bound to look at first. */
#define RETIRING_NODE_ABOVE(threshold) \
	NODE(retiring, 1, -1, "Retiring", threshold, \
	     "Slots that did useful work. A large share is good; to go faster still, " \
	     "do the same with fewer or wider instructions.")
#define BAD_SPECULATION_NODE_ABOVE(threshold) \
	NODE(bad_speculation, 1, -1, "BadSpec", threshold, \
	     "Slots spent on work that was thrown away, and on recovering from it: " \
	     "wrong branches mostly, then other restarts of the pipeline.")
#define FRONTEND_BOUND_NODE_ABOVE(threshold) \
	NODE(frontend_bound, 1, -1, "FrontEnd", threshold, \
	     "Slots left empty because no instructions arrived while the core could " \
	     "take some. Look at the size and layout of hot code, at fetch_latency " \
	     "first.")
#define BACKEND_BOUND_NODE_ABOVE(threshold, first) \
	NODE(backend_bound, 1, -1, "BackEnd", threshold, \
	     "Slots left empty because the core could not take more: it waited for " \
	     "data or for a busy unit. Look at " first " first.")
#define RETIRING_NODE RETIRING_NODE_ABOVE(0.7)
#define BAD_SPECULATION_NODE BAD_SPECULATION_NODE_ABOVE(0.15)
#define FRONTEND_BOUND_NODE FRONTEND_BOUND_NODE_ABOVE(0.15)
#define BACKEND_BOUND_NODE BACKEND_BOUND_NODE_ABOVE(0.2, "memory_bound")
#define HEAVY_OPERATIONS_NODE(above) \
	NODE(heavy_operations, 2, above, "HeavyOps", 0.1, \
	     "Useful slots of instructions that need several micro-operations or " \
	     "microcode. Look for divisions, string moves, gathers and denormals.")
#define LIGHT_OPERATIONS_NODE(above) \
	NODE(light_operations, 2, above, "LightOps", 0.6, \
	     "Useful slots of instructions that are one micro-operation each. A large " \
	     "share asks for a better algorithm or for vector code.")
#define BRANCH_MISPREDICTS_NODE(above) \
	NODE(branch_mispredicts, 2, above, "BrMispred", 0.1, \
	     "Slots lost to branches that went another way than predicted. Find them " \
	     "by sampling mispredicted branches; data-dependent ones may be made " \
	     "branchless.")
#define MACHINE_CLEARS_NODE(above) \
	NODE(machine_clears, 2, above, "Clears", 0.1, \
	     "Slots lost to restarts of the pipeline that no branch caused. Look for " \
	     "memory-ordering conflicts between threads, self-modifying code and " \
	     "floating-point assists.")
#define FETCH_LATENCY_NODE(above) \
	NODE(fetch_latency, 2, above, "FetchLat", 0.1, \
	     "Slots in cycles in which no instruction arrived at all. Look for misses " \
	     "of the instruction cache and TLB, and for frequent jumps between far " \
	     "code.")
#define FETCH_BANDWIDTH_NODE(above) \
	NODE(fetch_bandwidth, 2, above, "FetchBw", 0.2, \
	     "Slots in cycles in which some instructions arrived, but too few. Look " \
	     "for hot code that does not fit the cache of decoded instructions.")
#define MEMORY_BOUND_NODE(above) \
	NODE(memory_bound, 2, above, "MemBound", 0.2, \
	     "Slots in which the core waited for loads or stores. Look at cache " \
	     "misses, data layout, and at neighbours that share the cache and memory " \
	     "channels.")
#define CORE_BOUND_NODE(above) \
	NODE(core_bound, 2, above, "CoreBound", 0.1, \
	     "Slots in which the core waited for execution units or for results of " \
	     "earlier instructions. Look at divisions and at long dependency chains.")

/*
 * The tables are for files that have a FORMULA of each node, and, as LEVEL1_COUNTERS and
 * LEVEL2_COUNTERS, the number of counters that they take in the first group.
 */
#define LEVEL1_TABLE_WITH(retiring_above, bad_above, frontend_above, backend_above, backend_first) \
	{RETIRING_NODE_ABOVE(retiring_above), .counters = LEVEL1_COUNTERS}, \
	{BAD_SPECULATION_NODE_ABOVE(bad_above), .counters = LEVEL1_COUNTERS}, \
	{FRONTEND_BOUND_NODE_ABOVE(frontend_above), .counters = LEVEL1_COUNTERS}, \
	{BACKEND_BOUND_NODE_ABOVE(backend_above, backend_first), .counters = LEVEL1_COUNTERS}
#define LEVEL1_TABLE LEVEL1_TABLE_WITH(0.7, 0.15, 0.15, 0.2, "memory_bound")
/* Nodes with names, thresholds or texts of their own; level 2 also in further groups. */
#define LEVEL1(node, heading, threshold, text) \
	{NODE(node, 1, -1, heading, threshold, text), .counters = LEVEL1_COUNTERS}
#define LEVEL2_OF_GROUP(node, above, in_group, needed, heading, threshold, text) \
	{NODE(node, 2, above, heading, threshold, text), .group = (in_group), .counters = (needed)}
#define LEVEL2(node, above, heading, threshold, text) \
	LEVEL2_OF_GROUP(node, above, 0, LEVEL2_COUNTERS, heading, threshold, text)
#define LEVEL2_TABLE \
	{HEAVY_OPERATIONS_NODE(RETIRING), .counters = LEVEL2_COUNTERS}, \
	{LIGHT_OPERATIONS_NODE(RETIRING), .counters = LEVEL2_COUNTERS}, \
	{BRANCH_MISPREDICTS_NODE(BAD_SPECULATION), .counters = LEVEL2_COUNTERS}, \
	{MACHINE_CLEARS_NODE(BAD_SPECULATION), .counters = LEVEL2_COUNTERS}, \
	{FETCH_LATENCY_NODE(FRONTEND_BOUND), .counters = LEVEL2_COUNTERS}, \
	{FETCH_BANDWIDTH_NODE(FRONTEND_BOUND), .counters = LEVEL2_COUNTERS}, \
	{MEMORY_BOUND_NODE(BACKEND_BOUND), .counters = LEVEL2_COUNTERS}, \
	{CORE_BOUND_NODE(BACKEND_BOUND), .counters = LEVEL2_COUNTERS}
/* clang-format on */

/* No sum of counts is slots by itself. */
#define NO_COUNTER_INDICES     \
	{                      \
		-1, -1, -1, -1 \
	}

#endif
