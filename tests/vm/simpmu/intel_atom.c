// SPDX-License-Identifier: GPL-2.0-only
/* intel_atom.c - Intel's E-cores: Gracemont, Crestmont, Skymont, with ordinary counters of slots.
 *  */
/*
 * Codes: Intel's perfmon event files ADL 1.40 (Gracemont), SRF 1.18 and ARL 1.20 (Skymont).
 */
#include "simpmu.h"

#define COMMON_EVENTS                                                                             \
	{"cpu-cycles", 0x3c, .counters = FIXED(1) | GENERAL_FIRST(8), .terms = {{CYCLES, 1, 1}}}, \
		{"instructions", 0xc0, .terms = {{RETIRING, 1, 1}, {HEAVY_OPS, -1, 1}}},          \
		{NULL, 0x200, .counters = FIXED(1), .terms = {{CYCLES, 1, 1}}},                   \
		{NULL, 0x100, .counters = FIXED(0),                                               \
		 .terms = {{RETIRING, 1, 1}, {HEAVY_OPS, -1, 1}}},                                \
		{"ref-cycles", 0x300, .counters = FIXED(2), .terms = {{CYCLES, 1, 1}}},           \
		{"topdown-bad-spec", 0x73, .terms = {{BAD_SPEC, 1, 1}}},                          \
		{"cache-misses", 0x412e, .terms = {{MEM_BOUND, 1, 128}}},                         \
		{NULL, 0x473, .terms = {{BR_MISPREDICT, 1, 1}}},                                  \
		{NULL, 0x373, .terms = {{BAD_SPEC, 1, 1}, {BR_MISPREDICT, -1, 1}}},               \
		{NULL, 0x7271, .terms = {{FETCH_LAT, 1, 1}}},                                     \
		{NULL, 0x8d71, .terms = {{FRONTEND, 1, 1}, {FETCH_LAT, -1, 1}}},                  \
		{NULL, 0x174, .terms = {{BACKEND, 1, 1}, {MEM_BOUND, -1, 1}}},                    \
	{                                                                                         \
		"branch-misses", 0xc5, .terms = { {BR_MISPREDICT, 1, 64} }                        \
	}

static const struct simpmu_event gracemont_events[] = {
	COMMON_EVENTS,
	{"topdown-fe-bound", 0x71, .terms = {{FRONTEND, 1, 1}}},
	{"topdown-be-bound", 0x74, .terms = {{BACKEND, 1, 1}}},
	{"topdown-retiring", 0xc2, .terms = {{RETIRING, 1, 1}}},
	{},
};

static const struct simpmu_event crestmont_events[] = {
	COMMON_EVENTS,
	{"topdown-fe-bound", 0x71, .terms = {{FRONTEND, 1, 1}}},
	{"topdown-be-bound", 0x74, .terms = {{BACKEND, 1, 1}}},
	{"topdown-retiring", 0x72, .terms = {{RETIRING, 1, 1}}},
	{NULL, 0xc2, .terms = {{RETIRING, 1, 1}}},
	{},
};

static const struct simpmu_event skymont_events[] = {
	COMMON_EVENTS,
	{"topdown-fe-bound", 0x19c, .terms = {{FRONTEND, 1, 1}}},
	{"topdown-be-bound", 0x2a4, .terms = {{BACKEND, 1, 1}}},
	{"topdown-retiring", 0x2c2, .terms = {{RETIRING, 1, 1}}},
	{NULL, 0x500, .counters = FIXED(4), .terms = {{BAD_SPEC, 1, 1}}},
	{NULL, 0x600, .counters = FIXED(5), .terms = {{FRONTEND, 1, 1}}},
	{NULL, 0x700, .counters = FIXED(6), .terms = {{RETIRING, 1, 1}}},
	{},
};

#define FIXED_THREE (FIXED(0) | FIXED(1) | FIXED(2))

const struct simpmu_core simpmu_gracemont = {
	.pmu_name = "cpu_atom",
	.width = 5,
	.counters = GENERAL_FIRST(6) | FIXED_THREE,
	.events = gracemont_events,
};

const struct simpmu_core simpmu_skymont = {
	.pmu_name = "cpu_atom",
	.width = 8,
	.counters = GENERAL_FIRST(8) | FIXED_THREE | FIXED(4) | FIXED(5) | FIXED(6),
	.events = skymont_events,
};

static const struct simpmu_core crestmont = {
	.pmu_name = "cpu",
	.caps_name = "crestmont",
	.is_raw = true,
	.width = 6,
	.counters = GENERAL_FIRST(8) | FIXED_THREE,
	.events = crestmont_events,
};

const struct personality simpmu_sierra_forest = {"sierra_forest", {&crestmont}};
