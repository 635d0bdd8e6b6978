// SPDX-License-Identifier: GPL-2.0-only
/* intel_old.c - Intel cores before Ice Lake: four slots a cycle, counted by ordinary events. */
/*
 * Codes: Intel's perfmon event files SKX 1.37 and BDX 23. A CPU is alone on its core:
 * ONE_THREAD_ACTIVE is all of REF_XCLK. Cycles and instructions have fixed counters, which the
 * kernel takes for the codes of the general ones too (FIXED_EVENT_CONSTRAINT in its
 * arch/x86/events).
 */
#include "simpmu.h"

#define COMMON_EVENTS                                                                          \
	{"cpu-cycles", 0x3c, .counters = FIXED(1) | ALL_GENERAL, .terms = {{CYCLES, 1, 1}}},   \
		{"instructions", 0xc0, .counters = FIXED(0) | ALL_GENERAL,                     \
		 .terms = {{RETIRING, 1, 1}, {HEAVY_OPS, -1, 1}}},                             \
		{NULL, 0x200, .counters = FIXED(1), .terms = {{CYCLES, 1, 1}}},                \
		{NULL, 0x100, .counters = FIXED(0),                                            \
		 .terms = {{RETIRING, 1, 1}, {HEAVY_OPS, -1, 1}}},                             \
		{"ref-cycles", 0x300, .counters = FIXED(2), .terms = {{CYCLES, 1, 1}}},        \
		{NULL, 0x13c, .terms = {{CYCLES, 1, 32}}},                                     \
		{NULL, 0x23c, .terms = {{CYCLES, 1, 32}}},                                     \
		{"topdown-slots-retired", 0x2c2, .terms = {{RETIRING, 1, 1}}},                 \
		{"topdown-fetch-bubbles", 0x19c, .counters = GENERAL_FIRST(4),                 \
		 .terms = {{FRONTEND, 1, 1}}},                                                 \
		{NULL, 0x400019c, .counters = GENERAL_FIRST(4), .terms = {{FETCH_LAT, 1, 4}}}, \
		{"branch-misses", 0xc5, .terms = {{BR_MISPREDICT, 1, 64}}},                    \
		{"cache-misses", 0x412e, .terms = {{MEM_BOUND, 1, 128}}},                      \
		{NULL, 0x10401c3, .terms = {{BAD_SPEC, 1, 64}, {BR_MISPREDICT, -1, 64}}},      \
	{                                                                                      \
		NULL, 0x40004a3, .terms = { {BACKEND, 1, 4} }                                  \
	} /* CYCLE_ACTIVITY.STALLS_TOTAL */

