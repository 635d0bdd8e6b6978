/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* neoverse_n3.c - Arm Neoverse N3: the cost of wrong branches is counted. */
#include "cpu/neoverse.h"

static const struct ctd_cpu_event events[] = {NEOVERSE_EVENTS("stall_frontend_flush", 0x8162)};

/* clang-format off */
static const struct ctd_node nodes[] = {
	RETIRING_NODE(7, NEOVERSE_USED("5") " * (op_retired / op_spec)"),
	BAD_SPECULATION_NODE(7,
		NEOVERSE_USED("5") " * (1 - op_retired / op_spec) + stall_frontend_flush / cpu_cycles"),
	FRONTEND_BOUND_NODE(7,
		"stall_slot_frontend / " NEOVERSE_SLOTS("5") " - stall_frontend_flush / cpu_cycles"),
	BACKEND_BOUND_NODE(7, "stall_slot_backend / " NEOVERSE_SLOTS("5")),
	ARM_IPC_NODES,
};
/* clang-format on */

static const struct ctd_cpu_id ids[] = {
	ARM(0xd8e),
	{0},
};

const struct ctd_cpu_model ctd_cpu_neoverse_n3 = {
	.name = "neoverse_n3",
	.title = "Arm Neoverse N3",
	.publication = NEOVERSE_PUBLICATION("N3"),
	NEOVERSE_DESIGN(5),
	.groups = {events, [CTD_IPC_GROUP] = arm_ipc_events},
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(*nodes),
};
