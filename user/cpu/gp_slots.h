/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* gp_slots.h - slots by ordinary counters: what the cores have in common that also have
 * PERF_METRICS. */
#ifndef CPU_GP_SLOTS_H
#define CPU_GP_SLOTS_H

#include "cpu/intel_general.h"

/*
 * The same parts of the slots, each by an event of a general-purpose counter: exact, where
 * PERF_METRICS has fractions of 8 bits, and there in virtual machines too. The denominator is fixed
 * counter 3 where the kernel offers it, else the same count by a general-purpose counter. One part
 * is not counted: bad speculation is what remains.
 *
 * INT_MISC.UOP_DROPPING counts slots that the front end left empty and that were not lost.
 */
enum {
	SLOTS,
	UOPS_RETIRED_SLOTS,
	UOPS_NOT_DELIVERED,
	UOP_DROPPING,
	BACKEND_BOUND_SLOTS,
	COMMON_COUNTERS,
};

/* @p uop_dropping: the code, which is the only one of these that the designs do not share. */
/* clang-format off */
#define COMMON_EVENTS(uop_dropping) \
	{"slots", 0}, \
	{"uops_retired.slots", 0x2c2}, \
	{"idq_uops_not_delivered.core", 0x19c}, \
	{"int_misc.uop_dropping", (uop_dropping)}, \
	{"topdown.backend_bound_slots", 0x2a4}
#define SLOTS_BY_GENERAL_COUNTER {"topdown.slots_p", 0x1a4}

#define COMMON_COUNTS \
	COUNT slots = count[SLOTS]; \
	COUNT uops_retired_slots = count[UOPS_RETIRED_SLOTS]; \
	COUNT idq_uops_not_delivered_core = count[UOPS_NOT_DELIVERED]; \
	COUNT int_misc_uop_dropping = count[UOP_DROPPING]; \
	COUNT topdown_backend_bound_slots = count[BACKEND_BOUND_SLOTS]

#define FRONTEND (idq_uops_not_delivered_core - int_misc_uop_dropping)
/* Counts of one group are not all of one instant, so that this may come out a little below 0. */
#define REMAINDER fmax(0, slots - uops_retired_slots - FRONTEND - BACKEND)

/* For a design with a BACKEND, and LEVEL1_COUNTS: COMMON_COUNTS, and what else that needs. */
#define LEVEL1_FORMULAS \
	FORMULA(retiring, LEVEL1_COUNTS, uops_retired_slots / slots) \
	FORMULA(bad_speculation, LEVEL1_COUNTS, REMAINDER / slots) \
	FORMULA(frontend_bound, LEVEL1_COUNTS, FRONTEND / slots) \
	FORMULA(backend_bound, LEVEL1_COUNTS, BACKEND / slots)

INTEL_GENERAL_FORMULAS(1, cpu_clk_unhalted_thread)
/* clang-format on */

static const struct ctd_cpu_event general_events[] = {INTEL_GENERAL_EVENTS_OF_SLOTS};

#endif
