/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sandy_bridge_smt.c - Intel Sandy Bridge to Broadwell with hyper-threading: by events of cycles. */
#include "cpu/core_events_shared.h"

/*
 * These designs have the same codes of all that is here. There is no fetch_bandwidth: Intel calls
 * it unreliable with two threads (perfmon's README, of Haswell and Broadwell). Heavy operations
 * need three events beside those of the thread's part.
 */
static const struct ctd_cpu_event level1_events[] = {SHARED_LEVEL1_EVENTS};
static const struct ctd_cpu_event frontend_events[] = {SHARED_FRONTEND_EVENTS};
static const struct ctd_cpu_event ipc_events[] = {CORE_EVENTS_IPC_EVENTS};

static const struct ctd_node nodes[] = {
	SHARED_LEVEL1_NODES,
	SHARED_FETCH_LATENCY_NODE,
	CORE_EVENTS_IPC_NODES,
};

static const struct ctd_cpu_id ids[] = {
	SANDY_BRIDGE_IDS, IVY_BRIDGE_IDS, HASWELL_IDS, BROADWELL_IDS, {0}};

const struct ctd_cpu_model ctd_cpu_sandy_bridge_smt = {
	.name = "sandy_bridge_smt",
	.title = "Intel Sandy Bridge, Ivy Bridge, Haswell, Broadwell, with hyper-threading",
	.source = "core_events",
	.vendor = "GenuineIntel",
	.publication =
		"Intel perfmon: HSX and BDX metrics 1.0 (TMA 5.01), SNB and IVB in Linux 7.3; as for samples of a thread",
	.caution = SHARED_CAUTION,
	.slots_per_cycle = 4,
	.slots_per_count = 2,
	.smt = CTD_SMT_ON,
	.core_scope = true,
	.general_purpose_counters = 4,
	.read = CTD_READ_EACH,
	.groups = {level1_events, frontend_events, [CTD_IPC_GROUP] = ipc_events},
	.cache = "llc",
	.leader_fixed = true,
	.fixed_event = INTEL_INSTRUCTIONS,
	.ids = ids,
	.nodes = nodes,
	.nodes_count = sizeof(nodes) / sizeof(*nodes),
};
