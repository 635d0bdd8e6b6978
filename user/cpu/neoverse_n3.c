/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* neoverse_n3.c - Arm Neoverse N3: the cost of wrong branches is counted. */
#include "cpu/neoverse.h"

static const struct ctd_cpu_event events[] = {EVENTS("stall_frontend_flush", 0x8162)};

#define SLOTS (5 * cpu_cycles)
#define USED (1 - stall_slot / SLOTS)
/* clang-format off */
FORMULA(retiring, COUNTS(stall_frontend_flush), USED * (op_retired / op_spec))
FORMULA(bad_speculation, COUNTS(stall_frontend_flush), USED * (1 - op_retired / op_spec) + stall_frontend_flush / cpu_cycles)
FORMULA(frontend_bound, COUNTS(stall_frontend_flush), stall_slot_frontend / SLOTS - stall_frontend_flush / cpu_cycles)
FORMULA(backend_bound, COUNTS(stall_frontend_flush), stall_slot_backend / SLOTS)
/* clang-format on */

static const struct ctd_cpu_id ids[] = {
	ARM(0xd8e),
	{0},
};

static const struct ctd_node nodes[] = {LEVEL1_TABLE, ARM_GENERAL_TABLE};

const struct ctd_cpu_model ctd_cpu_neoverse_n3 = {
	.name = "neoverse_n3",
	.title = "Arm Neoverse N3",
	.publication = PUBLICATION("N3"),
	STALLED_SLOTS(5),
};
