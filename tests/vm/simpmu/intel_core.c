// SPDX-License-Identifier: GPL-2.0-only
/* intel_core.c - Intel cores that have PERF_METRICS: Sunny Cove, Golden Cove, Lion Cove. */
/*
 * Codes: Intel's perfmon event files ICX 1.30, SPR 1.39, ADL 1.40 and ARL 1.20. What an event
 * counts is chosen so that the published formulas give the profile's parts.
 */
#include "simpmu.h"

#define TOPDOWN_SLOTS                                             \
	{                                                         \
		"slots", 0x400, SLOTS_EVENT, .counters = FIXED(3) \
	}
#define TOPDOWN_METRIC(name, index)                                                 \
	{                                                                           \
		name, 0x8000 + ((index) << 8), METRIC_EVENT, (index), METRIC(index) \
	}
#define TOPDOWN_LEVEL1                                                                \
	TOPDOWN_METRIC("topdown-retiring", 0), TOPDOWN_METRIC("topdown-bad-spec", 1), \
		TOPDOWN_METRIC("topdown-fe-bound", 2), TOPDOWN_METRIC("topdown-be-bound", 3)
#define TOPDOWN_LEVEL2                                                                      \
	TOPDOWN_METRIC("topdown-heavy-ops", 4), TOPDOWN_METRIC("topdown-br-mispredict", 5), \
		TOPDOWN_METRIC("topdown-fetch-lat", 6), TOPDOWN_METRIC("topdown-mem-bound", 7)

/* Instructions by where their data was; the kernel has them on the first four counters only. */
#define RETIRED(code, ...)                                                                        \
	{                                                                                         \
		NULL, code, .counters = GENERAL_FIRST(4), .terms = {__VA_ARGS__}, .precise = true \
	}

/* What all of them have under one code. Those without a name are only in the vendor's tables. */
#define COMMON_EVENTS                                                                              \
	{"cpu-cycles", 0x3c, .terms = {{CYCLES, 1, 1}}},                                           \
		{"instructions", 0xc0, .terms = {{RETIRING, 1, 1}, {HEAVY_OPS, -1, 1}},            \
		 .precise = true},                                                                 \
		{NULL, 0x200, .counters = FIXED(1), .terms = {{CYCLES, 1, 1}}},                    \
		{NULL, 0x100, .counters = FIXED(0),                                                \
		 .terms = {{RETIRING, 1, 1}, {HEAVY_OPS, -1, 1}}},                                 \
		{"ref-cycles", 0x300, .counters = FIXED(2), .terms = {{CYCLES, 1, 1}}},            \
		{NULL, 0x2ec, .terms = {{CYCLES, 1, 1}}}, {NULL, 0x1a4, .terms = {{SLOTS, 1, 1}}}, \
		{NULL, 0x2a4, .terms = {{BACKEND, 1, 1}}},                                         \
		{NULL, 0x2c2, .terms = {{RETIRING, 1, 1}}},                                        \
		{NULL, 0x19c, .terms = {{FRONTEND, 1, 1}}},                                        \
		{"branch-misses", 0xc5, .terms = {{BR_MISPREDICT, 1, 64}}, .precise = true},       \
		{"cache-misses", 0x412e, .terms = {{MEM_BOUND, 1, 128}}},                          \
	{                                                                                          \
		NULL, 0x10401c3, .terms = { {BAD_SPEC, 1, 64}, {BR_MISPREDICT, -1, 64} }           \
	}

static const struct simpmu_event golden_cove_events[] = {
	TOPDOWN_SLOTS,
	TOPDOWN_LEVEL1,
	TOPDOWN_LEVEL2,
	COMMON_EVENTS,
	{NULL, 0x4a4, .counters = GENERAL(0), .terms = {{BAD_SPEC, 1, 1}}},
	{NULL, 0x8a4, .counters = GENERAL(0), .terms = {{BR_MISPREDICT, 1, 1}}},
	{NULL, 0x10a4, .terms = {{MEM_BOUND, 1, 1}}},
	{NULL, 0x1c2, .terms = {{HEAVY_OPS, 1, 1}}},
	{NULL, 0x1ae, .terms = {{RETIRING, 1, 1}, {BAD_SPEC, 1, 1}}},
	{NULL, 0x10ad, .terms = {{CYCLES, 0, 1}}}, /* INT_MISC.UOP_DROPPING */
	{NULL, 0x10401ad, .terms = {{CYCLES, 0, 1}}}, /* INT_MISC.CLEARS_COUNT */
	{NULL, 0x600019c, .terms = {{FETCH_LAT, 1, 6}}},
	/* Of the cycles in which memory is waited for, a quarter each is of L1, L2, L3 and DRAM:
	 * EXE_ACTIVITY.BOUND_ON_LOADS, MEMORY_ACTIVITY.STALLS_L1D_MISS, _L2_MISS, _L3_MISS. */
	{NULL, 0x50021a6, .terms = {{MEM_BOUND, 1, 6}}},
	{NULL, 0x3000347, .terms = {{MEM_BOUND, 1, 8}}},
	{NULL, 0x5000547, .terms = {{MEM_BOUND, 1, 12}}},
	{NULL, 0x9000947, .terms = {{MEM_BOUND, 1, 24}}},
	RETIRED(0x81d0, {RETIRING, 1, 4}), /* MEM_INST_RETIRED.ALL_LOADS */
	/* MEM_LOAD_RETIRED.L1_HIT, L2_HIT, L3_HIT, L1_MISS, L2_MISS, L3_MISS, FB_HIT */
	RETIRED(0x1d1, {RETIRING, 1, 8}),
	RETIRED(0x2d1, {MEM_BOUND, 1, 64}),
	RETIRED(0x4d1, {MEM_BOUND, 1, 128}),
	RETIRED(0x8d1, {MEM_BOUND, 1, 32}),
	RETIRED(0x10d1, {MEM_BOUND, 1, 64}),
	RETIRED(0x20d1, {MEM_BOUND, 1, 128}),
	RETIRED(0x40d1, {MEM_BOUND, 1, 192}),
	{},
};

