/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sunny_cove_gp.c - Intel Sunny Cove and its kin: level 1 by general-purpose counters. */
#include "cpu/gp_slots.h"

static const struct ctd_cpu_event events[] = {
	GP_SLOTS_EVENTS(0x100d),
	{"int_misc.clears_count", 0x104010d},
	{NULL, 0},
};

static const struct ctd_cpu_event ipc_events[] = {INTEL_IPC_EVENTS_BEHIND_SLOTS};

/*
 * Five slots for each clear of the pipeline belong to the back end, as in Intel's formulas for
 * PERF_METRICS. Those for general-purpose counters only take them out of bad speculation, so that
 * the four would not be the whole.
 */
static const struct ctd_node nodes[] = {
	GP_SLOTS_LEVEL1_NODES(6, "(topdown.backend_bound_slots + 5 * int_misc.clears_count)"),
	INTEL_IPC_NODES(1, "cpu_clk_unhalted.thread"),
};

static const struct ctd_cpu_id ids[] = {SUNNY_COVE_IDS, {0}};

const struct ctd_cpu_model ctd_cpu_sunny_cove_gp = {
	.name = "sunny_cove_gp",
	.title = SUNNY_COVE_TITLE,
	.source = "gp_slots",
	.vendor = "GenuineIntel",
	.publication = "Intel PerfSpect metrics: ICX without fixed-counter TMA (TMA 5.2)",
	.slots_per_cycle = 5,
	.slots_per_count = 1,
	.general_purpose_counters = 8,
	.read = CTD_READ_EACH,
	.groups = {events, [CTD_IPC_GROUP] = ipc_events},
	.ipc_first = 1,
	.cache = "llc",
	.leader_by_code = SLOTS_BY_GENERAL_COUNTER,
	.fixed_event = INTEL_INSTRUCTIONS,
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(*nodes),
};