/* The slots of bad speculation: one half is issued and not retired, one is recovery. */
static const struct simpmu_event skylake_events[] = {
	COMMON_EVENTS,
	{"topdown-slots-issued", 0x10e, .terms = {{RETIRING, 1, 1}, {BAD_SPEC, 1, 2}}},
	{"topdown-recovery-bubbles", 0x10d, .terms = {{BAD_SPEC, 1, 8}}},
	{NULL, 0x4c2, .terms = {{CYCLES, 0, 1}}}, /* UOPS_RETIRED.MACRO_FUSED */
	{NULL, 0x140014a3, .terms = {{MEM_BOUND, 1, 4}}},
	{NULL, 0x40a6, .terms = {{CYCLES, 0, 1}}}, /* EXE_ACTIVITY.BOUND_ON_STORES */
	{NULL, 0x2a6, .terms = {{CYCLES, 0, 1}}}, /* EXE_ACTIVITY.1_PORTS_UTIL */
	{NULL, 0x4a6, .terms = {{CYCLES, 0, 1}}}, /* EXE_ACTIVITY.2_PORTS_UTIL */
	/* Of the cycles in which memory is waited for, a quarter each is of L1, L2, L3 and DRAM:
	 * CYCLE_ACTIVITY.STALLS_L1D_MISS, _L2_MISS, _L3_MISS. */
	{NULL, 0xc000ca3, .terms = {{MEM_BOUND, 3, 16}}},
	{NULL, 0x50005a3, .terms = {{MEM_BOUND, 1, 8}}},
	{NULL, 0x60006a3, .terms = {{MEM_BOUND, 1, 16}}},
	/* Of the rest of the back end's: ARITH.DIVIDER_ACTIVE, PARTIAL_RAT_STALLS.SCOREBOARD. */
	{NULL, 0x1000114, .terms = {{BACKEND, 1, 8}, {MEM_BOUND, -1, 8}}},
	{NULL, 0x159, .terms = {{BACKEND, 1, 16}, {MEM_BOUND, -1, 16}}},
	/* Latency of the front end: ICACHE_16B.IFDATA_STALL, and how often; ICACHE_TAG.STALLS,
	 * DSB2MITE_SWITCHES.PENALTY_CYCLES, DECODE.LCP. */
	{NULL, 0x480, .terms = {{FETCH_LAT, 1, 16}}},
	{NULL, 0x1040480, .terms = {{FETCH_LAT, 1, 64}}},
	{NULL, 0x483, .terms = {{FETCH_LAT, 1, 32}}},
	{NULL, 0x2ab, .terms = {{FETCH_LAT, 1, 64}}},
	{NULL, 0x187, .terms = {{FETCH_LAT, 1, 128}}},
	/* Its bandwidth: IDQ.ALL_MITE_CYCLES_ANY_UOPS, _4_UOPS, IDQ.DSB_CYCLES_ANY, _OK. */
	{NULL, 0x1002479, .terms = {{FRONTEND, 1, 4}, {FETCH_LAT, -1, 4}}},
	{NULL, 0x4002479, .terms = {{FRONTEND, 1, 8}, {FETCH_LAT, -1, 8}}},
	{NULL, 0x1001879, .terms = {{FRONTEND, 1, 4}, {FETCH_LAT, -1, 4}}},
	{NULL, 0x4001879, .terms = {{FRONTEND, 1, 16}, {FETCH_LAT, -1, 16}}},
	/* INT_MISC.CLEAR_RESTEER_CYCLES, BACLEARS.ANY. */
	{NULL, 0x800d, .terms = {{BAD_SPEC, 1, 16}}},
	{NULL, 0x1e6, .terms = {{BAD_SPEC, 1, 144}}},
	/* What retires: IDQ.MS_UOPS, IDQ.MS_SWITCHES, MEM_INST_RETIRED.ANY and
	 * BR_INST_RETIRED.ALL_BRANCHES; INST_RETIRED.PREC_DIST, for which one counter is. */
	{NULL, 0x3079, .terms = {{HEAVY_OPS, 1, 2}}},
	{NULL, 0x1043079, .terms = {{HEAVY_OPS, 1, 16}}},
	{NULL, 0x83d0, .terms = {{RETIRING, 1, 4}, {HEAVY_OPS, -1, 4}}},
	{NULL, 0xc4, .terms = {{RETIRING, 1, 8}}},
	{NULL, 0x1c0, .counters = GENERAL(1), .terms = {{RETIRING, 1, 1}, {HEAVY_OPS, -1, 1}}},
	/* FRONTEND_RETIRED.DSB_MISS, _L2_MISS; OFFCORE_RESPONSE.DEMAND_DATA_RD.ANY_RESPONSE,
	 * DEMAND_RFO, DEMAND_CODE_RD. */
	{NULL, 0x1c6, .value = 0x11, .terms = {{FRONTEND, 1, 64}}},
	{NULL, 0x1c6, .value = 0x13, .terms = {{FETCH_LAT, 1, 128}}},
	{NULL, 0x1b7, .value = 0x10001, .terms = {{MEM_BOUND, 1, 128}}},
	{NULL, 0x1b7, .value = 0x10002, .terms = {{BACKEND, 1, 255}}},
	{NULL, 0x1b7, .value = 0x10004, .terms = {{FETCH_LAT, 1, 200}}},
	{},
};

/* All of it is recovery, so that what is issued is retired and IDQ.MS_UOPS is heavy operations. */
static const struct simpmu_event broadwell_events[] = {
	COMMON_EVENTS,
	{"topdown-slots-issued", 0x10e, .terms = {{RETIRING, 1, 1}}},
	{"topdown-recovery-bubbles", 0x100030d, .terms = {{BAD_SPEC, 1, 4}}},
	{NULL, 0x3079, .terms = {{HEAVY_OPS, 1, 1}}},
	{NULL, 0x60006a3, .terms = {{MEM_BOUND, 1, 4}}}, /* CYCLE_ACTIVITY.STALLS_MEM_ANY */
	{NULL, 0x8a2, .terms = {{CYCLES, 0, 1}}}, /* RESOURCE_STALLS.SB */
	{NULL, 0x15e, .terms = {{CYCLES, 0, 1}}}, /* RS_EVENTS.EMPTY_CYCLES */
	{NULL, 0x10001b1, .terms = {{RETIRING, 1, 4}}}, /* UOPS_EXECUTED.CYCLES_GE_1, 2, 3 */
	{NULL, 0x20001b1, .terms = {{RETIRING, 1, 4}}},
	{NULL, 0x30001b1, .terms = {{RETIRING, 1, 4}}},
	{},
};

static const struct simpmu_core skylake = {
	.pmu_name = "cpu",
	.caps_name = "skylake",
	.is_raw = true,
	.width = 4,
	.counters = GENERAL_FIRST(4) | FIXED(0) | FIXED(1) | FIXED(2),
	.events = skylake_events,
};

static const struct simpmu_core broadwell = {
	.pmu_name = "cpu",
	.caps_name = "broadwell",
	.is_raw = true,
	.width = 4,
	.counters = GENERAL_FIRST(4) | FIXED(0) | FIXED(1) | FIXED(2),
	.events = broadwell_events,
};

const struct personality simpmu_skylake = {"skylake", {&skylake}};
const struct personality simpmu_broadwell = {"broadwell", {&broadwell}};
