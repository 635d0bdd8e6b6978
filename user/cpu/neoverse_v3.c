/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* neoverse_v3.c - Arm Neoverse V3: the cost of wrong branches is counted. */
#include "cpu/neoverse.h"

static const struct ctd_cpu_event events[] = {NEOVERSE_EVENTS("stall_frontend_flush", 0x8162)};

/* clang-format off */
static const struct ctd_node nodes[] = {
	RETIRING_NODE(7, NEOVERSE_USED("10") " * (op_retired / op_spec)"),
	BAD_SPECULATION_NODE(7,
		NEOVERSE_USED("10") " * (1 - op_retired / op_spec) + stall_frontend_flush / cpu_cycles"),
	FRONTEND_BOUND_NODE(7,
		"stall_slot_frontend / " NEOVERSE_SLOTS("10") " - stall_frontend_flush / cpu_cycles"),
	BACKEND_BOUND_NODE(7, "stall_slot_backend / " NEOVERSE_SLOTS("10")),
	ARM_IPC_NODES,
};
/* clang-format on */

static const struct ctd_cpu_id ids[] = {
	ARM(0xd83), /* V3AE */
	ARM(0xd84),
	{0},
};

const struct ctd_cpu_model ctd_cpu_neoverse_v3 = {
	.name = "neoverse_v3",
	.title = "Arm Neoverse V3, V3AE: Graviton5",
	.publication = NEOVERSE_PUBLICATION("V3"),
	NEOVERSE_DESIGN(10),
	.groups = {events, [CTD_IPC_GROUP] = arm_ipc_events},
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(*nodes),
};
