/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* core_events_alone.h - levels 1 and 2 of a core that one thread has alone. */
#ifndef CPU_CORE_EVENTS_ALONE_H
#define CPU_CORE_EVENTS_ALONE_H

#include "cpu/core_events.h"

/* @p recovery: the code of that event, which two kinds of designs have. */
/* clang-format off */
#define ALONE_LEVEL1_EVENTS(recovery) \
	THREAD_CYCLES_EVENT, UOPS_NOT_DELIVERED_EVENT, UOPS_ISSUED_EVENT, RETIRE_SLOTS_EVENT, \
	{"int_misc.recovery_cycles", (recovery)}, {NULL, 0}
/* The second group begins with what the front end's halves take. */
#define ALONE_FRONTEND_GROUP 1
#define ALONE_FRONTEND_EVENTS THREAD_CYCLES_EVENT, UOPS_NOT_DELIVERED_EVENT, NO_UOPS_DELIVERED_EVENT
/*
 * The last group, as it takes five general-purpose counters: a core that has hyper-threading only
 * switched off by the kernel has four, and does without it.
 */
#define ALONE_BRANCH_EVENTS(recovery) \
	THREAD_CYCLES_EVENT, UOPS_ISSUED_EVENT, RETIRE_SLOTS_EVENT, \
	{"int_misc.recovery_cycles", (recovery)}, {"br_misp_retired.all_branches", 0xc5}, \
	{"machine_clears.count", 0x10401c3}, {NULL, 0}

#define ALONE_SLOTS "(4 * " THREAD_CYCLES ")"
/* Counts of one group are not all of one instant, so that these may come out a little below 0. */
#define ALONE_BAD \
	"max(0, uops_issued.any - uops_retired.retire_slots + 4 * int_misc.recovery_cycles)"
#define ALONE_LEVEL1_NODES \
	RETIRING_NODE(5, "uops_retired.retire_slots / " ALONE_SLOTS), \
	BAD_SPECULATION_NODE(5, ALONE_BAD " / " ALONE_SLOTS), \
	FRONTEND_BOUND_NODE(5, "idq_uops_not_delivered.core / " ALONE_SLOTS), \
	BACKEND_BOUND_NODE(5, "max(0, " ALONE_SLOTS " - idq_uops_not_delivered.core - " ALONE_BAD \
			      " - uops_retired.retire_slots) / " ALONE_SLOTS)

/*
 * Nothing else of level 2 can be had. A formula takes counts of one group, all of the same time:
 * memory_bound and core_bound need nine general-purpose counters on Skylake and eleven on Broadwell.
 */
#define ALONE_FRONTEND_NODES \
	FETCH_LATENCY_NODE(FRONTEND_BOUND, ALONE_FRONTEND_GROUP, 3, \
			   NO_UOPS_SLOTS " / " ALONE_SLOTS), \
	FETCH_BANDWIDTH_NODE(FRONTEND_BOUND, ALONE_FRONTEND_GROUP, 3, \
			     "max(0, idq_uops_not_delivered.core - " NO_UOPS_SLOTS ") / " ALONE_SLOTS)

/* Bad speculation by what caused it, each kind taken to cost the same; no cause, no part. */
#define ALONE_CAUSES "max(1, br_misp_retired.all_branches + machine_clears.count)"
#define ALONE_BRANCH_NODES(in_group) \
	BRANCH_MISPREDICTS_NODE(in_group, 6, \
		ALONE_BAD " * br_misp_retired.all_branches / " ALONE_CAUSES " / " ALONE_SLOTS), \
	MACHINE_CLEARS_NODE(in_group, 6, \
		ALONE_BAD " * max(0, 1 - br_misp_retired.all_branches / " ALONE_CAUSES ") / " ALONE_SLOTS)
/* clang-format on */

#define ALONE_CAUTION                                                            \
	"of level 2 there are no halves of backend_bound; in a virtual machine " \
	"whose CPUs share cores with others, backend_bound includes the slots that those used"

#endif
