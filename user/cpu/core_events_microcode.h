/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* core_events_microcode.h - groups and nodes of the cores before Skylake, without hyper-threading. */
#ifndef CPU_CORE_EVENTS_MICROCODE_H
#define CPU_CORE_EVENTS_MICROCODE_H

#include "cpu/core_events_alone.h"

/* Heavy operations are those of the microcode sequencer, as far as what is issued retires. */
static const struct ctd_cpu_event microcode_level1_events[] = {ALONE_LEVEL1_EVENTS(0x100030d)};
static const struct ctd_cpu_event microcode_frontend_events[] = {ALONE_FRONTEND_EVENTS, {NULL, 0}};
static const struct ctd_cpu_event microcode_heavy_events[] = {
	THREAD_CYCLES_EVENT,	 UOPS_ISSUED_EVENT, RETIRE_SLOTS_EVENT,
	{"idq.ms_uops", 0x3079}, {NULL, 0},
};
static const struct ctd_cpu_event microcode_branch_events[] = {ALONE_BRANCH_EVENTS(0x100030d)};
static const struct ctd_cpu_event microcode_ipc_events[] = {CORE_EVENTS_IPC_EVENTS};

/* clang-format off */
#define MICROCODE_HEAVY "(uops_retired.retire_slots / uops_issued.any * idq.ms_uops)"

static const struct ctd_node microcode_nodes[] = {
	ALONE_LEVEL1_NODES,
	HEAVY_OPERATIONS_NODE(RETIRING, 2, 4, MICROCODE_HEAVY " / " ALONE_SLOTS),
	LIGHT_OPERATIONS_NODE(RETIRING, 2, 4,
		"max(0, uops_retired.retire_slots - " MICROCODE_HEAVY ") / " ALONE_SLOTS),
	ALONE_BRANCH_NODES(3),
	ALONE_FRONTEND_NODES,
	CORE_EVENTS_IPC_NODES,
};

/* What all have, beside name, title, publication and ids. */
#define MICROCODE_DESIGN \
	.source = "core_events", .vendor = "GenuineIntel", .caution = ALONE_CAUTION, \
	.slots_per_cycle = 4, .slots_per_count = 4, .smt = CTD_SMT_OFF, .general_purpose_counters = 8, \
	.read = CTD_READ_EACH, \
	.groups = {microcode_level1_events, microcode_frontend_events, microcode_heavy_events, \
		   microcode_branch_events, [CTD_IPC_GROUP] = microcode_ipc_events}, \
	.cache = "llc", .leader_fixed = true, .fixed_event = INTEL_INSTRUCTIONS, \
	.nodes = microcode_nodes, \
	.nodes_count = sizeof(microcode_nodes) / sizeof(*microcode_nodes)
/* clang-format on */

#endif
