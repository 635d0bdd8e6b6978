/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* crestmont.h - events and formulas of the E-cores from Crestmont on, both levels in one group. */
#ifndef CPU_CRESTMONT_H
#define CPU_CRESTMONT_H

#include "cpu/atom.h"

/*
 * All eight general-purpose counters. fetch_bandwidth, which Intel counts by an event of its own,
 * would be one too many; it is the other half of a unit mask. The last event is the one to go where
 * the leader needs a general counter.
 */
enum {
	CYCLES,
	FRONTEND_SLOTS,
	BACKEND_SLOTS,
	RETIRING_SLOTS,
	BAD_SPECULATION_SLOTS,
	LEVEL1_COUNTERS,
	FRONTEND_LATENCY = LEVEL1_COUNTERS,
	ALLOC_RESTRICTIONS,
	MISPREDICT,
	CLEARS,
	LEVEL2_COUNTERS,
};

/* The codes that the designs do not share. */
/* clang-format off */
#define EVENTS(frontend, backend, retired) \
	CORE_CYCLES, \
	{"topdown_fe_bound.all_p", (frontend)}, \
	{"topdown_be_bound.all_p", (backend)}, \
	{"topdown_retiring.all_p", (retired)}, \
	{"topdown_bad_speculation.all_p", 0x73}, \
	{"topdown_fe_bound.frontend_latency", 0x7271}, \
	{"topdown_be_bound.alloc_restrictions", 0x174}, \
	{"topdown_bad_speculation.mispredict", 0x473}, \
	{"topdown_bad_speculation.machine_clears", 0x373}, \
	{NULL, 0}
/* clang-format on */

#define COUNTS                                                                 \
	COUNT cpu_clk_unhalted_core = count[CYCLES];                           \
	COUNT topdown_fe_bound_all_p = count[FRONTEND_SLOTS];                  \
	COUNT topdown_be_bound_all_p = count[BACKEND_SLOTS];                   \
	COUNT topdown_retiring_all_p = count[RETIRING_SLOTS];                  \
	COUNT topdown_bad_speculation_all_p = count[BAD_SPECULATION_SLOTS];    \
	COUNT topdown_fe_bound_frontend_latency = count[FRONTEND_LATENCY];     \
	COUNT topdown_be_bound_alloc_restrictions = count[ALLOC_RESTRICTIONS]; \
	COUNT topdown_bad_speculation_mispredict = count[MISPREDICT];          \
	COUNT topdown_bad_speculation_machine_clears = count[CLEARS]

/* For a design with SLOTS, of the cycles. */
/* clang-format off */
#define FORMULAS \
	FORMULA(retiring, COUNTS, topdown_retiring_all_p / SLOTS) \
	FORMULA(bad_speculation, COUNTS, topdown_bad_speculation_all_p / SLOTS) \
	FORMULA(frontend_bound, COUNTS, topdown_fe_bound_all_p / SLOTS) \
	FORMULA(backend_bound, COUNTS, topdown_be_bound_all_p / SLOTS) \
	FORMULA(branch_mispredicts, COUNTS, topdown_bad_speculation_mispredict / SLOTS) \
	FORMULA(machine_clears, COUNTS, topdown_bad_speculation_machine_clears / SLOTS) \
	FORMULA(fetch_latency, COUNTS, topdown_fe_bound_frontend_latency / SLOTS) \
	FORMULA(fetch_bandwidth, COUNTS, \
		fmax(0, topdown_fe_bound_all_p - topdown_fe_bound_frontend_latency) / SLOTS) \
	FORMULA(core_bound, COUNTS, topdown_be_bound_alloc_restrictions / SLOTS) \
	FORMULA(resource_bound, COUNTS, \
		fmax(0, topdown_be_bound_all_p - topdown_be_bound_alloc_restrictions) / SLOTS)

#define NODES \
	ATOM_LEVEL1_TABLE, \
	FRONTEND_TABLE(0, FRONTEND_LATENCY + 1), \
	BACKEND_TABLE(0, ALLOC_RESTRICTIONS + 1), \
	BRANCH_MISPREDICTS(0, MISPREDICT + 1), \
	MACHINE_CLEARS(0, LEVEL2_COUNTERS), \
	INTEL_GENERAL_TABLE(0)
/* clang-format on */

#endif
