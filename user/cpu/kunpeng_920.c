/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* kunpeng_920.c - HiSilicon Kunpeng 920: level 1 by general-purpose counters, four slots a cycle. */
#include "cpu/arm.h"

/* It counts instructions, not operations: so does its retiring. The back end is what remains. Its
 * level 2 takes cycles of stalls for slots, and events that have no name: there is none here. */
static const struct ctd_cpu_event events[] = {
	{"cpu_cycles", 0x11},
	{"inst_retired", 0x08},
	{"inst_spec", 0x1b},
	{"fetch_bubble", 0x2014},
	{NULL, 0},
};

/* clang-format off */
#define SLOTS "(4 * cpu_cycles)"
#define RETIRED "inst_retired / " SLOTS
#define BAD "(inst_spec - inst_retired) / " SLOTS
#define FRONTEND "fetch_bubble / " SLOTS

static const struct ctd_node nodes[] = {
	RETIRING_NODE(4, RETIRED),
	BAD_SPECULATION_NODE(4, BAD),
	FRONTEND_BOUND_NODE(4, FRONTEND),
	BACKEND_BOUND_NODE(4, "1 - (" FRONTEND " + " BAD " + " RETIRED ")"),
	ARM_IPC_NODES,
};
/* clang-format on */

static const struct ctd_cpu_id ids[] = {ARM_PART(0x48, 0xd01), {0}};

const struct ctd_cpu_model ctd_cpu_kunpeng_920 = {
	.name = "kunpeng_920",
	.title = "HiSilicon Kunpeng 920",
	.source = "arm_slots",
	.vendor = "arm",
	.publication = "Linux 7.3 perf metrics: hisilicon/hip08; " INTELS_CONDITIONS,
	.slots_per_cycle = 4,
	.slots_per_count = 4,
	.general_purpose_counters = 6,
	.read = CTD_READ_EACH,
	.groups = {events, [CTD_IPC_GROUP] = arm_ipc_events},
	.cache = "l2",
	.leader_fixed = true,
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(*nodes),
};
