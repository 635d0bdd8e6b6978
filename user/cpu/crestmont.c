/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* crestmont.c - Intel Crestmont: both levels by general-purpose counters, six slots a cycle. */
#include "cpu/atom.h"

static const struct ctd_cpu_event events[] = {CRESTMONT_EVENTS(0x71, 0x74, 0x72)};
static const struct ctd_cpu_event ipc_events[] = {ATOM_IPC_EVENTS};

static const struct ctd_node nodes[] = {CRESTMONT_NODES("6")};

/*
 * Arrow Lake H has two kinds of E-cores, of which these are the slow ones. The kernel's
 * topdown-retiring is 0xc2 there (arl_h_lp_td_events_attrs), Intel's event file has 0x72.
 */
static const struct ctd_cpu_id ids[] = {
	INTEL(0xaf, 0xaf), /* Sierra Forest */
	INTEL(0xb6, 0xb6), /* Grand Ridge */
	INTEL_E(0xaa, 0xaa), /* Meteor Lake, both kinds of E-cores */
	INTEL_E(0xac, 0xac), /* Meteor Lake S */
	INTEL_E(0xb5, 0xb5), /* Arrow Lake U */
	INTEL_LP_E(0xc5, 0xc5), /* Arrow Lake H */
	{0},
};

const struct ctd_cpu_model ctd_cpu_crestmont = {
	.name = "crestmont",
	.title =
		"Intel Crestmont: Sierra Forest, Grand Ridge, E-cores of Meteor Lake and Arrow Lake U, "
		"slow ones of Arrow Lake H",
	.source = "atom",
	.vendor = "GenuineIntel",
	.publication =
		"Intel perfmon metrics: SRF and GRR 1.02; Linux 7.3 perf metrics: meteorlake",
	.slots_per_cycle = 6,
	.slots_per_count = 6,
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
