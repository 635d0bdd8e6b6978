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

/* Three quarters of that half are in the back end's stalls. */
static const struct simpmu_event v2_events[] = {
	COMMON_EVENTS(8),
	SLOT_EVENTS,
	NAMED("br_mis_pred", 0x10, {BAD_SPEC, 1, 64}),
	NAMED("stall_slot_backend", 0x3d, {BACKEND, 1, 1}, {BAD_SPEC, 3, 8}),
	NAMED("stall_slot_frontend", 0x3e, {FRONTEND, 1, 1}, {BAD_SPEC, 1, 8}),
	NAMED("stall_slot", 0x3f, {FRONTEND, 1, 1}, {BACKEND, 1, 1}, {BAD_SPEC, 1, 2}),
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
