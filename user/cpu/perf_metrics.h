/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* perf_metrics.h - events and nodes of the PERF_METRICS register, for the cores that have it. */
#ifndef CPU_PERF_METRICS_H
#define CPU_PERF_METRICS_H

#include "cpu/nodes.h"

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
 *
 * A half and its parent are rounded apart, so that what remains may come out a little below 0.
 */
/* clang-format off */
#define PERF_METRICS_LEVEL1_EVENTS \
	{"slots", 0}, \
	{"topdown-retiring", 0}, \
	{"topdown-bad-spec", 0}, \
	{"topdown-fe-bound", 0}, \
	{"topdown-be-bound", 0}
#define PERF_METRICS_LEVEL2_EVENTS \
	{"topdown-heavy-ops", 0}, \
	{"topdown-br-mispredict", 0}, \
	{"topdown-fetch-lat", 0}, \
	{"topdown-mem-bound", 0}
/* Which of the first group's counters are the four of level 1. */
#define PERF_METRICS_LEVEL1_COUNTERS {1, 2, 3, 4}

#define PERF_METRICS_SUM \
	"(topdown\\-retiring + topdown\\-bad\\-spec + topdown\\-fe\\-bound + topdown\\-be\\-bound)"
#define PERF_METRICS_LEVEL1_NODES \
	RETIRING_NODE(5, "topdown\\-retiring / " PERF_METRICS_SUM), \
	BAD_SPECULATION_NODE(5, "topdown\\-bad\\-spec / " PERF_METRICS_SUM), \
	FRONTEND_BOUND_NODE(5, "topdown\\-fe\\-bound / " PERF_METRICS_SUM), \
	BACKEND_BOUND_NODE(5, "topdown\\-be\\-bound / " PERF_METRICS_SUM)
#define PERF_METRICS_LEVEL2_NODES \
	HEAVY_OPERATIONS_NODE(RETIRING, 0, 9, "topdown\\-heavy\\-ops / " PERF_METRICS_SUM), \
	LIGHT_OPERATIONS_NODE(RETIRING, 0, 9, \
		"max(0, topdown\\-retiring - topdown\\-heavy\\-ops) / " PERF_METRICS_SUM), \
	BRANCH_MISPREDICTS_NODE(0, 9, "topdown\\-br\\-mispredict / " PERF_METRICS_SUM), \
	MACHINE_CLEARS_NODE(0, 9, \
		"max(0, topdown\\-bad\\-spec - topdown\\-br\\-mispredict) / " PERF_METRICS_SUM), \
	FETCH_LATENCY_NODE(FRONTEND_BOUND, 0, 9, "topdown\\-fetch\\-lat / " PERF_METRICS_SUM), \
	FETCH_BANDWIDTH_NODE(FRONTEND_BOUND, 0, 9, \
		"max(0, topdown\\-fe\\-bound - topdown\\-fetch\\-lat) / " PERF_METRICS_SUM), \
	MEMORY_BOUND_NODE(0, 9, "topdown\\-mem\\-bound / " PERF_METRICS_SUM), \
	CORE_BOUND_NODE(0, 9, \
		"max(0, topdown\\-be\\-bound - topdown\\-mem\\-bound) / " PERF_METRICS_SUM)
/* clang-format on */

#define WITHOUT_CORRECTIONS "; without the corrections by INT_MISC events"

#endif
