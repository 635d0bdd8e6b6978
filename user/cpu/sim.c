/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sim.c - the simulated core: the events and nodes of Golden Cove, counted by no hardware. */
#include "perf_metrics.h"

static const struct ctd_cpu_event events[] = {LEVEL1_EVENTS, LEVEL2_EVENTS, {NULL, 0}};

/* clang-format off */
LEVEL1_FORMULAS
LEVEL2_FORMULAS
/* clang-format on */

/* No general metrics: profiles say where slots go, and nothing of instructions. */
static const struct ctd_node nodes[] = {LEVEL1_TABLE, LEVEL2_TABLE};

const struct ctd_cpu_model ctd_cpu_sim = {
	.name = "sim",
	.title = "Simulated core: slots from on-CPU time and a profile by command name",
	.source = "sim",
	.publication = "none: the figures are what the profile says",
	.slots_per_cycle = 6,
	.slots_per_count = 1,
	.read = CTD_READ_SIM,
	.groups = {events},
	.ids = NULL,
	.nodes = nodes,
	.nodes_count = LEVEL2_NODES,
	.l1_counters = LEVEL1_COUNTER_INDICES,
};
