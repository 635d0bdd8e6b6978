/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ivy_bridge.c - Intel Ivy Bridge without hyper-threading: by events of cycles. */
#include "cpu/core_events_microcode.h"
#include "cpu/intel_cores.h"

static const struct ctd_cpu_id ids[] = {IVY_BRIDGE_IDS, {0}};

const struct ctd_cpu_model ctd_cpu_ivy_bridge = {
	.name = "ivy_bridge",
	.title = "Intel Ivy Bridge, without hyper-threading",
	.source = "core_events",
	.vendor = "GenuineIntel",
	.publication = "Intel perfmon events: IVB 24; Linux 7.3 perf metrics: ivybridge",
	.caution = ALONE_CAUTION,
	.slots_per_cycle = 4,
	.slots_per_count = 4,
	.smt = CTD_SMT_OFF,
	.general_counters = 8,
	.read = CTD_READ_EACH,
	.groups = {level1_events, frontend_events, heavy_events,
		   branch_events, [CTD_GENERAL_GROUP] = general_events},
	.cache = "llc",
	.leader_fixed = true,
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(*nodes),
	.l1_counters = NO_COUNTER_INDICES,
};
