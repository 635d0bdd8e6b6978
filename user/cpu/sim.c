/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sim.c - the simulated core: the events and nodes of Golden Cove, counted by no hardware. */
#include "cpu/perf_metrics.h"

static const struct ctd_cpu_event events[] = {
	PERF_METRICS_LEVEL1_EVENTS, PERF_METRICS_LEVEL2_EVENTS, {NULL, 0}};

/* No IPC metrics: profiles say where slots go, and nothing of instructions. */
static const struct ctd_node nodes[] = {PERF_METRICS_LEVEL1_NODES, PERF_METRICS_LEVEL2_NODES};

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
	.nodes_count = sizeof(nodes) / sizeof(*nodes),
	.l1_counters = PERF_METRICS_LEVEL1_COUNTERS,
};
