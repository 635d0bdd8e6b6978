/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* zen.h - events and formulas of AMD's cores from Zen 4 on, which count slots at dispatch. */
#ifndef CPU_ZEN_H
#define CPU_ZEN_H

#include "cpu/general.h"

/*
 * Linux' perf, tools/perf/pmu-events/arch/x86/amdzen4 to 6: PipelineL1 and PipelineL2. A design has
 * a WIDTH, and a RESYNC_EVENT whose count is RESYNCS.
 *
 * There are six counters and no fixed one. Slots are those of the thread: what the other one of the
 * core was given instead is a fifth part of level 1. It comes last, as the NMI watchdog may hold
 * the counter that it needs. The five are counted apart, and are not forced to be the whole.
 */
enum {
	CYCLES,
	NO_OPS,
	BACKEND_STALLS,
	DISPATCHED,
	RETIRED,
	LEVEL1_COUNTERS,
	CONTENTION = LEVEL1_COUNTERS,
	CONTENTION_COUNTERS,
};

enum {
	BRANCH_GROUP = 1,
	MEMORY_GROUP,
	FETCH_GROUP,
};

/* Each after cycles. */
enum {
	BRANCH_DISPATCHED = 1,
	BRANCH_RETIRED,
	BRANCHES_MISPREDICTED,
	PIPELINE_RESYNCS,
	BRANCH_COUNTERS,
	MEMORY_BACKEND_STALLS = 1,
	LOAD_NOT_COMPLETE,
	NOT_COMPLETE,
	MEMORY_COUNTERS,
	FETCH_NO_OPS = 1,
	NO_OPS_AT_ALL,
	FETCH_RETIRED,
	MICROCODE,
	FETCH_COUNTERS,
};

/* clang-format off */
#define ZEN_CYCLES {"ls_not_halted_cyc", 0x76}
#define ZEN_RETIRED {"ex_ret_ops", 0xc1}
#define ZEN_DISPATCHED {"de_src_op_disp.all", 0x7aa}
#define ZEN_NO_OPS "de_no_dispatch_per_slot.no_ops_from_frontend"
#define ZEN_NO_OPS_CODE 0x1000001a0
#define ZEN_BACKEND_STALLS {"de_no_dispatch_per_slot.backend_stalls", 0x100001ea0}
/* clang-format on */

/* Cycles in which every slot stayed empty: a count only where it is the width. */
/* clang-format off */
#define EXPANDED(text) TEXT(text)
#define AT_ALL_NAME ZEN_NO_OPS ".cmask_" EXPANDED(WIDTH)
#define JOINED_(a, b) a##b
#define JOINED(a, b) JOINED_(a, b)
#define AT_ALL JOINED(de_no_dispatch_per_slot_no_ops_from_frontend_cmask_, WIDTH)

#define LEVEL1_EVENTS \
	ZEN_CYCLES, \
	{ZEN_NO_OPS, ZEN_NO_OPS_CODE}, \
	ZEN_BACKEND_STALLS, \
	ZEN_DISPATCHED, \
	ZEN_RETIRED, \
	{"de_no_dispatch_per_slot.smt_contention", 0x1000060a0}, \
	{NULL, 0}
#define BRANCH_EVENTS \
	ZEN_CYCLES, \
	ZEN_DISPATCHED, \
	ZEN_RETIRED, \
	{"ex_ret_brn_misp", 0xc3}, \
	RESYNC_EVENT, \
	{NULL, 0}
#define MEMORY_EVENTS \
	ZEN_CYCLES, \
	ZEN_BACKEND_STALLS, \
	{"ex_no_retire.load_not_complete", 0xa2d6}, \
	{"ex_no_retire.not_complete", 0x2d6}, \
	{NULL, 0}
#define FETCH_EVENTS \
	ZEN_CYCLES, \
	{ZEN_NO_OPS, ZEN_NO_OPS_CODE}, \
	{AT_ALL_NAME, ZEN_NO_OPS_CODE | WIDTH << 24}, \
	ZEN_RETIRED, \
	{"ex_ret_ucode_ops", 0x1000000c2}, \
	{NULL, 0}
/* The L3 is of many cores, and its counters are not of any one of them. */
#define GENERAL_EVENTS \
	ZEN_CYCLES, \
	{"ex_ret_instr", 0xc0}, \
	{"ex_ret_brn_misp", 0xc3}, \
	{"l2_cache_req_stat.ic_dc_miss_in_l2", 0x964}, \
	{NULL, 0}
/* clang-format on */

