/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* core_events_alone.h - level 1 and the front end's halves of a core that one thread has alone. */
#ifndef CPU_CORE_EVENTS_ALONE_H
#define CPU_CORE_EVENTS_ALONE_H

#include "cpu/core_events.h"

/* The first group. @p recovery: the code of that event. */
enum {
	CYCLES,
	UOPS_NOT_DELIVERED,
	UOPS_ISSUED,
	RETIRE_SLOTS,
	RECOVERY_CYCLES,
	LEVEL1_COUNTERS,
};
#define LEVEL1_EVENTS(recovery)                                                        \
	CYCLES_EVENT, UOPS_NOT_DELIVERED_EVENT, UOPS_ISSUED_EVENT, RETIRE_SLOTS_EVENT, \
		{"int_misc.recovery_cycles", (recovery)}, LAST_EVENT
#define LEVEL1_COUNTS                                                  \
	COUNT cpu_clk_unhalted_thread = count[CYCLES];                 \
	COUNT idq_uops_not_delivered_core = count[UOPS_NOT_DELIVERED]; \
	COUNT uops_issued_any = count[UOPS_ISSUED];                    \
	COUNT uops_retired_retire_slots = count[RETIRE_SLOTS];         \
	COUNT int_misc_recovery_cycles = count[RECOVERY_CYCLES]

/* The second group begins with what the front end's halves take. */
enum {
	FRONTEND_GROUP = 1,
	NO_UOPS_DELIVERED = 2, /* after CYCLES and UOPS_NOT_DELIVERED */
	FRONTEND_COUNTERS,
};
#define FRONTEND_EVENTS CYCLES_EVENT, UOPS_NOT_DELIVERED_EVENT, NO_UOPS_DELIVERED_EVENT
#define FRONTEND_COUNTS                                                \
	COUNT cpu_clk_unhalted_thread = count[CYCLES];                 \
	COUNT idq_uops_not_delivered_core = count[UOPS_NOT_DELIVERED]; \
	COUNT idq_uops_not_delivered_cycles_0_uops_deliv_core = count[NO_UOPS_DELIVERED]

/*
 * The last group, as it takes five general-purpose counters: a core that has hyper-threading only
 * switched off by the kernel has four, and does without it.
 */
enum {
	BRANCH_ISSUED = 1, /* after CYCLES */
	BRANCH_RETIRE_SLOTS,
	BRANCH_RECOVERY,
	MISPREDICTED,
	CLEARS,
	BRANCH_COUNTERS,
};
#define BRANCH_EVENTS(recovery)                                                                   \
	CYCLES_EVENT, UOPS_ISSUED_EVENT, RETIRE_SLOTS_EVENT,                                      \
		{"int_misc.recovery_cycles", (recovery)}, {"br_misp_retired.all_branches", 0xc5}, \
		{"machine_clears.count", 0x10401c3}, LAST_EVENT
#define BRANCH_COUNTS                                                 \
	COUNT cpu_clk_unhalted_thread = count[CYCLES];                \
	COUNT uops_issued_any = count[BRANCH_ISSUED];                 \
	COUNT uops_retired_retire_slots = count[BRANCH_RETIRE_SLOTS]; \
	COUNT int_misc_recovery_cycles = count[BRANCH_RECOVERY];      \
	COUNT br_misp_retired_all_branches = count[MISPREDICTED];     \
	COUNT machine_clears_count = count[CLEARS]

#define CORE_SLOTS (4 * cpu_clk_unhalted_thread)
/* Counts of one group are not all of one instant, so that these may come out a little below 0. */
#define BAD fmax(0, uops_issued_any - uops_retired_retire_slots + 4 * int_misc_recovery_cycles)
#define BACKEND fmax(0, CORE_SLOTS - idq_uops_not_delivered_core - BAD - uops_retired_retire_slots)

/* Intel's formulas have this bound up to Haswell; on later cores it changes nothing. */
#define NO_UOPS_CYCLES \
	fmin(cpu_clk_unhalted_thread, idq_uops_not_delivered_cycles_0_uops_deliv_core)

/* clang-format off */
#define LEVEL1_FORMULAS \
	FORMULA(retiring, LEVEL1_COUNTS, uops_retired_retire_slots / CORE_SLOTS) \
	FORMULA(bad_speculation, LEVEL1_COUNTS, BAD / CORE_SLOTS) \
	FORMULA(frontend_bound, LEVEL1_COUNTS, idq_uops_not_delivered_core / CORE_SLOTS) \
	FORMULA(backend_bound, LEVEL1_COUNTS, BACKEND / CORE_SLOTS)
#define FRONTEND_FORMULAS \
	FORMULA(fetch_latency, FRONTEND_COUNTS, 4 * NO_UOPS_CYCLES / CORE_SLOTS) \
	FORMULA(fetch_bandwidth, FRONTEND_COUNTS, \
		fmax(0, idq_uops_not_delivered_core - 4 * NO_UOPS_CYCLES) / CORE_SLOTS)

/* Bad speculation by what caused it, each kind taken to cost the same; no cause, no part. */
#define CAUSES fmax(1, br_misp_retired_all_branches + machine_clears_count)
#define BRANCH_FORMULAS \
	FORMULA(branch_mispredicts, BRANCH_COUNTS, \
		BAD * br_misp_retired_all_branches / CAUSES / CORE_SLOTS) \
	FORMULA(machine_clears, BRANCH_COUNTS, \
		BAD * fmax(0, 1 - br_misp_retired_all_branches / CAUSES) / CORE_SLOTS)
#define BRANCH_TABLE(in_group) \
	{BRANCH_MISPREDICTS_NODE(BAD_SPECULATION), .group = (in_group), .counters = BRANCH_COUNTERS}, \
	{MACHINE_CLEARS_NODE(BAD_SPECULATION), .group = (in_group), .counters = BRANCH_COUNTERS}

/*
 * Nothing else of level 2 can be had. A formula takes counts of one group, all of the same time:
 * memory_bound and core_bound need nine general-purpose counters on Skylake and eleven on Broadwell.
 */
#define FRONTEND_TABLE \
	{FETCH_LATENCY_NODE(FRONTEND_BOUND), .group = FRONTEND_GROUP, .counters = FRONTEND_COUNTERS}, \
	{FETCH_BANDWIDTH_NODE(FRONTEND_BOUND), .group = FRONTEND_GROUP, .counters = FRONTEND_COUNTERS}
/* clang-format on */

#define ALONE_CAUTION                                                            \
	"of level 2 there are no halves of backend_bound; in a virtual machine " \
	"whose CPUs share cores with others, backend_bound includes the slots that those used"

#endif
