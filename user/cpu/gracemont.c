/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* gracemont.c - Intel Gracemont: ordinary counters, bad speculation in turns, five slots a cycle. */
#include "cpu/atom.h"

/*
 * Of six general-purpose counters the leader may need one, so that the parts of bad speculation do
 * not fit beside the others. It is itself what remains, as Intel has it for this core.
 */
enum {
	CYCLES,
	FRONTEND_SLOTS,
	BACKEND_SLOTS,
	RETIRING_SLOTS,
	LEVEL1_COUNTERS,
	FRONTEND_LATENCY = LEVEL1_COUNTERS,
	ALLOC_RESTRICTIONS,
	LEVEL2_COUNTERS,
};

static const struct ctd_cpu_event events[] = {
	CORE_CYCLES,
	{"topdown_fe_bound.all", 0x71},
	{"topdown_be_bound.all", 0x74},
	{"topdown_retiring.all", 0xc2},
	{"topdown_fe_bound.frontend_latency", 0x7271},
	{"topdown_be_bound.alloc_restrictions", 0x174},
	{NULL, 0},
};

enum {
	MISPREDICT = 1,
	CLEARS,
	BAD_SPECULATION_COUNTERS,
};

static const struct ctd_cpu_event bad_speculation_events[] = {
	CORE_CYCLES,
	{"topdown_bad_speculation.mispredict", 0x473},
	{"topdown_bad_speculation.machine_clears", 0x373},
	{NULL, 0},
};

#define SLOTS (5 * cpu_clk_unhalted_core)

/* No formula takes all of them. */
#define COUNT __attribute__((unused)) const double
#define COUNTS                                                             \
	COUNT cpu_clk_unhalted_core = count[CYCLES];                       \
	COUNT topdown_fe_bound_all = count[FRONTEND_SLOTS];                \
	COUNT topdown_be_bound_all = count[BACKEND_SLOTS];                 \
	COUNT topdown_retiring_all = count[RETIRING_SLOTS];                \
	COUNT topdown_fe_bound_frontend_latency = count[FRONTEND_LATENCY]; \
	COUNT topdown_be_bound_alloc_restrictions = count[ALLOC_RESTRICTIONS]
#define BAD_SPECULATION_COUNTS                                        \
	COUNT cpu_clk_unhalted_core = count[CYCLES];                  \
	COUNT topdown_bad_speculation_mispredict = count[MISPREDICT]; \
	COUNT topdown_bad_speculation_machine_clears = count[CLEARS]

/* clang-format off */
FORMULA(retiring, COUNTS, topdown_retiring_all / SLOTS)
FORMULA(bad_speculation, COUNTS,
	fmax(0, SLOTS - topdown_fe_bound_all - topdown_be_bound_all - topdown_retiring_all) / SLOTS)
FORMULA(frontend_bound, COUNTS, topdown_fe_bound_all / SLOTS)
FORMULA(backend_bound, COUNTS, topdown_be_bound_all / SLOTS)
FORMULA(fetch_latency, COUNTS, topdown_fe_bound_frontend_latency / SLOTS)
FORMULA(fetch_bandwidth, COUNTS,
	fmax(0, topdown_fe_bound_all - topdown_fe_bound_frontend_latency) / SLOTS)
FORMULA(core_bound, COUNTS, topdown_be_bound_alloc_restrictions / SLOTS)
FORMULA(resource_bound, COUNTS,
	fmax(0, topdown_be_bound_all - topdown_be_bound_alloc_restrictions) / SLOTS)
FORMULA(branch_mispredicts, BAD_SPECULATION_COUNTS, topdown_bad_speculation_mispredict / SLOTS)
FORMULA(machine_clears, BAD_SPECULATION_COUNTS, topdown_bad_speculation_machine_clears / SLOTS)
/* clang-format on */

static const struct ctd_node nodes[] = {
	ATOM_LEVEL1_TABLE,
	FRONTEND_TABLE(0, FRONTEND_LATENCY + 1),
	BACKEND_TABLE(0, ALLOC_RESTRICTIONS + 1),
	BRANCH_MISPREDICTS(1, BAD_SPECULATION_COUNTERS),
	MACHINE_CLEARS(1, BAD_SPECULATION_COUNTERS),
	INTEL_GENERAL_TABLE(0),
};

static const struct ctd_cpu_id ids[] = {
	INTEL(0xbe, 0xbe), /* Alder Lake N */
	INTEL_E(0x97, 0x97), /* Alder Lake S */
	INTEL_E(0x9a, 0x9a), /* Alder Lake P */
	INTEL_E(0xb7, 0xb7), /* Raptor Lake S */
	INTEL_E(0xba, 0xba), /* Raptor Lake P */
	INTEL_E(0xbf, 0xbf), /* Raptor Lake, Alder Lake die */
	{0},
};

const struct ctd_cpu_model ctd_cpu_gracemont = {
	.name = "gracemont",
	.title = "Intel Gracemont: Alder Lake N, E-cores of Alder and Raptor Lake",
	.source = "atom",
	.vendor = "GenuineIntel",
	.publication = "Intel perfmon metrics: ADL 1.1",
	.slots_per_cycle = 5,
	.slots_per_count = 5,
	.general_counters = 6,
	.read = CTD_READ_EACH,
	.groups = {events, bad_speculation_events, [CTD_GENERAL_GROUP] = general_events},
	.cache = "llc",
	.leader_fixed = true,
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(nodes[0]),
	.l1_counters = NO_COUNTER_INDICES,
};
