/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* perf_metrics.h - events and formulas of the PERF_METRICS register, for the cores that have it. */
#ifndef CPU_PERF_METRICS_H
#define CPU_PERF_METRICS_H

#include "cpu/topdown.h"

/*
 * The register divides the slots of fixed counter 3 into eight fractions; the kernel presents each
 * as an event that counts slots. Four are level 1 and add up to the whole; the other four, from
 * Golden Cove on, are one half of each level-1 part, whose other half is what remains.
 *
 * The denominator is the sum of the four, as in Intel's formulas: the rounding of the 8-bit
 * fractions then drops out. Intel's also correct with counters for front-end bubbles that the
 * register charges wrongly (INT_MISC.UOP_DROPPING, on Sunny Cove INT_MISC.CLEARS_COUNT too). These
 * take general-purpose counters, which the group leaves to others, so they are not applied.
 * Formulas of level 1 touch the first five counts only.
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

#define SYSFS(event)            \
	{                       \
		.name = (event) \
	}
#define LEVEL1_EVENTS                                                         \
	SYSFS("slots"), SYSFS("topdown-retiring"), SYSFS("topdown-bad-spec"), \
		SYSFS("topdown-fe-bound"), SYSFS("topdown-be-bound")
#define LEVEL2_EVENTS                                                                           \
	SYSFS("topdown-heavy-ops"), SYSFS("topdown-br-mispredict"), SYSFS("topdown-fetch-lat"), \
		SYSFS("topdown-mem-bound")
#define LEVEL1_SUM (topdown_retiring + topdown_bad_spec + topdown_fe_bound + topdown_be_bound)
#define WITHOUT_CORRECTIONS "; without the corrections by INT_MISC events"

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
#define LEVEL1_FORMULAS \
	FORMULA(retiring, LEVEL1_COUNTS, topdown_retiring / LEVEL1_SUM) \
	FORMULA(bad_speculation, LEVEL1_COUNTS, topdown_bad_spec / LEVEL1_SUM) \
	FORMULA(frontend_bound, LEVEL1_COUNTS, topdown_fe_bound / LEVEL1_SUM) \
	FORMULA(backend_bound, LEVEL1_COUNTS, topdown_be_bound / LEVEL1_SUM)
/* A half and its parent are rounded apart, so that what remains may come out a little below 0. */
#define LEVEL2_FORMULAS \
	FORMULA(heavy_operations, HEAVY_OPS, topdown_heavy_ops / LEVEL1_SUM) \
	FORMULA(light_operations, HEAVY_OPS, fmax(0, topdown_retiring - topdown_heavy_ops) / LEVEL1_SUM) \
	FORMULA(branch_mispredicts, BR_MISPREDICT, topdown_br_mispredict / LEVEL1_SUM) \
	FORMULA(machine_clears, BR_MISPREDICT, fmax(0, topdown_bad_spec - topdown_br_mispredict) / LEVEL1_SUM) \
	FORMULA(fetch_latency, FETCH_LAT, topdown_fetch_lat / LEVEL1_SUM) \
	FORMULA(fetch_bandwidth, FETCH_LAT, fmax(0, topdown_fe_bound - topdown_fetch_lat) / LEVEL1_SUM) \
	FORMULA(memory_bound, MEM_BOUND, topdown_mem_bound / LEVEL1_SUM) \
	FORMULA(core_bound, MEM_BOUND, fmax(0, topdown_be_bound - topdown_mem_bound) / LEVEL1_SUM)

/* clang-format on */

#define LEVEL1_COUNTER_INDICES                                                         \
	{                                                                              \
		TOPDOWN_RETIRING, TOPDOWN_BAD_SPEC, TOPDOWN_FE_BOUND, TOPDOWN_BE_BOUND \
	}

#endif
