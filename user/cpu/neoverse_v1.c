/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* neoverse_v1.c - Arm Neoverse V1: wrong branches cost slots of the front end. */
#include "cpu/neoverse.h"

static const struct ctd_cpu_event events[] = {NEOVERSE_EVENTS("br_mis_pred", 0x10)};

/* clang-format off */
static const struct ctd_node nodes[] = {
	RETIRING_NODE(7, NEOVERSE_USED("8") " * (op_retired / op_spec)"),
	BAD_SPECULATION_NODE(7,
		NEOVERSE_USED("8") " * (1 - op_retired / op_spec) + 4 * br_mis_pred / cpu_cycles"),
	FRONTEND_BOUND_NODE(7,
		"stall_slot_frontend / " NEOVERSE_SLOTS("8") " - 4 * br_mis_pred / cpu_cycles"),
	BACKEND_BOUND_NODE(7, "stall_slot_backend / " NEOVERSE_SLOTS("8")),
	ARM_IPC_NODES,
};
/* clang-format on */

static const struct ctd_cpu_id ids[] = {
	ARM(0xd40),
	{0},
};

const struct ctd_cpu_model ctd_cpu_neoverse_v1 = {
	.name = "neoverse_v1",
	.title = "Arm Neoverse V1: Graviton3",
	.publication = NEOVERSE_PUBLICATION("V1"),
	NEOVERSE_DESIGN(8),
	.groups = {events, [CTD_IPC_GROUP] = arm_ipc_events},
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(*nodes),
};
