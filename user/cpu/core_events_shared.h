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
#define ONE_THREAD_ACTIVE_EVENT {"cpu_clk_unhalted.one_thread_active", 0x23c}
#define REF_XCLK_EVENT {"cpu_clk_unhalted.ref_xclk", 0x13c}
/* clang-format on */
#define SHARED_EVENTS CYCLES_EVENT, ONE_THREAD_ACTIVE_EVENT, REF_XCLK_EVENT

/* Every group begins with the first three; then the first has these two. */
enum {
	CYCLES,
	ONE_THREAD_ACTIVE,
	REF_XCLK,
	SHARED_COUNTERS,
	RETIRE_SLOTS = SHARED_COUNTERS,
	RETIRING_COUNTERS,
	UOPS_NOT_DELIVERED = RETIRING_COUNTERS,
	LEVEL1_COUNTERS,
};
#define LEVEL1_EVENTS SHARED_EVENTS, RETIRE_SLOTS_EVENT, UOPS_NOT_DELIVERED_EVENT, LAST_EVENT
#define SHARED_COUNTS                                                        \
	COUNT cpu_clk_unhalted_thread = count[CYCLES];                       \
	COUNT cpu_clk_unhalted_one_thread_active = count[ONE_THREAD_ACTIVE]; \
	COUNT cpu_clk_unhalted_ref_xclk = count[REF_XCLK]
#define LEVEL1_COUNTS                                          \
	SHARED_COUNTS;                                         \
	COUNT uops_retired_retire_slots = count[RETIRE_SLOTS]; \
	COUNT idq_uops_not_delivered_core = count[UOPS_NOT_DELIVERED]

enum {
	FRONTEND_GROUP = 1,
	FRONTEND_NOT_DELIVERED = SHARED_COUNTERS,
	NO_UOPS_DELIVERED,
	FRONTEND_COUNTERS,
};
#define FRONTEND_EVENTS SHARED_EVENTS, UOPS_NOT_DELIVERED_EVENT, NO_UOPS_DELIVERED_EVENT, LAST_EVENT
#define FRONTEND_COUNTS                                                    \
	SHARED_COUNTS;                                                     \
	COUNT idq_uops_not_delivered_core = count[FRONTEND_NOT_DELIVERED]; \
	COUNT idq_uops_not_delivered_cycles_0_uops_deliv_core = count[NO_UOPS_DELIVERED]

#define CORE_SLOTS                           \
	(4 * (cpu_clk_unhalted_thread / 2) * \
	 (1 + cpu_clk_unhalted_one_thread_active / cpu_clk_unhalted_ref_xclk))

#define NO_UOPS_SLOTS \
	(4 * fmin(cpu_clk_unhalted_thread, idq_uops_not_delivered_cycles_0_uops_deliv_core))

/* Indices of the nodes that others are below. */
enum { SHARED_RETIRING, SHARED_FRONTEND_BOUND };

/* clang-format off */
#define LEVEL1_FORMULAS \
	FORMULA(retiring, LEVEL1_COUNTS, uops_retired_retire_slots / CORE_SLOTS) \
	FORMULA(frontend_bound, LEVEL1_COUNTS, idq_uops_not_delivered_core / CORE_SLOTS) \
	FORMULA(fetch_latency, FRONTEND_COUNTS, NO_UOPS_SLOTS / CORE_SLOTS)
#define SHARED_LEVEL1_TABLE \
	{RETIRING_NODE, .counters = RETIRING_COUNTERS}, \
	{FRONTEND_BOUND_NODE, .counters = LEVEL1_COUNTERS}
/* clang-format on */

#define SHARED_CAUTION                                                                             \
	"the two threads of a core share its slots: a row's figures also reflect what ran beside " \
	"it, and bad_speculation and backend_bound take more counters than a thread has"

#endif