#define LEVEL1_COUNTS                                                         \
	COUNT ls_not_halted_cyc = count[CYCLES];                              \
	COUNT de_no_dispatch_per_slot_no_ops_from_frontend = count[NO_OPS];   \
	COUNT de_no_dispatch_per_slot_backend_stalls = count[BACKEND_STALLS]; \
	COUNT de_src_op_disp_all = count[DISPATCHED];                         \
	COUNT ex_ret_ops = count[RETIRED]
#define CONTENTION_COUNTS                        \
	COUNT ls_not_halted_cyc = count[CYCLES]; \
	COUNT de_no_dispatch_per_slot_smt_contention = count[CONTENTION]
#define BRANCH_COUNTS                                         \
	COUNT ls_not_halted_cyc = count[CYCLES];              \
	COUNT de_src_op_disp_all = count[BRANCH_DISPATCHED];  \
	COUNT ex_ret_ops = count[BRANCH_RETIRED];             \
	COUNT ex_ret_brn_misp = count[BRANCHES_MISPREDICTED]; \
	COUNT RESYNCS = count[PIPELINE_RESYNCS]
#define MEMORY_COUNTS                                                                \
	COUNT ls_not_halted_cyc = count[CYCLES];                                     \
	COUNT de_no_dispatch_per_slot_backend_stalls = count[MEMORY_BACKEND_STALLS]; \
	COUNT ex_no_retire_load_not_complete = count[LOAD_NOT_COMPLETE];             \
	COUNT ex_no_retire_not_complete = count[NOT_COMPLETE]
#define FETCH_COUNTS                                                              \
	COUNT ls_not_halted_cyc = count[CYCLES];                                  \
	COUNT de_no_dispatch_per_slot_no_ops_from_frontend = count[FETCH_NO_OPS]; \
	COUNT AT_ALL = count[NO_OPS_AT_ALL];                                      \
	COUNT ex_ret_ops = count[FETCH_RETIRED];                                  \
	COUNT ex_ret_ucode_ops = count[MICROCODE]

#define SLOTS (WIDTH * ls_not_halted_cyc)
/* Counts of one group are not all of one instant, so that this may come out a little below 0. */
#define THROWN_AWAY fmax(0, de_src_op_disp_all - ex_ret_ops)
#define BACKEND de_no_dispatch_per_slot_backend_stalls
#define FRONTEND de_no_dispatch_per_slot_no_ops_from_frontend
/* Where there was none, there is no share of it: 0, as in perf's d_ratio(). */
#define FLUSHES fmax(1, ex_ret_brn_misp + RESYNCS)
#define WAITED fmax(1, ex_no_retire_not_complete)

/* clang-format off */
#define FORMULAS \
	FORMULA(retiring, LEVEL1_COUNTS, ex_ret_ops / SLOTS) \
	FORMULA(bad_speculation, LEVEL1_COUNTS, THROWN_AWAY / SLOTS) \
	FORMULA(frontend_bound, LEVEL1_COUNTS, FRONTEND / SLOTS) \
	FORMULA(backend_bound, LEVEL1_COUNTS, BACKEND / SLOTS) \
	FORMULA(smt_contention, CONTENTION_COUNTS, de_no_dispatch_per_slot_smt_contention / SLOTS) \
	FORMULA(heavy_operations, FETCH_COUNTS, ex_ret_ucode_ops / SLOTS) \
	FORMULA(light_operations, FETCH_COUNTS, fmax(0, ex_ret_ops - ex_ret_ucode_ops) / SLOTS) \
	FORMULA(branch_mispredicts, BRANCH_COUNTS, THROWN_AWAY * ex_ret_brn_misp / FLUSHES / SLOTS) \
	FORMULA(machine_clears, BRANCH_COUNTS, THROWN_AWAY * RESYNCS / FLUSHES / SLOTS) \
	FORMULA(fetch_latency, FETCH_COUNTS, WIDTH * AT_ALL / SLOTS) \
	FORMULA(fetch_bandwidth, FETCH_COUNTS, fmax(0, FRONTEND - WIDTH * AT_ALL) / SLOTS) \
	FORMULA(memory_bound, MEMORY_COUNTS, BACKEND * ex_no_retire_load_not_complete / WAITED / SLOTS) \
	FORMULA(core_bound, MEMORY_COUNTS, \
		BACKEND * fmax(0, 1 - ex_no_retire_load_not_complete / WAITED) / SLOTS) \
	GENERAL_FORMULAS(0, ls_not_halted_cyc, ex_ret_instr, ex_ret_brn_misp, \
			 l2_cache_req_stat_ic_dc_miss_in_l2, l2)

