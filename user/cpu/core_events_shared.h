/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* core_events_shared.h - what can be had of level 1, and the front end's halves, of a core that two
 * threads share. */
#ifndef CPU_CORE_EVENTS_SHARED_H
#define CPU_CORE_EVENTS_SHARED_H

#include "cpu/core_events.h"

/*
 * A thread's part of its core are all cycles in which it ran alone, and half of those in which the
 * other ran too. How many it ran alone is told by the slow reference clock, of which two events
 * count the ticks; both must be of the same group. This is the form that Intel's formulas have for
 * samples of one thread. The form for a whole core halves cycles that are counted for both
 * threads, and so would charge a row with what the other thread did.
 *
 * With these two, a group has room for two events more. bad_speculation takes three (issued,
 * retired, recovery), and so does backend_bound (not delivered, issued, recovery): they cannot be
 * had, nor can the halves of them. Together they are what the other two leave of the slots.
 *
 * slots_per_count is 2, a thread's half of the core, though it had up to 4 while the other was
 * idle: so the slots of both are never more than the core's. Ratios are not made with it.
 */
/* clang-format off */
#define SHARED_EVENTS \
	THREAD_CYCLES_EVENT, \
	{"cpu_clk_unhalted.one_thread_active", 0x23c}, \
	{"cpu_clk_unhalted.ref_xclk", 0x13c}
/* Every group begins with these three. */
#define SHARED_LEVEL1_EVENTS SHARED_EVENTS, RETIRE_SLOTS_EVENT, UOPS_NOT_DELIVERED_EVENT, {NULL, 0}
#define SHARED_FRONTEND_EVENTS \
	SHARED_EVENTS, UOPS_NOT_DELIVERED_EVENT, NO_UOPS_DELIVERED_EVENT, {NULL, 0}

#define SHARED_SLOTS \
	"(4 * (" THREAD_CYCLES " / 2) * " \
	"(1 + cpu_clk_unhalted.one_thread_active / cpu_clk_unhalted.ref_xclk))"

/* Indices of the nodes that others are below, where level 1 is but these two. */
enum { SHARED_RETIRING, SHARED_FRONTEND_BOUND };

#define SHARED_LEVEL1_NODES \
	RETIRING_NODE(4, "uops_retired.retire_slots / " SHARED_SLOTS), \
	FRONTEND_BOUND_NODE(5, "idq_uops_not_delivered.core / " SHARED_SLOTS)
#define SHARED_FETCH_LATENCY_NODE \
	FETCH_LATENCY_NODE(SHARED_FRONTEND_BOUND, 1, 5, "(" NO_UOPS_SLOTS ") / " SHARED_SLOTS)
/* clang-format on */

#define SHARED_CAUTION                                                                             \
	"the two threads of a core share its slots: a row's figures also reflect what ran beside " \
	"it, and bad_speculation and backend_bound take more counters than a thread has"

#endif
