/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* darkmont.c - Intel Darkmont, as Skymont: both levels by general-purpose counters, eight slots a
 * cycle. */
#include "cpu/atom.h"

static const struct ctd_cpu_event events[] = {CRESTMONT_EVENTS(0x19c, 0x2a4, 0x2c2)};
static const struct ctd_cpu_event ipc_events[] = {ATOM_IPC_EVENTS};

static const struct ctd_node nodes[] = {CRESTMONT_NODES("8")};

static const struct ctd_cpu_id ids[] = {
	INTEL(0xdd, 0xdd), /* Clearwater Forest */
	INTEL_E(0xcc, 0xcc), /* Panther Lake */
	INTEL_E(0xd5, 0xd5), /* Wildcat Lake */
	INTEL_E(0xe5, 0xe5), /* perf: as Panther Lake */
	{0},
};

/* Every code is Skymont's. Intel names the core's width (eight-wide allocation, Hot Chips 2025),
 * but no formula has it. */
const struct ctd_cpu_model ctd_cpu_darkmont = {
	.name = "darkmont",
	.title = "Intel Darkmont: Clearwater Forest, E-cores of Panther Lake and Wildcat Lake",
	.source = "atom",
	.vendor = "GenuineIntel",
	.publication =
		"Intel perfmon events: CWF 1.04, PTL 1.07; formulas, thresholds and width as of Skymont",
	.caution = "Intel has published no top-down formulas for this core: those of Skymont are "
		   "used, whose events have the same codes.",
	.slots_per_cycle = 8,
	.slots_per_count = 8,
	.general_purpose_counters = 8,
	.read = CTD_READ_EACH,
	.groups = {events, [CTD_IPC_GROUP] = ipc_events},
	.cache = "llc",
	.leader_fixed = true,
	.fixed_event = INTEL_INSTRUCTIONS,
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(*nodes),
};
