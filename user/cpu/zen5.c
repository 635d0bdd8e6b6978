/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* zen5.c - AMD Zen 5: level 1 by general-purpose counters, level 2 in rotation, eight slots a
 * cycle. */
#include "cpu/zen.h"

#define AT_ALL "de_no_dispatch_per_slot.no_ops_from_frontend.cmask_8"
#define RESTARTS "bp_redirects.resync"

static const struct ctd_cpu_event branch_events[] = {ZEN_BRANCH_EVENTS(RESTARTS, 0x19f)};
static const struct ctd_cpu_event fetch_events[] = {ZEN_FETCH_EVENTS(AT_ALL, 8)};

static const struct ctd_node nodes[] = {
	ZEN_LEVEL1_NODES("8"),
	ZEN_LEVEL2_NODES("8", AT_ALL, RESTARTS),
	ZEN_IPC_NODES,
};

/* As of Linux: arch/x86/kernel/cpu/amd.c, which knows each range; perf's mapfile.csv gives all that
 * it does not know to Zen 6. */
static const struct ctd_cpu_id ids[] = {
	AMD(26, 0x00, 0x2f), /* Turin, Turin Dense, Strix */
	AMD(26, 0x40, 0x4f), /* Granite Ridge */
	AMD(26, 0x60, 0x7f), /* Krackan, Strix Halo */
	AMD(26, 0xd0, 0xd7), {0},
};

const struct ctd_cpu_model ctd_cpu_zen5 = {
	.name = "zen5",
	.title = "AMD Zen 5: EPYC 9005, Ryzen 9000 and AI 300",
	.publication = "Linux perf metrics: amdzen5, PipelineL1 and PipelineL2" ZEN_CONDITIONS,
	ZEN_DESIGN(8),
	.groups = {zen_level1_events, branch_events, zen_memory_events,
		   fetch_events, [CTD_IPC_GROUP] = zen_ipc_events},
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(*nodes),
};
