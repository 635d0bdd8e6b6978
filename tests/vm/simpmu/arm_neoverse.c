// SPDX-License-Identifier: GPL-2.0-only
/* arm_neoverse.c - Arm Neoverse N1 to V3: six ordinary counters and one of cycles. */
/*
 * Codes and formulas: Arm's telemetry data of 2025-08. With W slots a cycle one half of bad
 * speculation is what is speculated and not retired, the other the formulas take from mispredicted
 * branches, at 4 cycles each (V1; V2 and N2 split these among the stalls), or from
 * STALL_FRONTEND_FLUSH (N3, V3).
 */
#include "simpmu.h"

#define NAMED(name, config, ...)                       \
	{                                              \
		name, config, .terms = { __VA_ARGS__ } \
	}
#define COMMON_EVENTS(width)                                                                      \
	{"cpu_cycles", 0x11, .counters = FIXED(0) | GENERAL_FIRST(6), .terms = {{CYCLES, 1, 1}}}, \
		NAMED("inst_retired", 0x08, {RETIRING, 1, 1}, {HEAVY_OPS, -1, 1}),                \
		NAMED("br_mis_pred_retired", 0x22, {BR_MISPREDICT, 1, 64}),                       \
		NAMED("l2d_cache_refill", 0x17, {MEM_BOUND, 1, 128}),                             \
		NAMED("stall_frontend", 0x23, {FRONTEND, 1, width}),                              \
		NAMED("stall_backend", 0x24, {BACKEND, 1, width})
#define SLOT_EVENTS                                  \
	NAMED("op_retired", 0x3a, {RETIRING, 1, 1}), \
		NAMED("op_spec", 0x3b, {RETIRING, 1, 1}, {BAD_SPEC, 1, 2})

/* 4 * 8 slots for each: one half of the bad ones. */
static const struct simpmu_event v1_events[] = {
	COMMON_EVENTS(8),
	SLOT_EVENTS,
	NAMED("br_mis_pred", 0x10, {BAD_SPEC, 1, 64}),
	NAMED("stall_slot_backend", 0x3d, {BACKEND, 1, 1}),
	NAMED("stall_slot_frontend", 0x3e, {FRONTEND, 1, 1}, {BAD_SPEC, 1, 2}),
	NAMED("stall_slot", 0x3f, {FRONTEND, 1, 1}, {BACKEND, 1, 1}, {BAD_SPEC, 1, 2}),
	{},
};

/* Caches and TLBs, by what misses them; operations, by what they do. */
#define INSTRUCTIONS(part)          \
	{RETIRING, 1, part},        \
	{                           \
		HEAVY_OPS, -1, part \
	}
#define ACCESSES(name, config, ...) NAMED(name, config, INSTRUCTIONS(4), __VA_ARGS__)
#define STAGE_2_EVENTS                                                        \
	NAMED("br_retired", 0x21, INSTRUCTIONS(5)),                           \
		NAMED("l1i_cache_refill", 0x01, {FETCH_LAT, 1, 160}),         \
		NAMED("l1i_tlb_refill", 0x02, {FETCH_LAT, 1, 200}),           \
		NAMED("l2d_tlb_refill", 0x2d, {FETCH_LAT, 1, 250}),           \
		NAMED("itlb_walk", 0x35, {FETCH_LAT, 1, 255}),                \
		NAMED("l1d_cache_refill", 0x03, {MEM_BOUND, 1, 64}),          \
		NAMED("l1d_tlb_refill", 0x05, {MEM_BOUND, 1, 100}),           \
		NAMED("dtlb_walk", 0x34, {MEM_BOUND, 1, 240}),                \
		NAMED("ll_cache_miss_rd", 0x37, {MEM_BOUND, 1, 255}),         \
		ACCESSES("l1i_cache", 0x14, {FETCH_LAT, 1, 160}),             \
		ACCESSES("l1i_tlb", 0x26, {FETCH_LAT, 1, 200}),               \
		ACCESSES("l1d_cache", 0x04, {MEM_BOUND, 1, 64}),              \
		ACCESSES("l1d_tlb", 0x25, {MEM_BOUND, 1, 100}),               \
		NAMED("l2d_cache", 0x16, {MEM_BOUND, 1, 32}),                 \
		NAMED("l2d_tlb", 0x2f, {FETCH_LAT, 1, 100}),                  \
		NAMED("ll_cache_rd", 0x36, {MEM_BOUND, 1, 128}),              \
		NAMED("inst_spec", 0x1b, {RETIRING, 1, 1}, {BAD_SPEC, 1, 2}), \
		NAMED("ld_spec", 0x70, {RETIRING, 1, 4}),                     \
		NAMED("st_spec", 0x71, {RETIRING, 1, 8}),                     \
		NAMED("dp_spec", 0x73, {RETIRING, 1, 3}),                     \
		NAMED("ase_spec", 0x74, {HEAVY_OPS, 1, 2}),                   \
		NAMED("vfp_spec", 0x75, {HEAVY_OPS, 1, 4}),                   \
		NAMED("crypto_spec", 0x77, {HEAVY_OPS, 1, 8}),                \
		NAMED("br_immed_spec", 0x78, {BAD_SPEC, 1, 6}),               \
		NAMED("br_indirect_spec", 0x7a, {BAD_SPEC, 1, 12}),           \
		NAMED("isb_spec", 0x7c, {BAD_SPEC, 1, 200}),                  \
		NAMED("dsb_spec", 0x7d, {BAD_SPEC, 1, 100}),                  \
		NAMED("dmb_spec", 0x7e, {RETIRING, 1, 50}),                   \
		NAMED("sve_inst_spec", 0x8006, {HEAVY_OPS, 1, 3}),            \
		NAMED("fp_scale_ops_spec", 0x80c0, {HEAVY_OPS, 1, 5}),        \
		NAMED("fp_fixed_ops_spec", 0x80c1, {RETIRING, 1, 6})

