/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* neoverse_n2_r0p0.c - Arm Neoverse N2 before r0p3: it counts a slot too many in each cycle. */
#include "cpu/neoverse.h"

static const struct ctd_cpu_event events[] = {NEOVERSE_EVENTS("br_mis_pred", 0x10)};

/* clang-format off */
#define USED "(1 - (stall_slot - cpu_cycles) / " NEOVERSE_SLOTS("5") ")"
static const struct ctd_node nodes[] = {
	RETIRING_NODE(7, USED " * (op_retired / op_spec)"),
	BAD_SPECULATION_NODE(7,
		USED " * (1 - op_retired / op_spec) + 4 * br_mis_pred / cpu_cycles"),
	FRONTEND_BOUND_NODE(7,
		"(stall_slot_frontend - cpu_cycles) / " NEOVERSE_SLOTS("5") " - br_mis_pred / cpu_cycles"),
	BACKEND_BOUND_NODE(7, "stall_slot_backend / " NEOVERSE_SLOTS("5") " - 3 * br_mis_pred / cpu_cycles"),
	ARM_IPC_NODES,
};
/* clang-format on */

static const struct ctd_cpu_id ids[] = {
	{0x41, 0xd49, 0xd49, 0x00, 0x02, CTD_CORE_TYPE_MAIN},
	{0x6d, 0xd49, 0xd49, 0x00, 0x02, CTD_CORE_TYPE_MAIN}, /* Microsoft Cobalt 100 */
	{0},
};

const struct ctd_cpu_model ctd_cpu_neoverse_n2_r0p0 = {
	.name = "neoverse_n2_r0p0",
	.title = "Arm Neoverse N2 r0p0 to r0p2, Microsoft Cobalt 100",
	.publication = NEOVERSE_PUBLICATION("N2"),
	NEOVERSE_DESIGN(5),
	.groups = {events, [CTD_IPC_GROUP] = arm_ipc_events},
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(*nodes),
};
