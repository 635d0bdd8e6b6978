/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* golden_cove_gp.c - Intel Golden Cove and Redwood Cove: both levels by ordinary counters. */
#include "cpu/gp_slots.h"
#include "cpu/intel_cores.h"

/* Level 2 takes all eight general-purpose counters, and the fixed one for slots. */
enum {
	LEVEL1_COUNTERS = COMMON_COUNTERS,
	UOPS_RETIRED_HEAVY = LEVEL1_COUNTERS,
	BR_MISPREDICT_SLOTS,
	CYCLES_0_UOPS_DELIVERED,
	MEMORY_BOUND_SLOTS,
	LEVEL2_COUNTERS,
};

static const struct ctd_cpu_event events[] = {
	COMMON_EVENTS(0x10ad),
	{"uops_retired.heavy", 0x1c2},
	{"topdown.br_mispredict_slots", 0x8a4},
	{"idq_uops_not_delivered.cycles_0_uops_deliv.core", 0x600019c},
	{"topdown.memory_bound_slots", 0x10a4},
	{NULL, 0},
};

#define LEVEL1_COUNTS COMMON_COUNTS
#define LEVEL2_COUNTS                                                                           \
	LEVEL1_COUNTS;                                                                          \
	COUNT uops_retired_heavy = count[UOPS_RETIRED_HEAVY];                                   \
	COUNT topdown_br_mispredict_slots = count[BR_MISPREDICT_SLOTS];                         \
	COUNT idq_uops_not_delivered_cycles_0_uops_deliv_core = count[CYCLES_0_UOPS_DELIVERED]; \
	COUNT topdown_memory_bound_slots = count[MEMORY_BOUND_SLOTS]

#define BACKEND topdown_backend_bound_slots
#define FETCH_LATENCY (6 * idq_uops_not_delivered_cycles_0_uops_deliv_core - int_misc_uop_dropping)

/* clang-format off */
LEVEL1_FORMULAS
FORMULA(heavy_operations, LEVEL2_COUNTS, uops_retired_heavy / slots)
FORMULA(light_operations, LEVEL2_COUNTS, fmax(0, uops_retired_slots - uops_retired_heavy) / slots)
FORMULA(branch_mispredicts, LEVEL2_COUNTS, topdown_br_mispredict_slots / slots)
FORMULA(machine_clears, LEVEL2_COUNTS, fmax(0, REMAINDER - topdown_br_mispredict_slots) / slots)
FORMULA(fetch_latency, LEVEL2_COUNTS, FETCH_LATENCY / slots)
FORMULA(fetch_bandwidth, LEVEL2_COUNTS, fmax(0, FRONTEND - FETCH_LATENCY) / slots)
FORMULA(memory_bound, LEVEL2_COUNTS, topdown_memory_bound_slots / slots)
FORMULA(core_bound, LEVEL2_COUNTS, fmax(0, BACKEND - topdown_memory_bound_slots) / slots)
/* clang-format on */

static const struct ctd_cpu_id ids[] = {GOLDEN_COVE_IDS, {0}};

static const struct ctd_node nodes[] = {LEVEL1_TABLE, LEVEL2_TABLE, INTEL_GENERAL_TABLE(1)};

const struct ctd_cpu_model ctd_cpu_golden_cove_gp = {
	.name = "golden_cove_gp",
	.title = GOLDEN_COVE_TITLE,
	.source = "gp_slots",
	.vendor = "GenuineIntel",
	.publication =
		"Intel PerfSpect metrics: SPR, EMR and GNR without fixed-counter TMA (TMA 5.2)",
	.slots_per_cycle = 6,
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
