/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* zen4.c - AMD Zen 4: level 1 by general-purpose counters, level 2 in rotation, six slots a cycle. */
#include "cpu/zen.h"

#define AT_ALL "de_no_dispatch_per_slot.no_ops_from_frontend.cmask_6"
#define RESTARTS "resyncs_or_nc_redirects"

static const struct ctd_cpu_event branch_events[] = {ZEN_BRANCH_EVENTS(RESTARTS, 0x96)};
static const struct ctd_cpu_event fetch_events[] = {ZEN_FETCH_EVENTS(AT_ALL, 6)};

static const struct ctd_node nodes[] = {
	ZEN_LEVEL1_NODES("6"),
	ZEN_LEVEL2_NODES("6", AT_ALL, RESTARTS),
	ZEN_IPC_NODES,
};

/* As of Linux: arch/x86/kernel/cpu/amd.c; the other models of this family are Zen 3. */
static const struct ctd_cpu_id ids[] = {
	AMD(25, 0x10, 0x1f), /* Genoa, Storm Peak */
	AMD(25, 0x60, 0xaf), /* Raphael, Phoenix, Bergamo */
	{0},
};

const struct ctd_cpu_model ctd_cpu_zen4 = {
	.name = "zen4",
	.title = "AMD Zen 4: EPYC 9004 and 8004, Ryzen 7000 and 8000",
	.publication = "Linux perf metrics: amdzen4, PipelineL1 and PipelineL2" ZEN_CONDITIONS,
	ZEN_DESIGN(6),
	.groups = {zen_level1_events, branch_events, zen_memory_events,
		   fetch_events, [CTD_IPC_GROUP] = zen_ipc_events},
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(*nodes),
};
