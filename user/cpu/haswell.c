/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* haswell.c - Intel Haswell without hyper-threading: by events of cycles. */
#include "cpu/core_events_microcode.h"
#include "cpu/intel_cores.h"

/* Intel's event file names erratum HSD135 for idq_uops_not_delivered, the front end's event. */
static const struct ctd_cpu_id ids[] = {HASWELL_IDS, {0}};

const struct ctd_cpu_model ctd_cpu_haswell = {
	.name = "haswell",
	.title = "Intel Haswell, without hyper-threading",
	.source = "core_events",
	.vendor = "GenuineIntel",
	.publication = "Intel perfmon: HSX events 29, metrics 1.0 (TMA 5.01)",
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
