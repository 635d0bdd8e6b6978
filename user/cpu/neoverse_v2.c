/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* neoverse_v2.c - Arm Neoverse V2: wrong branches cost slots of both ends. */
#include "cpu/neoverse.h"

static const struct ctd_cpu_event events[] = {NEOVERSE_EVENTS("br_mis_pred", 0x10)};

/* clang-format off */
static const struct ctd_node nodes[] = {
	RETIRING_NODE(7, NEOVERSE_USED("8") " * (op_retired / op_spec)"),
	BAD_SPECULATION_NODE(7,
		NEOVERSE_USED("8") " * (1 - op_retired / op_spec) + 4 * br_mis_pred / cpu_cycles"),
	FRONTEND_BOUND_NODE(7,
		"stall_slot_frontend / " NEOVERSE_SLOTS("8") " - br_mis_pred / cpu_cycles"),
	BACKEND_BOUND_NODE(7, "stall_slot_backend / " NEOVERSE_SLOTS("8") " - 3 * br_mis_pred / cpu_cycles"),
	ARM_IPC_NODES,
};
/* clang-format on */

static const struct ctd_cpu_id ids[] = {
	ARM(0xd4f),
	{0},
};

const struct ctd_cpu_model ctd_cpu_neoverse_v2 = {
	.name = "neoverse_v2",
	.title = "Arm Neoverse V2: Graviton4, Axion, Grace",
	.publication = NEOVERSE_PUBLICATION("V2"),
	NEOVERSE_DESIGN(8),
	.groups = {events, [CTD_IPC_GROUP] = arm_ipc_events},
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(*nodes),
};
