/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* skymont.c - Intel Skymont: both levels by general-purpose counters, eight slots a cycle. */
#include "cpu/atom.h"

static const struct ctd_cpu_event events[] = {CRESTMONT_EVENTS(0x19c, 0x2a4, 0x2c2)};
static const struct ctd_cpu_event ipc_events[] = {ATOM_IPC_EVENTS};

static const struct ctd_node nodes[] = {CRESTMONT_NODES("8")};

static const struct ctd_cpu_id ids[] = {
	INTEL_E(0xbd, 0xbd), /* Lunar Lake */
	INTEL_E(0xc5, 0xc5), /* Arrow Lake H */
	INTEL_E(0xc6, 0xc6), /* Arrow Lake S */
	{0},
};

const struct ctd_cpu_model ctd_cpu_skymont = {
	.name = "skymont",
	.title = "Intel Skymont: E-cores of Lunar Lake and Arrow Lake",
	.source = "atom",
	.vendor = "GenuineIntel",
	.publication = "Linux 7.3 perf metrics: lunarlake and arrowlake; Intel perfmon events: LNL "
		       "1.26, ARL 1.20",
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
