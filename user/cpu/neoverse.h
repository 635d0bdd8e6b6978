/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* neoverse.h - level 1 of Arm's server cores that count stalled slots. */
#ifndef CPU_NEOVERSE_H
#define CPU_NEOVERSE_H

#include "cpu/arm_general.h"

/*
 * Six event counters, which is all that these cores have, and the one that counts nothing but
 * cycles. The codes are the architecture's, but for the last: of what tells the slots that a wrong
 * branch costs besides those whose operations were thrown away, which differs.
 *
 * Formulas are Arm's as they stand. Estimating that cost they may take more from a stall than was
 * counted of it, and come out a little below 0.
 */
enum {
	CPU_CYCLES,
	STALL_SLOT,
	STALL_SLOT_FRONTEND,
	STALL_SLOT_BACKEND,
	OP_RETIRED,
	OP_SPEC,
	RECOVERY,
	LEVEL1_COUNTERS,
};

/* clang-format off */
#define EVENTS(recovery, code) \
	{"cpu_cycles", 0x11}, \
	{"stall_slot", 0x3f}, \
	{"stall_slot_frontend", 0x3e}, \
	{"stall_slot_backend", 0x3d}, \
	{"op_retired", 0x3a}, \
	{"op_spec", 0x3b}, \
	{(recovery), (code)}, \
	{NULL, 0}

#define COUNTS(recovery) \
	COUNT cpu_cycles = count[CPU_CYCLES]; \
	COUNT stall_slot = count[STALL_SLOT]; \
	COUNT stall_slot_frontend = count[STALL_SLOT_FRONTEND]; \
	COUNT stall_slot_backend = count[STALL_SLOT_BACKEND]; \
	COUNT op_retired = count[OP_RETIRED]; \
	COUNT op_spec = count[OP_SPEC]; \
	COUNT recovery = count[RECOVERY]

/* Implementer, part; every revision. */
#define ARM(part) {0x41, part, part, 0, 0, CTD_CORE_MAIN}
/* clang-format on */

#define PUBLICATION(core)           \
	"Arm's telemetry data for " \
	"Neoverse " core " of 2025-08; it has no thresholds, these are Intel's of TMA"

/* What all have, beside name, title and publication. There is no level 2: V1, V2 and N2 have none,
 * and that of N3 and V3 is of cycles, which are no parts of slots. */
#define STALLED_SLOTS(width)                                                      \
	.source = "arm_slots", .vendor = "arm", .slots_per_cycle = (width),       \
	.slots_per_count = (width), .general_counters = 6, .read = CTD_READ_EACH, \
	.groups = {events, [CTD_GENERAL_GROUP] = general_events}, .cache = "l2",  \
	.leader_fixed = true, .ids = ids, .nodes = nodes,                         \
	.nodes_count = sizeof(nodes) / sizeof(*nodes), .l1_counters = {-1, -1, -1, -1}

#endif
