/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sunny_cove_gp.c - Intel Sunny Cove and its kin: level 1 by ordinary counters. */
#include "cpu/gp_slots.h"
#include "cpu/intel_cores.h"

enum {
	CLEARS_COUNT = COMMON_COUNTERS,
	LEVEL1_COUNTERS,
};

static const struct ctd_cpu_event events[] = {
	COMMON_EVENTS(0x100d),
	{"int_misc.clears_count", 0x104010d},
	{NULL, 0},
};

/*
 * Five slots for each clear of the pipeline belong to the back end, as in Intel's formulas for
 * PERF_METRICS. Those for ordinary counters only take them out of bad speculation, so that the four
 * would not be the whole.
 */
#define BACKEND (topdown_backend_bound_slots + 5 * int_misc_clears_count)
#define LEVEL1_COUNTS  \
	COMMON_COUNTS; \
	COUNT int_misc_clears_count = count[CLEARS_COUNT]
/* clang-format off */
LEVEL1_FORMULAS
/* clang-format on */

static const struct ctd_cpu_id ids[] = {SUNNY_COVE_IDS, {0}};

static const struct ctd_node nodes[] = {LEVEL1_TABLE, INTEL_GENERAL_TABLE(1)};

const struct ctd_cpu_model ctd_cpu_sunny_cove_gp = {
	.name = "sunny_cove_gp",
	.title = SUNNY_COVE_TITLE,
	.source = "gp_slots",
	.vendor = "GenuineIntel",
	.publication = "Intel PerfSpect metrics: ICX without fixed-counter TMA (TMA 5.2)",
	.slots_per_cycle = 5,
	.slots_per_count = 1,
	.general_counters = 8,
	.read = CTD_READ_EACH,
	.groups = {events, [CTD_GENERAL_GROUP] = general_events},
	.general_first = 1,
	.cache = "llc",
	.leader_by_code = SLOTS_BY_GENERAL_COUNTER,
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(*nodes),
	.l1_counters = NO_COUNTER_INDICES,
};
