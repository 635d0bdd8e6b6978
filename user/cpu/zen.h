/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* zen.h - events and nodes of AMD's cores from Zen 4 on, which count slots at dispatch. */
#ifndef CPU_ZEN_H
#define CPU_ZEN_H

#include "cpu/nodes.h"

/*
 * Linux' perf, tools/perf/pmu-events/arch/x86/amdzen4 to 6: PipelineL1 and PipelineL2.
 *
 * There are six counters and no fixed one. Slots are those of the thread: what the other one of the
 * core was given instead is a fifth part of level 1. It comes last, as the NMI watchdog may hold
 * the counter that it needs. The five are counted apart, and are not forced to be the whole.
 *
 * Designs differ in their width, in the event of cycles in which every slot stayed empty (@p
 * at_all, a count only where it is the width), and in the event of the pipeline's restarts.
 */
/* clang-format off */
#define ZEN_CYCLES_EVENT {"ls_not_halted_cyc", 0x76}
#define ZEN_RETIRED_EVENT {"ex_ret_ops", 0xc1}
#define ZEN_DISPATCHED_EVENT {"de_src_op_disp.all", 0x7aa}
#define ZEN_NO_OPS "de_no_dispatch_per_slot.no_ops_from_frontend"
#define ZEN_NO_OPS_CODE 0x1000001a0
#define ZEN_NO_OPS_EVENT {ZEN_NO_OPS, ZEN_NO_OPS_CODE}
#define ZEN_BACKEND "de_no_dispatch_per_slot.backend_stalls"
#define ZEN_BACKEND_EVENT {ZEN_BACKEND, 0x100001ea0}

static const struct ctd_cpu_event zen_level1_events[] = {
	ZEN_CYCLES_EVENT,
	ZEN_NO_OPS_EVENT,
	ZEN_BACKEND_EVENT,
	ZEN_DISPATCHED_EVENT,
	ZEN_RETIRED_EVENT,
	{"de_no_dispatch_per_slot.smt_contention", 0x1000060a0},
	{NULL, 0},
};
static const struct ctd_cpu_event zen_memory_events[] = {
	ZEN_CYCLES_EVENT,
	ZEN_BACKEND_EVENT,
	{"ex_no_retire.load_not_complete", 0xa2d6},
	{"ex_no_retire.not_complete", 0x2d6},
	{NULL, 0},
};
/* The L3 is of many cores, and its counters are not of any one of them. */
static const struct ctd_cpu_event zen_ipc_events[] = {
	ZEN_CYCLES_EVENT,
	{"ex_ret_instr", 0xc0},
	{"ex_ret_brn_misp", 0xc3},
	{"l2_cache_req_stat.ic_dc_miss_in_l2", 0x964},
	{NULL, 0},
};
#define ZEN_BRANCH_EVENTS(restarts, code) \
	ZEN_CYCLES_EVENT, ZEN_DISPATCHED_EVENT, ZEN_RETIRED_EVENT, \
	{"ex_ret_brn_misp", 0xc3}, {(restarts), (code)}, {NULL, 0}
#define ZEN_FETCH_EVENTS(at_all, width) \
	ZEN_CYCLES_EVENT, ZEN_NO_OPS_EVENT, {(at_all), ZEN_NO_OPS_CODE | (width) << 24}, \
	ZEN_RETIRED_EVENT, {"ex_ret_ucode_ops", 0x1000000c2}, {NULL, 0}

#define ZEN_BRANCH_GROUP 1
#define ZEN_MEMORY_GROUP 2
#define ZEN_FETCH_GROUP 3

#define ZEN_SLOTS(width) "(" width " * ls_not_halted_cyc)"
/* Counts of one group are not all of one instant, so that this may come out a little below 0. */
#define ZEN_THROWN_AWAY "max(0, de_src_op_disp.all - ex_ret_ops)"
/* Where there was none, there is no share of it: 0, as in perf's d_ratio(). */
#define ZEN_FLUSHES(restarts) "max(1, ex_ret_brn_misp + " restarts ")"
#define ZEN_WAITED "max(1, ex_no_retire.not_complete)"

#define ZEN_LEVEL1_NODES(width) \
	RETIRING_NODE(5, "ex_ret_ops / " ZEN_SLOTS(width)), \
	BAD_SPECULATION_NODE(5, ZEN_THROWN_AWAY " / " ZEN_SLOTS(width)), \
	FRONTEND_BOUND_NODE(5, ZEN_NO_OPS " / " ZEN_SLOTS(width)), \
	BACKEND_BOUND_NODE(5, ZEN_BACKEND " / " ZEN_SLOTS(width)), \
	LEVEL1_NODE("smt_contention", CTD_ROLE_SMT_CONTENTION, "SMT", 6, \
		"de_no_dispatch_per_slot.smt_contention / " ZEN_SLOTS(width), "smt_contention > 0.2", \
		"Slots that the core's other hyper-thread was given instead. This is no fault of the " \
		"row's own work: see what else runs on the same cores.")
