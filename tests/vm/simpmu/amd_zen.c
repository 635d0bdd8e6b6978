// SPDX-License-Identifier: GPL-2.0-only
/* amd_zen.c - AMD Zen 4 and Zen 5: slots at dispatch, six ordinary counters and no fixed ones. */
/*
 * Codes: the pipeline tables of Linux 7.3's perf (tools/perf/pmu-events/arch/x86/amdzen4, amdzen5).
 */
#include "simpmu.h"

#define COMMON_EVENTS                                                                    \
	{"cpu-cycles", 0x76, .terms = {{CYCLES, 1, 1}}},                                 \
		{"instructions", 0xc0, .terms = {{RETIRING, 1, 1}, {HEAVY_OPS, -1, 1}}}, \
		{NULL, 0xc1, .terms = {{RETIRING, 1, 1}}}, /* ex_ret_ops */              \
		{NULL, 0x7aa, .terms = {{RETIRING, 1, 1}, {BAD_SPEC, 1, 1}}},            \
		{NULL, 0x1000001a0, .terms = {{FRONTEND, 1, 1}}},                        \
		{NULL, 0x100001ea0, .terms = {{BACKEND, 1, 1}}},                         \
		{NULL, 0x1000060a0, .terms = {{SMT_CONTENTION, 1, 1}}},                  \
		{"branch-misses", 0xc3, .terms = {{BR_MISPREDICT, 1, 64}}},              \
		{NULL, 0x964, .terms = {{MEM_BOUND, 1, 128}}}, /* L2 misses */           \
		{NULL, 0xa2d6, .terms = {{MEM_BOUND, 1, 8}}}, /* ex_no_retire, loads */  \
		{NULL, 0x2d6, .terms = {{BACKEND, 1, 8}}}, /* ex_no_retire, all */       \
	{                                                                                \
		NULL, 0x1000000c2, .terms = { {HEAVY_OPS, 1, 1} }                        \
	} /* ex_ret_ucode_ops */

static const struct simpmu_event zen4_events[] = {
	COMMON_EVENTS,
	{NULL, 0x1060001a0, .terms = {{FETCH_LAT, 1, 6}}},
	{NULL, 0x96, .terms = {{BAD_SPEC, 1, 64}, {BR_MISPREDICT, -1, 64}}}, /* resyncs */
	{NULL, 0xc2, .terms = {{RETIRING, 1, 8}}}, /* ex_ret_brn */
	{NULL, 0xf03, .terms = {{RETIRING, 3, 1}}}, /* fp_ret_sse_avx_ops.all, by two counters */
	{NULL, 0x803, .terms = {{HEAVY_OPS, 7, 1}}}, /* fp_ret_sse_avx_ops.mac_flops, too */
	{},
};

static const struct simpmu_event zen5_events[] = {
	COMMON_EVENTS,
	{NULL, 0x1080001a0, .terms = {{FETCH_LAT, 1, 8}}},
	{NULL, 0x19f, .terms = {{BAD_SPEC, 1, 64}, {BR_MISPREDICT, -1, 64}}}, /* resyncs */
	{},
};

static const struct simpmu_core zen4 = {
	.pmu_name = "cpu",
	.is_raw = true,
	.encoding = AMD_ENCODING,
	.width = 6,
	.counters = GENERAL_FIRST(6),
	.events = zen4_events,
};

static const struct simpmu_core zen5 = {
	.pmu_name = "cpu",
	.is_raw = true,
	.encoding = AMD_ENCODING,
	.width = 8,
	.counters = GENERAL_FIRST(6),
	.events = zen5_events,
};

const struct personality simpmu_zen4 = {"zen4", {&zen4}};
const struct personality simpmu_zen5 = {"zen5", {&zen5}};
