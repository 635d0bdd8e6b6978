/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* zen6.c - AMD Zen 6: level 1 by ordinary counters, level 2 in turns, eight slots a cycle. */
#include "cpu/zen.h"

#define WIDTH 8
#define RESYNCS bp_fe_redir_resync
/* clang-format off */
#define RESYNC_EVENT {"bp_fe_redir.resync", 0x19f}
FORMULAS
/* clang-format on */

static const struct ctd_cpu_event level1_events[] = {LEVEL1_EVENTS};
static const struct ctd_cpu_event branch_events[] = {BRANCH_EVENTS};
static const struct ctd_cpu_event memory_events[] = {MEMORY_EVENTS};
static const struct ctd_cpu_event fetch_events[] = {FETCH_EVENTS};

static const struct ctd_node nodes[] = {NODES};

/* As of Linux: perf's mapfile.csv, what is not Zen 5. */
static const struct ctd_cpu_id ids[] = {
	AMD(26, 0x30, 0x3f),
	AMD(26, 0x50, 0x5f),
	AMD(26, 0x80, 0xff),
	{0},
};

const struct ctd_cpu_model ctd_cpu_zen6 = {
	.name = "zen6",
	.title = "AMD Zen 6",
	.source = "zen_dispatch",
	.vendor = "AuthenticAMD",
	.publication = "Linux perf metrics: amdzen6, PipelineL1 and PipelineL2" THRESHOLDS,
	.slots_per_cycle = WIDTH,
	.slots_per_count = WIDTH,
	.general_counters = 6,
	.read = CTD_READ_EACH,
	.groups = {level1_events, branch_events, memory_events, fetch_events},
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(nodes[0]),
	.l1_counters = NO_COUNTER_INDICES,
};
