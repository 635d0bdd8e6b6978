/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* core_events.h - the events by which Intel's cores before PERF_METRICS count slots: width times
 * cycles. */
#ifndef CPU_CORE_EVENTS_H
#define CPU_CORE_EVENTS_H

#include "cpu/intel.h"

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
#define THREAD_CYCLES "cpu_clk_unhalted.thread"
#define THREAD_CYCLES_EVENT {THREAD_CYCLES, 0x3c}
#define INSTRUCTIONS_EVENT {INTEL_INSTRUCTIONS, 0xc0}
#define UOPS_NOT_DELIVERED_EVENT {"idq_uops_not_delivered.core", 0x19c}
#define NO_UOPS_DELIVERED_EVENT {"idq_uops_not_delivered.cycles_0_uops_deliv.core", 0x400019c}
#define UOPS_ISSUED_EVENT {"uops_issued.any", 0x10e}
#define RETIRE_SLOTS_EVENT {"uops_retired.retire_slots", 0x2c2}
#define MACRO_FUSED_EVENT {"uops_retired.macro_fused", 0x4c2}

#define CORE_EVENTS_IPC_EVENTS THREAD_CYCLES_EVENT, INTEL_IPC_EVENTS
#define CORE_EVENTS_IPC_NODES INTEL_IPC_NODES(0, THREAD_CYCLES)

/* Skylake's heavy operations: slots beyond one per instruction, or pair that became one operation. */
#define SPLIT_UOPS "max(0, uops_retired.retire_slots + uops_retired.macro_fused - inst_retired.any)"
/* Intel's formulas have this bound up to Haswell; on later cores it changes nothing. */
#define NO_UOPS_SLOTS \
	"4 * min(" THREAD_CYCLES ", idq_uops_not_delivered.cycles_0_uops_deliv.core)"
/* clang-format on */

#endif