static const struct simpmu_event sunny_cove_events[] = {
	TOPDOWN_SLOTS,
	TOPDOWN_LEVEL1,
	COMMON_EVENTS,
	{NULL, 0x10e, .terms = {{RETIRING, 1, 1}, {BAD_SPEC, 1, 1}}},
	{NULL, 0x100d, .terms = {{CYCLES, 0, 1}}}, /* INT_MISC.UOP_DROPPING */
	{NULL, 0x104010d, .terms = {{CYCLES, 0, 1}}}, /* INT_MISC.CLEARS_COUNT */
	{NULL, 0x500019c, .terms = {{FETCH_LAT, 1, 5}}},
	{NULL, 0x140014a3, .terms = {{MEM_BOUND, 1, 5}}},
	{NULL, 0x40004a3, .terms = {{BACKEND, 1, 5}}},
	{NULL, 0x20040a6, .terms = {{CYCLES, 0, 1}}}, /* EXE_ACTIVITY.BOUND_ON_STORES */
	{NULL, 0x2a6, .terms = {{CYCLES, 0, 1}}}, /* EXE_ACTIVITY.1_PORTS_UTIL */
	{NULL, 0x4a6, .terms = {{CYCLES, 0, 1}}}, /* EXE_ACTIVITY.2_PORTS_UTIL */
	{NULL, 0x156, .counters = GENERAL_FIRST(4), .terms = {{HEAVY_OPS, 1, 1}}},
	{NULL, 0x1000156, .counters = GENERAL_FIRST(4), .terms = {{CYCLES, 0, 1}}},
	{NULL, 0x479, .counters = GENERAL_FIRST(4), .terms = {{RETIRING, 1, 1}}},
	{NULL, 0x3079, .counters = GENERAL_FIRST(4), .terms = {{CYCLES, 0, 1}}},
	{},
};

static const struct simpmu_event lion_cove_events[] = {
	TOPDOWN_SLOTS,
	TOPDOWN_LEVEL1,
	TOPDOWN_LEVEL2,
	COMMON_EVENTS,
	{NULL, 0x4a4, .counters = GENERAL(0), .terms = {{BAD_SPEC, 1, 1}}},
	{NULL, 0x8a4, .counters = GENERAL(0), .terms = {{BR_MISPREDICT, 1, 1}}},
	{NULL, 0x10a4, .counters = GENERAL(3), .terms = {{MEM_BOUND, 1, 1}}},
	{NULL, 0x1c2, .terms = {{HEAVY_OPS, 1, 1}}},
	{NULL, 0x1ae, .terms = {{RETIRING, 1, 1}, {BAD_SPEC, 1, 1}}},
	{NULL, 0x10ad, .terms = {{CYCLES, 0, 1}}},
	{NULL, 0x10401ad, .terms = {{CYCLES, 0, 1}}},
	{NULL, 0x800019c, .terms = {{FETCH_LAT, 1, 8}}},
	{},
};

#define METRICS(n) (((1ull << (n)) - 1) << 32)
#define FIXED_FIRST(n) (((1ull << (n)) - 1) << 16)

static const struct simpmu_core golden_cove = {
	.pmu_name = "cpu",
	.caps_name = "sapphire_rapids",
	.is_raw = true,
	.width = 6,
	.counters = GENERAL_FIRST(8) | FIXED_FIRST(4) | METRICS(8),
	.events = golden_cove_events,
};

/* To software a Golden Cove, but for what its samples tell. */
static const struct simpmu_core redwood_cove = {
	.pmu_name = "cpu",
	.caps_name = "granite_rapids",
	.is_raw = true,
	.width = 6,
	.has_latency = true,
	.counters = GENERAL_FIRST(8) | FIXED_FIRST(4) | METRICS(8),
	.events = golden_cove_events,
};

static const struct simpmu_core golden_cove_hybrid = {
	.pmu_name = "cpu_core",
	.caps_name = "alderlake_hybrid",
	.is_raw = true,
	.width = 6,
	.counters = GENERAL_FIRST(8) | FIXED_FIRST(4) | METRICS(8),
	.events = golden_cove_events,
};

static const struct simpmu_core sunny_cove = {
	.pmu_name = "cpu",
	.caps_name = "icelake",
	.is_raw = true,
	.width = 5,
	.counters = GENERAL_FIRST(8) | FIXED_FIRST(4) | METRICS(4),
	.events = sunny_cove_events,
};

static const struct simpmu_core lion_cove_hybrid = {
	.pmu_name = "cpu_core",
	.caps_name = "arrowlake_hybrid",
	.is_raw = true,
	.width = 8,
	.counters = GENERAL_FIRST(10) | FIXED_FIRST(4) | METRICS(8),
	.events = lion_cove_events,
};

const struct personality simpmu_sapphire_rapids = {"sapphire_rapids", {&golden_cove}};
const struct personality simpmu_granite_rapids = {"granite_rapids", {&redwood_cove}};
const struct personality simpmu_ice_lake = {"ice_lake", {&sunny_cove}};
const struct personality simpmu_alder_lake = {"alder_lake",
					      {&golden_cove_hybrid, &simpmu_gracemont}};
const struct personality simpmu_arrow_lake = {"arrow_lake", {&lion_cove_hybrid, &simpmu_skymont}};