/* Three quarters of that half are in the back end's stalls. */
static const struct simpmu_event v2_events[] = {
	COMMON_EVENTS(8),
	SLOT_EVENTS,
	NAMED("br_mis_pred", 0x10, {BAD_SPEC, 1, 64}),
	NAMED("stall_slot_backend", 0x3d, {BACKEND, 1, 1}, {BAD_SPEC, 3, 8}),
	NAMED("stall_slot_frontend", 0x3e, {FRONTEND, 1, 1}, {BAD_SPEC, 1, 8}),
	NAMED("stall_slot", 0x3f, {FRONTEND, 1, 1}, {BACKEND, 1, 1}, {BAD_SPEC, 1, 2}),
	STAGE_2_EVENTS,
	{},
};

static const struct simpmu_event n2_events[] = {
	COMMON_EVENTS(5),
	SLOT_EVENTS,
	NAMED("br_mis_pred", 0x10, {BAD_SPEC, 1, 40}),
	NAMED("stall_slot_backend", 0x3d, {BACKEND, 1, 1}, {BAD_SPEC, 3, 8}),
	NAMED("stall_slot_frontend", 0x3e, {FRONTEND, 1, 1}, {BAD_SPEC, 1, 8}),
	NAMED("stall_slot", 0x3f, {FRONTEND, 1, 1}, {BACKEND, 1, 1}, {BAD_SPEC, 1, 2}),
	{},
};

/* Before r0p3 the front end's stalls are a slot too many in every cycle. FRONTEND, BACKEND and
 * BAD_SPEC by halves are SLOTS less RETIRING less the other half. */
static const struct simpmu_event n2_r0p0_events[] = {
	COMMON_EVENTS(5),
	SLOT_EVENTS,
	NAMED("br_mis_pred", 0x10, {BAD_SPEC, 1, 40}),
	NAMED("stall_slot_backend", 0x3d, {BACKEND, 1, 1}, {BAD_SPEC, 3, 8}),
	NAMED("stall_slot_frontend", 0x3e, {FRONTEND, 1, 1}, {BAD_SPEC, 1, 8}, {CYCLES, 1, 1}),
	NAMED("stall_slot", 0x3f, {SLOTS, 6, 5}, {RETIRING, -1, 1}, {BAD_SPEC, -1, 2}),
	{},
};

#define FLUSH_EVENTS(width)                                                                     \
	NAMED("br_mis_pred", 0x10, {BR_MISPREDICT, 1, 64}),                                     \
		NAMED("stall_slot_backend", 0x3d, {BACKEND, 1, 1}),                             \
		NAMED("stall_slot_frontend", 0x3e, {FRONTEND, 1, 1}, {BAD_SPEC, 1, 2}),         \
		NAMED("stall_slot", 0x3f, {FRONTEND, 1, 1}, {BACKEND, 1, 1}, {BAD_SPEC, 1, 2}), \
		NAMED("stall_frontend_flush", 0x8162, {BAD_SPEC, 1, 2 * (width)})

static const struct simpmu_event n3_events[] = {
	COMMON_EVENTS(5),
	SLOT_EVENTS,
	FLUSH_EVENTS(5),
	{},
};

static const struct simpmu_event v3_events[] = {
	COMMON_EVENTS(10),
	SLOT_EVENTS,
	FLUSH_EVENTS(10),
	{},
};

static const struct simpmu_event n1_events[] = {
	COMMON_EVENTS(4),
	NAMED("br_mis_pred", 0x10, {BR_MISPREDICT, 1, 64}),
	{},
};

#define NEOVERSE(core, slots)                            \
	static const struct simpmu_core core = {         \
		.pmu_name = "armv8_pmuv3_0",             \
		.encoding = ARM_ENCODING,                \
		.width = slots,                          \
		.counters = GENERAL_FIRST(6) | FIXED(0), \
		.events = core##_events,                 \
	};                                               \
	const struct personality simpmu_neoverse_##core = {"neoverse_" #core, {&core}};

NEOVERSE(n1, 4)
NEOVERSE(v1, 8)
NEOVERSE(v2, 8)
NEOVERSE(n2, 5)
NEOVERSE(n2_r0p0, 5)
NEOVERSE(n3, 5)
NEOVERSE(v3, 10)
