/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* core_events.h - the events by which Intel's cores before PERF_METRICS count slots: width times
 * cycles. */
#ifndef CPU_CORE_EVENTS_H
#define CPU_CORE_EVENTS_H

#include "cpu/intel_general.h"

/*
 * Cycles are the leader, by the code of the event for general-purpose counters: the kernel puts it
 * on fixed counter 1, to which it alone belongs (arch/x86/events/intel/core.c,
 * FIXED_EVENT_CONSTRAINT of 0x3c). So does it with retired instructions and fixed counter 0. Of the
 * others a group has four at most, which is what a core has per thread. With hyper-threading off in
 * its firmware it has eight; not where the kernel took the second threads offline, nor in most
 * virtual machines.
 *
 * The NMI watchdog counts cycles too, and holds fixed counter 1. Then ours take a general-purpose
 * counter, and beside four others there is room for them only where there are eight.
 */
/* clang-format off */
#define CYCLES_EVENT {"cpu_clk_unhalted.thread", 0x3c}
#define INSTRUCTIONS_EVENT {"inst_retired.any", 0xc0}
#define UOPS_NOT_DELIVERED_EVENT {"idq_uops_not_delivered.core", 0x19c}
#define NO_UOPS_DELIVERED_EVENT {"idq_uops_not_delivered.cycles_0_uops_deliv.core", 0x400019c}
#define UOPS_ISSUED_EVENT {"uops_issued.any", 0x10e}
#define RETIRE_SLOTS_EVENT {"uops_retired.retire_slots", 0x2c2}
#define MACRO_FUSED_EVENT {"uops_retired.macro_fused", 0x4c2}
#define LAST_EVENT {NULL, 0}
/* clang-format on */

static const struct ctd_cpu_event general_events[] = {INTEL_GENERAL_EVENTS(CYCLES_EVENT)};

/* clang-format off */
INTEL_GENERAL_FORMULAS(0, cpu_clk_unhalted_thread)
/* clang-format on */

/* Skylake's heavy operations: slots beyond one per instruction, or pair that became one operation. */
#define SPLIT_UOPS fmax(0, uops_retired_retire_slots + uops_retired_macro_fused - inst_retired_any)

#endif