#define NODES \
	LEVEL1_TABLE, \
	{NODE(smt_contention, 1, -1, "SMT", 0.2, \
	      "Slots that the core's other hyper-thread was given instead. This is no fault of the " \
	      "row's own work: see what else runs on the same cores."), \
	 .counters = CONTENTION_COUNTERS}, \
	LEVEL2_OF_GROUP(heavy_operations, RETIRING, FETCH_GROUP, FETCH_COUNTERS, "HeavyOps", 0.1, \
		"Useful slots of instructions by microcode (AMD: retiring from microcode). Look for " \
		"string moves, gathers and denormals."), \
	LEVEL2_OF_GROUP(light_operations, RETIRING, FETCH_GROUP, FETCH_COUNTERS, "LightOps", 0.6, \
		"Useful slots of instructions without microcode (AMD: retiring from fastpath). A " \
		"large share asks for a better algorithm or for vector code."), \
	LEVEL2_OF_GROUP(branch_mispredicts, BAD_SPECULATION, BRANCH_GROUP, BRANCH_COUNTERS, \
		"BrMispred", 0.1, \
		"Slots of work thrown away, by the share of branches among what threw it away (AMD: " \
		"bad speculation from mispredicts). Find them by sampling mispredicted branches."), \
	LEVEL2_OF_GROUP(machine_clears, BAD_SPECULATION, BRANCH_GROUP, BRANCH_COUNTERS, "Clears", \
		0.1, \
		"Slots of work thrown away by other restarts (AMD: bad speculation from pipeline " \
		"restarts). Look for memory-ordering conflicts between threads and self-modifying " \
		"code."), \
	LEVEL2_OF_GROUP(fetch_latency, FRONTEND_BOUND, FETCH_GROUP, FETCH_COUNTERS, "FetchLat", 0.1, \
		"Slots in cycles in which no instruction arrived at all (AMD: frontend bound by " \
		"latency). Look for misses of the instruction cache and TLB, and for frequent jumps " \
		"between far code."), \
	LEVEL2_OF_GROUP(fetch_bandwidth, FRONTEND_BOUND, FETCH_GROUP, FETCH_COUNTERS, "FetchBw", 0.2, \
		"Slots in cycles in which some instructions arrived, but too few (AMD: frontend bound " \
		"by bandwidth). Look for hot code that does not fit the cache of decoded " \
		"instructions."), \
	LEVEL2_OF_GROUP(memory_bound, BACKEND_BOUND, MEMORY_GROUP, MEMORY_COUNTERS, "MemBound", 0.2, \
		"Slots of the back end, by the share of waiting for loads in all waiting to retire " \
		"(AMD: backend bound by memory). Look at cache misses, data layout, and at " \
		"neighbours that share the cache and memory channels."), \
	LEVEL2_OF_GROUP(core_bound, BACKEND_BOUND, MEMORY_GROUP, MEMORY_COUNTERS, "CoreBound", 0.1, \
		"The other slots of the back end (AMD: backend bound by CPU). Look at divisions and " \
		"at long dependency chains."), \
	GENERAL_TABLE(0, l2, "L2MPKI", \
		"Requests of the L1 caches, for data and code, that missed the core's L2 cache, per " \
		"thousand instructions; without those of the L2's own prefetcher. Look at data layout, " \
		"and at how large what is worked on is.")

#define AMD(family, first, last) {family, first, last, 0, 0, CTD_CORE_MAIN}
#define THRESHOLDS "; thresholds are Intel's, as AMD has none"
/* clang-format on */

/* clang-format off */
#define TABLES \
	static const struct ctd_cpu_event level1_events[] = {LEVEL1_EVENTS}; \
	static const struct ctd_cpu_event branch_events[] = {BRANCH_EVENTS}; \
	static const struct ctd_cpu_event memory_events[] = {MEMORY_EVENTS}; \
	static const struct ctd_cpu_event fetch_events[] = {FETCH_EVENTS}; \
	static const struct ctd_cpu_event general_events[] = {GENERAL_EVENTS}; \
	static const struct ctd_node nodes[] = {NODES};

/* What all have, beside name, title, publication and ids. */
#define DISPATCHED_SLOTS \
	.source = "zen_dispatch", .vendor = "AuthenticAMD", .slots_per_cycle = WIDTH, \
	.slots_per_count = WIDTH, .general_counters = 6, .read = CTD_READ_EACH, \
	.groups = {level1_events, branch_events, memory_events, fetch_events, \
		   [CTD_GENERAL_GROUP] = general_events}, .cache = "l2", .ids = ids, \
	.nodes = nodes, .nodes_count = sizeof(nodes) / sizeof(nodes[0]), \
	.l1_counters = NO_COUNTER_INDICES
/* clang-format on */

#endif
