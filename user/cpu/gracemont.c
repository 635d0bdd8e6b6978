/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* gracemont.c - Intel Gracemont: general-purpose counters, bad speculation in rotation, five slots
 * a cycle. */
#include "cpu/atom.h"

/*
 * Of six general-purpose counters the leader may need one, so that the parts of bad speculation do
 * not fit beside the others. It is itself what remains, as Intel has it for this core.
 */
static const struct ctd_cpu_event events[] = {
	ATOM_CYCLES_EVENT,
	{"topdown_fe_bound.all", 0x71},
	{"topdown_be_bound.all", 0x74},
	{"topdown_retiring.all", 0xc2},
	{"topdown_fe_bound.frontend_latency", 0x7271},
	{"topdown_be_bound.alloc_restrictions", 0x174},
	{NULL, 0},
};

static const struct ctd_cpu_event bad_speculation_events[] = {
	ATOM_CYCLES_EVENT,
	{"topdown_bad_speculation.mispredict", 0x473},
	{"topdown_bad_speculation.machine_clears", 0x373},
	{NULL, 0},
};

static const struct ctd_cpu_event ipc_events[] = {ATOM_IPC_EVENTS};

/* clang-format off */
static const struct ctd_node nodes[] = {
	ATOM_RETIRING_NODE(4, "topdown_retiring.all / " ATOM_SLOTS("5")),
	ATOM_BAD_SPECULATION_NODE(4,
		"max(0, " ATOM_SLOTS("5") " - topdown_fe_bound.all - topdown_be_bound.all"
		" - topdown_retiring.all) / " ATOM_SLOTS("5")),
	ATOM_FRONTEND_BOUND_NODE(4, "topdown_fe_bound.all / " ATOM_SLOTS("5")),
	ATOM_BACKEND_BOUND_NODE(4, "topdown_be_bound.all / " ATOM_SLOTS("5")),
	ATOM_FRONTEND_NODES(5, "topdown_fe_bound.all", "5"),
	ATOM_BACKEND_NODES(6, "topdown_be_bound.all", "5"),
	ATOM_BRANCH_MISPREDICTS_NODE(1, 3, "5"),
	ATOM_MACHINE_CLEARS_NODE(1, 3, "5"),
	ATOM_IPC_NODES,
};
/* clang-format on */

static const struct ctd_cpu_id ids[] = {
	INTEL(0xbe, 0xbe), /* Alder Lake N */
	INTEL_E(0x97, 0x97), /* Alder Lake S */
	INTEL_E(0x9a, 0x9a), /* Alder Lake P */
	INTEL_E(0xb7, 0xb7), /* Raptor Lake S */
	INTEL_E(0xba, 0xba), /* Raptor Lake P */
	INTEL_E(0xbf, 0xbf), /* Raptor Lake, Alder Lake die */
	{0},
};

const struct ctd_cpu_model ctd_cpu_gracemont = {
	.name = "gracemont",
	.title = "Intel Gracemont: Alder Lake N, E-cores of Alder and Raptor Lake",
	.source = "atom",
	.vendor = "GenuineIntel",
	.publication =
		"Linux 7.3 perf metrics: alderlake and alderlaken; Intel perfmon events: ADL "
		"1.40",
	.slots_per_cycle = 5,
	.slots_per_count = 5,
	.general_purpose_counters = 6,
	.read = CTD_READ_EACH,
	.groups = {events, bad_speculation_events, [CTD_IPC_GROUP] = ipc_events},
	.cache = "llc",
	.leader_fixed = true,
	.fixed_event = INTEL_INSTRUCTIONS,
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(*nodes),
};
