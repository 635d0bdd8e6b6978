/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* golden_cove.c - Intel Golden Cove and Redwood Cove: both levels by PERF_METRICS, six slots a
 * cycle. */
#include "perf_metrics.h"

static const struct ctd_cpu_event events[] = {LEVEL1_EVENTS, LEVEL2_EVENTS, {NULL, 0}};

/* The hybrid ones have E-cores of another design under the same id: their PMU is another one. */
static const struct ctd_cpu_id ids[] = {
	{6, 0x8f, 0x8f}, /* Sapphire Rapids */
	{6, 0xcf, 0xcf}, /* Emerald Rapids */
	{6, 0xad, 0xae}, /* Granite Rapids, Granite Rapids D */
	{6, 0x97, 0x97}, /* Alder Lake S */
	{6, 0x9a, 0x9a}, /* Alder Lake P */
	{6, 0xb7, 0xb7}, /* Raptor Lake S */
	{6, 0xba, 0xba}, /* Raptor Lake P */
	{6, 0xbf, 0xbf}, /* Raptor Lake, Alder Lake die */
	{6, 0xaa, 0xaa}, /* Meteor Lake */
	{6, 0xac, 0xac}, /* Meteor Lake S */
	{6, 0xb5, 0xb5}, /* Arrow Lake U */
	{0, 0, 0},
};

const struct ctd_cpu_model ctd_cpu_golden_cove = {
	.name = "golden_cove",
	.title =
		"Intel Golden Cove, Redwood Cove: Sapphire, Emerald and Granite Rapids, P-cores of "
		"Alder, Raptor and Meteor Lake",
	.source = "perf_metrics",
	.publication = "Intel perfmon metrics: SPR 1.3, EMR 1.4, GNR 1.3 (TMA 5.2), ADL and MTL "
		       "1.1 (TMA 5.1)" WITHOUT_CORRECTIONS,
	.slots_per_cycle = 6,
	.read = CTD_READ_LEADER,
	.events = events,
	.ids = ids,
	.nodes = perf_metrics_nodes,
	.nodes_count = LEVEL2_NODES,
	.l1_counters = LEVEL1_COUNTER_INDICES,
};
