/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* perf_metrics.h - events, formulas and nodes of the PERF_METRICS register, for the cores that have
 * it. */
#ifndef CPU_PERF_METRICS_H
#define CPU_PERF_METRICS_H

#include <cgtopdown/cpu.h>
#include <math.h>

/*
 * The register divides the slots of fixed counter 3 into eight fractions; the kernel presents each
 * as an event that counts slots. Four are level 1 and add up to the whole; the other four, from
 * Golden Cove on, are one half of each level-1 part, whose other half is what remains.
 *
 * The denominator is the sum of the four, as in Intel's formulas: the rounding of the 8-bit
 * fractions then drops out. Intel's also correct with counters for front-end bubbles that the
 * register charges wrongly (INT_MISC.UOP_DROPPING, on Sunny Cove INT_MISC.CLEARS_COUNT too). These
 * take general-purpose counters, which the group leaves to others, so they are not applied.
 */
enum {
	SLOTS,
	TOPDOWN_RETIRING,
	TOPDOWN_BAD_SPEC,
	TOPDOWN_FE_BOUND,
	TOPDOWN_BE_BOUND,
	LEVEL1_COUNTERS,
	TOPDOWN_HEAVY_OPS = LEVEL1_COUNTERS,
	TOPDOWN_BR_MISPREDICT,
	TOPDOWN_FETCH_LAT,
	TOPDOWN_MEM_BOUND,
	LEVEL2_COUNTERS,
};

#define LEVEL1_EVENTS                                                                            \
	{"slots", 0}, {"topdown-retiring", 0}, {"topdown-bad-spec", 0}, {"topdown-fe-bound", 0}, \
	{                                                                                        \
		"topdown-be-bound", 0                                                            \
	}
#define LEVEL2_EVENTS                                                                     \
	{"topdown-heavy-ops", 0}, {"topdown-br-mispredict", 0}, {"topdown-fetch-lat", 0}, \
	{                                                                                 \
		"topdown-mem-bound", 0                                                    \
	}
#define LEVEL1_SUM (topdown_retiring + topdown_bad_spec + topdown_fe_bound + topdown_be_bound)
#define WITHOUT_CORRECTIONS "; without the corrections by INT_MISC events"

/*
 * One writing gives the function and its text. In an expression a count has the name of its event,
 * with '_' for '-' and '.'. Level-1 formulas touch the first five counts only.
 */
#define TEXT(expression) #expression
#define FORMULA(node, counts, expression)               \
	static double node##_ratio(const double *count) \
	{                                               \
		counts;                                 \
		return expression;                      \
	}                                               \
	static const char node##_formula[] = TEXT(expression);

#define LEVEL1_COUNTS                                            \
	const double topdown_retiring = count[TOPDOWN_RETIRING], \
		     topdown_bad_spec = count[TOPDOWN_BAD_SPEC], \
		     topdown_fe_bound = count[TOPDOWN_FE_BOUND], \
		     topdown_be_bound = count[TOPDOWN_BE_BOUND]
#define HEAVY_OPS LEVEL1_COUNTS, topdown_heavy_ops = count[TOPDOWN_HEAVY_OPS]
#define BR_MISPREDICT LEVEL1_COUNTS, topdown_br_mispredict = count[TOPDOWN_BR_MISPREDICT]
#define FETCH_LAT LEVEL1_COUNTS, topdown_fetch_lat = count[TOPDOWN_FETCH_LAT]
#define MEM_BOUND LEVEL1_COUNTS, topdown_mem_bound = count[TOPDOWN_MEM_BOUND]

/* clang-format off */
FORMULA(retiring, LEVEL1_COUNTS, topdown_retiring / LEVEL1_SUM)
FORMULA(bad_speculation, LEVEL1_COUNTS, topdown_bad_spec / LEVEL1_SUM)
FORMULA(frontend_bound, LEVEL1_COUNTS, topdown_fe_bound / LEVEL1_SUM)
FORMULA(backend_bound, LEVEL1_COUNTS, topdown_be_bound / LEVEL1_SUM)
/* A half and its parent are rounded apart, so that what remains may come out a little below 0. */
FORMULA(heavy_operations, HEAVY_OPS, topdown_heavy_ops / LEVEL1_SUM)
FORMULA(light_operations, HEAVY_OPS, fmax(0, topdown_retiring - topdown_heavy_ops) / LEVEL1_SUM)
FORMULA(branch_mispredicts, BR_MISPREDICT, topdown_br_mispredict / LEVEL1_SUM)
FORMULA(machine_clears, BR_MISPREDICT, fmax(0, topdown_bad_spec - topdown_br_mispredict) / LEVEL1_SUM)
FORMULA(fetch_latency, FETCH_LAT, topdown_fetch_lat / LEVEL1_SUM)
FORMULA(fetch_bandwidth, FETCH_LAT, fmax(0, topdown_fe_bound - topdown_fetch_lat) / LEVEL1_SUM)
FORMULA(memory_bound, MEM_BOUND, topdown_mem_bound / LEVEL1_SUM)
FORMULA(core_bound, MEM_BOUND, fmax(0, topdown_be_bound - topdown_mem_bound) / LEVEL1_SUM)
/* clang-format on */

