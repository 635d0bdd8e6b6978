/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* gp_slots.h - slots by general-purpose counters: what the cores have in common that also have
 * PERF_METRICS. */
#ifndef CPU_GP_SLOTS_H
#define CPU_GP_SLOTS_H

#include "cpu/intel.h"

/*
 * The same parts of the slots, each by an event of a general-purpose counter: exact, where
 * PERF_METRICS has fractions of 8 bits, and there in virtual machines too. The denominator is fixed
 * counter 3 where the kernel offers it, else the same count by a general-purpose counter. One part
 * is not counted: bad speculation is what remains.
 *
 * INT_MISC.UOP_DROPPING counts slots that the front end left empty and that were not lost; its code
 * is the only one of these that the designs do not share.
 */
/* clang-format off */
#define GP_SLOTS_EVENTS(uop_dropping) \
	{"slots", 0}, \
	{"uops_retired.slots", 0x2c2}, \
	{"idq_uops_not_delivered.core", 0x19c}, \
	{"int_misc.uop_dropping", (uop_dropping)}, \
	{"topdown.backend_bound_slots", 0x2a4}
#define SLOTS_BY_GENERAL_COUNTER {"topdown.slots_p", 0x1a4}

#define GP_SLOTS_FRONTEND "(idq_uops_not_delivered.core - int_misc.uop_dropping)"
/* Counts of one group are not all of one instant, so that this may come out a little below 0.
 * @p backend: the back end's slots. */
#define GP_SLOTS_REMAINDER(backend) \
	"max(0, slots - uops_retired.slots - " GP_SLOTS_FRONTEND " - " backend ")"
#define GP_SLOTS_LEVEL1_NODES(needed, backend) \
	RETIRING_NODE(needed, "uops_retired.slots / slots"), \
	BAD_SPECULATION_NODE(needed, GP_SLOTS_REMAINDER(backend) " / slots"), \
	FRONTEND_BOUND_NODE(needed, GP_SLOTS_FRONTEND " / slots"), \
	BACKEND_BOUND_NODE(needed, backend " / slots")
/* clang-format on */

#endif
