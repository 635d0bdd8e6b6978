/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* neoverse_v2.c - Arm Neoverse V2: wrong branches cost slots of both ends. */
#include "cpu/neoverse.h"

static const struct ctd_cpu_event events[] = {EVENTS("br_mis_pred", 0x10)};

#define SLOTS (8 * cpu_cycles)
#define USED (1 - stall_slot / SLOTS)
/* clang-format off */
FORMULA(retiring, COUNTS(br_mis_pred), USED * (op_retired / op_spec))
FORMULA(bad_speculation, COUNTS(br_mis_pred), USED * (1 - op_retired / op_spec) + 4 * br_mis_pred / cpu_cycles)
FORMULA(frontend_bound, COUNTS(br_mis_pred), stall_slot_frontend / SLOTS - br_mis_pred / cpu_cycles)
FORMULA(backend_bound, COUNTS(br_mis_pred), stall_slot_backend / SLOTS - 3 * br_mis_pred / cpu_cycles)
/* clang-format on */

static const struct ctd_cpu_id ids[] = {
	ARM(0xd4f),
	{0},
};

static const struct ctd_node nodes[] = {LEVEL1_TABLE, ARM_GENERAL_TABLE};

const struct ctd_cpu_model ctd_cpu_neoverse_v2 = {
	.name = "neoverse_v2",
	.title = "Arm Neoverse V2: Graviton4, Axion, Grace",
	.publication = PUBLICATION("V2"),
	STALLED_SLOTS(8),
};
