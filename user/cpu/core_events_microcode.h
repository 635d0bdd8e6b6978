/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* core_events_microcode.h - events and nodes of the cores before Skylake, without hyper-threading. */
#ifndef CPU_CORE_EVENTS_MICROCODE_H
#define CPU_CORE_EVENTS_MICROCODE_H

#include "cpu/core_events_alone.h"

/*
 * Heavy operations are those of the microcode sequencer, as far as what is issued retires.
 */
static const struct ctd_cpu_event level1_events[] = {LEVEL1_EVENTS(0x100030d)};
static const struct ctd_cpu_event frontend_events[] = {FRONTEND_EVENTS, LAST_EVENT};
static const struct ctd_cpu_event heavy_events[] = {
	CYCLES_EVENT, UOPS_ISSUED_EVENT, RETIRE_SLOTS_EVENT, {"idq.ms_uops", 0x3079}, LAST_EVENT,
};

static const struct ctd_cpu_event branch_events[] = {BRANCH_EVENTS(0x100030d)};

enum {
	HEAVY_GROUP = FRONTEND_GROUP + 1,
	BRANCH_GROUP = HEAVY_GROUP + 1,
	HEAVY_UOPS_ISSUED = 1, /* after CYCLES */
	HEAVY_RETIRE_SLOTS,
	MS_UOPS,
	HEAVY_COUNTERS,
};

#define HEAVY_COUNTS                                                 \
	COUNT cpu_clk_unhalted_thread = count[CYCLES];               \
	COUNT uops_issued_any = count[HEAVY_UOPS_ISSUED];            \
	COUNT uops_retired_retire_slots = count[HEAVY_RETIRE_SLOTS]; \
	COUNT idq_ms_uops = count[MS_UOPS]
#define HEAVY (uops_retired_retire_slots / uops_issued_any * idq_ms_uops)

/* clang-format off */
LEVEL1_FORMULAS
FRONTEND_FORMULAS
BRANCH_FORMULAS
FORMULA(heavy_operations, HEAVY_COUNTS, HEAVY / CORE_SLOTS)
FORMULA(light_operations, HEAVY_COUNTS, fmax(0, uops_retired_retire_slots - HEAVY) / CORE_SLOTS)

static const struct ctd_node nodes[] = {
	LEVEL1_TABLE,
	{HEAVY_OPERATIONS_NODE(RETIRING), .group = HEAVY_GROUP, .counters = HEAVY_COUNTERS},
	{LIGHT_OPERATIONS_NODE(RETIRING), .group = HEAVY_GROUP, .counters = HEAVY_COUNTERS},
	BRANCH_TABLE(BRANCH_GROUP),
	FRONTEND_TABLE,
	INTEL_GENERAL_TABLE(0),
};
/* clang-format on */

#endif
