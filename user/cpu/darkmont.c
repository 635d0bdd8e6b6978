/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* darkmont.c - Intel Darkmont, as Skymont: both levels by ordinary counters, eight slots a cycle. */
#include "cpu/crestmont.h"

#define SLOTS (8 * cpu_clk_unhalted_core)

/* clang-format off */
FORMULAS
/* clang-format on */

static const struct ctd_cpu_event events[] = {EVENTS(0x19c, 0x2a4, 0x2c2)};

static const struct ctd_node nodes[] = {NODES};

static const struct ctd_cpu_id ids[] = {
	INTEL(0xdd, 0xdd), /* Clearwater Forest */
	{0},
};

/* Every code is Skymont's. Intel names the core's width (eight-wide allocation, Hot Chips 2025),
 * but no formula has it. */
const struct ctd_cpu_model ctd_cpu_darkmont = {
	.name = "darkmont",
	.title = "Intel Darkmont: Clearwater Forest",
	.source = "atom",
	.vendor = "GenuineIntel",
	.publication =
		"Intel perfmon events: CWF 1.04; formulas, thresholds and width as of Skymont",
	.caution = "Intel has published no top-down formulas for this core: those of Skymont are "
		   "used, whose events have the same codes.",
	.slots_per_cycle = 8,
	.slots_per_count = 8,
	.general_counters = 8,
	.read = CTD_READ_EACH,
	.groups = {events, [CTD_GENERAL_GROUP] = general_events},
	.cache = "llc",
	.leader_fixed = true,
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(nodes[0]),
	.l1_counters = NO_COUNTER_INDICES,
};
