/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* topdown.h - the nodes of levels 1 and 2, which Intel's cores have alike whatever counts them. */
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

/*
 * The tables are for files that have a FORMULA of each node, and, as LEVEL1_COUNTERS and
 * LEVEL2_COUNTERS, the number of counters that they take.
 */
#define NODE(node, heading, threshold, text)                                                 \
	.name = #node, .formula = node##_formula, .ratio = node##_ratio, .title = (heading), \
	.threshold_ratio = (threshold), .help = (text)
#define LEVEL1(node, heading, threshold, text)                                    \
	{                                                                         \
		NODE(node, heading, threshold, text), .level = 1, .parent = -1,   \
						      .counters = LEVEL1_COUNTERS \
	}
#define LEVEL2(node, above, heading, threshold, text)                                \
	{                                                                            \
		NODE(node, heading, threshold, text), .level = 2, .parent = (above), \
						      .counters = LEVEL2_COUNTERS    \
	}

/* clang-format off */
#define LEVEL1_TABLE \
	LEVEL1(retiring, "Retiring", 0.7, \
	       "Slots that did useful work. A large share is good; to go faster still, " \
	       "do the same with fewer or wider instructions."), \
	LEVEL1(bad_speculation, "BadSpec", 0.15, \
	       "Slots spent on work that was thrown away, and on recovering from it: " \
	       "wrong branches mostly, then other restarts of the pipeline."), \
	LEVEL1(frontend_bound, "FrontEnd", 0.15, \
	       "Slots left empty because no instructions arrived while the core could " \
	       "take some. Look at the size and layout of hot code, at fetch_latency " \
	       "first."), \
	LEVEL1(backend_bound, "BackEnd", 0.2, \
	       "Slots left empty because the core could not take more: it waited for " \
	       "data or for a busy unit. Look at memory_bound first.")

#define LEVEL2_TABLE \
	LEVEL2(heavy_operations, RETIRING, "HeavyOps", 0.1, \
	       "Useful slots of instructions that need several micro-operations or " \
	       "microcode. Look for divisions, string moves, gathers and denormals."), \
	LEVEL2(light_operations, RETIRING, "LightOps", 0.6, \
	       "Useful slots of instructions that are one micro-operation each. A large " \
	       "share asks for a better algorithm or for vector code."), \
	LEVEL2(branch_mispredicts, BAD_SPECULATION, "BrMispred", 0.1, \
	       "Slots lost to branches that went another way than predicted. Find them " \
	       "by sampling mispredicted branches; data-dependent ones may be made " \
	       "branchless."), \
	LEVEL2(machine_clears, BAD_SPECULATION, "Clears", 0.1, \
	       "Slots lost to restarts of the pipeline that no branch caused. Look for " \
	       "memory-ordering conflicts between threads, self-modifying code and " \
	       "floating-point assists."), \
	LEVEL2(fetch_latency, FRONTEND_BOUND, "FetchLat", 0.1, \
	       "Slots in cycles in which no instruction arrived at all. Look for misses " \
	       "of the instruction cache and TLB, and for frequent jumps between far " \
	       "code."), \
	LEVEL2(fetch_bandwidth, FRONTEND_BOUND, "FetchBw", 0.2, \
	       "Slots in cycles in which some instructions arrived, but too few. Look " \
	       "for hot code that does not fit the cache of decoded instructions."), \
	LEVEL2(memory_bound, BACKEND_BOUND, "MemBound", 0.2, \
	       "Slots in which the core waited for loads or stores. Look at cache " \
	       "misses, data layout, and at neighbours that share the cache and memory " \
	       "channels."), \
	LEVEL2(core_bound, BACKEND_BOUND, "CoreBound", 0.1, \
	       "Slots in which the core waited for execution units or for results of " \
	       "earlier instructions. Look at divisions and at long dependency chains.")
/* clang-format on */

#endif
