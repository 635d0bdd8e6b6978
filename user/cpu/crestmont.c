/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* crestmont.c - Intel Crestmont: both levels by ordinary counters, six slots a cycle. */
#include "cpu/crestmont.h"

#define SLOTS (6 * cpu_clk_unhalted_core)

/* clang-format off */
FORMULAS
/* clang-format on */

static const struct ctd_cpu_event events[] = {EVENTS(0x71, 0x74, 0x72)};

static const struct ctd_node nodes[] = {NODES};

/* Not those of hybrid processors, whose P-cores have the same id. */
static const struct ctd_cpu_id ids[] = {
	INTEL(0xaf, 0xaf), /* Sierra Forest */
	INTEL(0xb6, 0xb6), /* Grand Ridge */
	{0},
};

const struct ctd_cpu_model ctd_cpu_crestmont = {
	.name = "crestmont",
	.title = "Intel Crestmont: Sierra Forest, Grand Ridge",
	.source = "atom",
	.vendor = "GenuineIntel",
	.publication = "Intel perfmon metrics: SRF and GRR 1.02",
	.slots_per_cycle = 6,
	.slots_per_count = 6,
	.general_counters = 8,
	.read = CTD_READ_EACH,
	.groups = {events},
	.leader_fixed = true,
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(nodes[0]),
	.l1_counters = NO_COUNTER_INDICES,
};