#define ZEN_LEVEL2_NODES(width, at_all, restarts) \
	HEAVY_OPERATIONS_WITH(RETIRING, ZEN_FETCH_GROUP, 5, "ex_ret_ucode_ops / " ZEN_SLOTS(width), \
		"Useful slots of instructions by microcode (AMD: retiring from microcode). Look for " \
		"string moves, gathers and denormals."), \
	LIGHT_OPERATIONS_WITH(RETIRING, ZEN_FETCH_GROUP, 5, \
		"max(0, ex_ret_ops - ex_ret_ucode_ops) / " ZEN_SLOTS(width), \
		"Useful slots of instructions without microcode (AMD: retiring from fastpath). A " \
		"large share asks for a better algorithm or for vector code."), \
	BRANCH_MISPREDICTS_WITH(ZEN_BRANCH_GROUP, 5, \
		ZEN_THROWN_AWAY " * ex_ret_brn_misp / " ZEN_FLUSHES(restarts) " / " ZEN_SLOTS(width), \
		MISPREDICTS_CONDITION, \
		"Slots of work thrown away, by the share of branches among what threw it away (AMD: " \
		"bad speculation from mispredicts). Find them by sampling mispredicted branches."), \
	MACHINE_CLEARS_WITH(ZEN_BRANCH_GROUP, 5, \
		ZEN_THROWN_AWAY " * " restarts " / " ZEN_FLUSHES(restarts) " / " ZEN_SLOTS(width), \
		CLEARS_CONDITION, \
		"Slots of work thrown away by other restarts (AMD: bad speculation from pipeline " \
		"restarts). Look for memory-ordering conflicts between threads and self-modifying " \
		"code."), \
	FETCH_LATENCY_WITH(FRONTEND_BOUND, ZEN_FETCH_GROUP, 5, \
		width " * " at_all " / " ZEN_SLOTS(width), FETCH_LATENCY_CONDITION, \
		"Slots in cycles in which no instruction arrived at all (AMD: frontend bound by " \
		"latency). Look for misses of the instruction cache and TLB, and for frequent jumps " \
		"between far code."), \
	FETCH_BANDWIDTH_WITH(FRONTEND_BOUND, ZEN_FETCH_GROUP, 5, \
		"max(0, " ZEN_NO_OPS " - " width " * " at_all ") / " ZEN_SLOTS(width), \
		FETCH_BANDWIDTH_CONDITION, \
		"Slots in cycles in which some instructions arrived, but too few (AMD: frontend bound " \
		"by bandwidth). Look for hot code that does not fit the cache of decoded " \
		"instructions."), \
	MEMORY_BOUND_WITH(ZEN_MEMORY_GROUP, 4, \
		ZEN_BACKEND " * ex_no_retire.load_not_complete / " ZEN_WAITED " / " ZEN_SLOTS(width), \
		"Slots of the back end, by the share of waiting for loads in all waiting to retire " \
		"(AMD: backend bound by memory). Look at cache misses, data layout, and at " \
		"neighbours that share the cache and memory channels."), \
	CORE_BOUND_WITH(ZEN_MEMORY_GROUP, 4, \
		ZEN_BACKEND " * max(0, 1 - ex_no_retire.load_not_complete / " ZEN_WAITED ") / " \
		ZEN_SLOTS(width), CORE_BOUND_CONDITION, \
		"The other slots of the back end (AMD: backend bound by CPU). Look at divisions and " \
		"at long dependency chains.")
#define ZEN_IPC_NODES \
	IPC_NODES(0, "ls_not_halted_cyc", "ex_ret_instr", "ex_ret_brn_misp", \
		"l2_cache_req_stat.ic_dc_miss_in_l2", "l2", "L2MPKI", \
		"Requests of the L1 caches, for data and code, that missed the core's L2 cache, per " \
		"thousand instructions; without those of the L2's own prefetcher. Look at data layout, " \
		"and at how large what is worked on is.")

#define AMD(family, first, last) {family, first, last, 0, 0, CTD_CORE_TYPE_MAIN}
#define ZEN_CONDITIONS "; thresholds are Intel's, as AMD has none"

/* What all have, beside name, title, publication, groups, nodes and ids. */
#define ZEN_DESIGN(width) \
	.source = "zen_dispatch", .vendor = "AuthenticAMD", .slots_per_cycle = (width), \
	.slots_per_count = (width), .general_purpose_counters = 6, .read = CTD_READ_EACH, .cache = "l2"
/* clang-format on */

#endif
