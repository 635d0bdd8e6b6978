/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sunny_cove.c - Intel Sunny Cove and its kin: level 1 by PERF_METRICS, five slots a cycle. */
#include "perf_metrics.h"

static const struct ctd_cpu_event events[] = {LEVEL1_EVENTS, {NULL, 0}};

static const struct ctd_cpu_id ids[] = {
	{6, 0x6a, 0x6a}, /* Ice Lake SP */
	{6, 0x6c, 0x6c}, /* Ice Lake D */
	{6, 0x7d, 0x7e}, /* Ice Lake client */
	{6, 0x8c, 0x8d}, /* Tiger Lake */
	{6, 0xa7, 0xa7}, /* Rocket Lake */
	{0, 0, 0},
};

const struct ctd_cpu_model ctd_cpu_sunny_cove = {
	.name = "sunny_cove",
	.title = "Intel Sunny Cove, Willow Cove, Cypress Cove: Ice Lake, Tiger Lake, Rocket Lake",
	.source = "perf_metrics",
	.publication =
		"Intel perfmon metrics: ICX 1.2 (TMA 5.2), ICL and TGL 1.1 (TMA 5.1)" WITHOUT_CORRECTIONS,
	.slots_per_cycle = 5,
	.read = CTD_READ_LEADER,
	.events = events,
	.ids = ids,
	.nodes = perf_metrics_nodes,
	.nodes_count = LEVEL1_NODES,
	.l1_counters = LEVEL1_COUNTER_INDICES,
};