enum {
	RETIRING,
	BAD_SPECULATION,
	FRONTEND_BOUND,
	BACKEND_BOUND,
	LEVEL1_NODES,
	LEVEL2_NODES = LEVEL1_NODES + 8,
};

#define NODE(node) .name = #node, .formula = node##_formula, .ratio = node##_ratio
#define LEVEL1(node) NODE(node), .level = 1, .parent = -1, .counters = LEVEL1_COUNTERS
#define LEVEL2(node, above) NODE(node), .level = 2, .parent = (above), .counters = LEVEL2_COUNTERS

/* A core with level 1 only takes the first LEVEL1_NODES. */
static const struct ctd_node perf_metrics_nodes[LEVEL2_NODES] = {
	{
		LEVEL1(retiring),
		.title = "Retiring",
		.threshold_ratio = 0.7,
		.help = "Slots that did useful work. A large share is good; to go faster still, do "
			"the same with fewer or wider instructions.",
	},
	{
		LEVEL1(bad_speculation),
		.title = "BadSpec",
		.threshold_ratio = 0.15,
		.help = "Slots spent on work that was thrown away, and on recovering from it: "
			"wrong branches mostly, then other restarts of the pipeline.",
	},
	{
		LEVEL1(frontend_bound),
		.title = "FrontEnd",
		.threshold_ratio = 0.15,
		.help = "Slots left empty because no instructions arrived while the core could take "
			"some. Look at the size and layout of hot code, at fetch_latency first.",
	},
	{
		LEVEL1(backend_bound),
		.title = "BackEnd",
		.threshold_ratio = 0.2,
		.help = "Slots left empty because the core could not take more: it waited for data "
			"or for a busy unit. Look at memory_bound first.",
	},
	{
		LEVEL2(heavy_operations, RETIRING),
		.title = "HeavyOps",
		.threshold_ratio = 0.1,
		.help = "Useful slots of instructions that need several micro-operations or "
			"microcode. Look for divisions, string moves, gathers and denormals.",
	},
	{
		LEVEL2(light_operations, RETIRING),
		.title = "LightOps",
		.threshold_ratio = 0.6,
		.help = "Useful slots of instructions that are one micro-operation each. A large "
			"share asks for a better algorithm or for vector code.",
	},
	{
		LEVEL2(branch_mispredicts, BAD_SPECULATION),
		.title = "BrMispred",
		.threshold_ratio = 0.1,
		.help = "Slots lost to branches that went another way than predicted. Find them by "
			"sampling mispredicted branches; data-dependent ones may be made branchless.",
	},
	{
		LEVEL2(machine_clears, BAD_SPECULATION),
		.title = "Clears",
		.threshold_ratio = 0.1,
		.help = "Slots lost to restarts of the pipeline that no branch caused. Look for "
			"memory-ordering conflicts between threads, self-modifying code and "
			"floating-point assists.",
	},
	{
		LEVEL2(fetch_latency, FRONTEND_BOUND),
		.title = "FetchLat",
		.threshold_ratio = 0.1,
		.help = "Slots in cycles in which no instruction arrived at all. Look for misses of "
			"the instruction cache and TLB, and for frequent jumps between far code.",
	},
	{
		LEVEL2(fetch_bandwidth, FRONTEND_BOUND),
		.title = "FetchBw",
		.threshold_ratio = 0.2,
		.help = "Slots in cycles in which some instructions arrived, but too few. Look for "
			"hot code that does not fit the cache of decoded instructions.",
	},
	{
		LEVEL2(memory_bound, BACKEND_BOUND),
		.title = "MemBound",
		.threshold_ratio = 0.2,
		.help = "Slots in which the core waited for loads or stores. Look at cache misses, "
			"data layout, and at neighbours that share the cache and memory channels.",
	},
	{
		LEVEL2(core_bound, BACKEND_BOUND),
		.title = "CoreBound",
		.threshold_ratio = 0.1,
		.help = "Slots in which the core waited for execution units or for results of "
			"earlier instructions. Look at divisions and at long dependency chains.",
	},
};

#define LEVEL1_COUNTER_INDICES                                                         \
	{                                                                              \
		TOPDOWN_RETIRING, TOPDOWN_BAD_SPEC, TOPDOWN_FE_BOUND, TOPDOWN_BE_BOUND \
	}

#endif
