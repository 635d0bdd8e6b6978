/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* neoverse_n2.c - Arm Neoverse N2 from r0p3 on: wrong branches cost slots of both ends. */
#include "cpu/neoverse.h"

static const struct ctd_cpu_event events[] = {NEOVERSE_EVENTS("br_mis_pred", 0x10)};

/* clang-format off */
static const struct ctd_node nodes[] = {
	RETIRING_NODE(7, NEOVERSE_USED("5") " * (op_retired / op_spec)"),
	BAD_SPECULATION_NODE(7,
		NEOVERSE_USED("5") " * (1 - op_retired / op_spec) + 4 * br_mis_pred / cpu_cycles"),
	FRONTEND_BOUND_NODE(7,
		"stall_slot_frontend / " NEOVERSE_SLOTS("5") " - br_mis_pred / cpu_cycles"),
	BACKEND_BOUND_NODE(7, "stall_slot_backend / " NEOVERSE_SLOTS("5") " - 3 * br_mis_pred / cpu_cycles"),
	ARM_IPC_NODES,
};
/* clang-format on */

/* Arm names r0p3 only; what that corrected is taken to stay so in what may follow. */
static const struct ctd_cpu_id ids[] = {
	{0x41, 0xd49, 0xd49, 0x03, 0xff, CTD_CORE_TYPE_MAIN},
	{0x6d, 0xd49, 0xd49, 0x03, 0xff, CTD_CORE_TYPE_MAIN}, /* Microsoft Cobalt 100 */
	{0},
};

const struct ctd_cpu_model ctd_cpu_neoverse_n2 = {
	.name = "neoverse_n2",
	.title = "Arm Neoverse N2 from r0p3 on, Microsoft Cobalt 100",
	.publication = NEOVERSE_PUBLICATION("N2"),
	NEOVERSE_DESIGN(5),
	.groups = {events, [CTD_IPC_GROUP] = arm_ipc_events},
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(*nodes),
};
