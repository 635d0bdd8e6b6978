/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* neoverse.h - events of Arm's server cores that count stalled slots. */
#ifndef CPU_NEOVERSE_H
#define CPU_NEOVERSE_H

#include "cpu/arm.h"

/*
 * Six event counters, which is all that these cores have, and the one that counts nothing but
 * cycles. The codes are the architecture's, but for the last: of what tells the slots that a wrong
 * branch costs besides those whose operations were thrown away, which differs.
 *
 * Formulas are Arm's as they stand. Estimating that cost they may take more from a stall than was
 * counted of it, and come out a little below 0.
 */
/* clang-format off */
#define NEOVERSE_EVENTS(recovery, code) \
	{"cpu_cycles", 0x11}, \
	{"stall_slot", 0x3f}, \
	{"stall_slot_frontend", 0x3e}, \
	{"stall_slot_backend", 0x3d}, \
	{"op_retired", 0x3a}, \
	{"op_spec", 0x3b}, \
	{(recovery), (code)}, \
	{NULL, 0}

#define NEOVERSE_SLOTS(width) "(" width " * cpu_cycles)"
/* The share of the slots that began an operation. */
#define NEOVERSE_USED(width) "(1 - stall_slot / " NEOVERSE_SLOTS(width) ")"
/* clang-format on */

#define NEOVERSE_PUBLICATION(core) \
	"Arm's telemetry data for Neoverse " core " of 2025-08; " INTELS_CONDITIONS

/* What all have, beside name, title, publication, groups, nodes and ids. There is no level 2: V1,
 * V2 and N2 have none, and that of N3 and V3 is of cycles, which are no parts of slots. */
#define NEOVERSE_DESIGN(width)                                                            \
	.source = "arm_slots", .vendor = "arm", .slots_per_cycle = (width),               \
	.slots_per_count = (width), .general_purpose_counters = 6, .read = CTD_READ_EACH, \
	.cache = "l2", .leader_fixed = true

#endif
