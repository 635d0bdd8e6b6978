/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* zen6.c - AMD Zen 6: level 1 by general-purpose counters, level 2 in rotation, eight slots a
 * cycle. */
#include "cpu/zen.h"

#define AT_ALL "de_no_dispatch_per_slot.no_ops_from_frontend.cmask_8"
#define RESTARTS "bp_fe_redir.resync"

static const struct ctd_cpu_event branch_events[] = {ZEN_BRANCH_EVENTS(RESTARTS, 0x19f)};
static const struct ctd_cpu_event fetch_events[] = {ZEN_FETCH_EVENTS(AT_ALL, 8)};

static const struct ctd_node nodes[] = {
	ZEN_LEVEL1_NODES("8"),
	ZEN_LEVEL2_NODES("8", AT_ALL, RESTARTS),
	ZEN_IPC_NODES,
};

/* As of Linux: arch/x86/kernel/cpu/amd.c. Models that it does not know are nobody's, other than in
 * perf's mapfile.csv. */
static const struct ctd_cpu_id ids[] = {
	AMD(26, 0x50, 0x5f), AMD(26, 0x80, 0xaf), AMD(26, 0xc0, 0xcf), AMD(26, 0xd8, 0xef), {0},
};

const struct ctd_cpu_model ctd_cpu_zen6 = {
	.name = "zen6",
	.title = "AMD Zen 6",
	.publication = "Linux perf metrics: amdzen6, PipelineL1 and PipelineL2" ZEN_CONDITIONS,
	ZEN_DESIGN(8),
	.groups = {zen_level1_events, branch_events, zen_memory_events,
		   fetch_events, [CTD_IPC_GROUP] = zen_ipc_events},
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(*nodes),
};
