/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* neoverse_v1.c - Arm Neoverse V1: wrong branches cost slots of the front end. */
#include "cpu/neoverse.h"

static const struct ctd_cpu_event events[] = {EVENTS("br_mis_pred", 0x10)};

#define SLOTS (8 * cpu_cycles)
#define USED (1 - stall_slot / SLOTS)
/* clang-format off */
FORMULA(retiring, COUNTS(br_mis_pred), USED * (op_retired / op_spec))
FORMULA(bad_speculation, COUNTS(br_mis_pred), USED * (1 - op_retired / op_spec) + 4 * br_mis_pred / cpu_cycles)
FORMULA(frontend_bound, COUNTS(br_mis_pred), stall_slot_frontend / SLOTS - 4 * br_mis_pred / cpu_cycles)
FORMULA(backend_bound, COUNTS(br_mis_pred), stall_slot_backend / SLOTS)
/* clang-format on */

static const struct ctd_cpu_id ids[] = {
	ARM(0xd40),
	{0},
};

static const struct ctd_node nodes[] = {LEVEL1_TABLE, ARM_GENERAL_TABLE};

const struct ctd_cpu_model ctd_cpu_neoverse_v1 = {
	.name = "neoverse_v1",
	.title = "Arm Neoverse V1: Graviton3",
	.publication = PUBLICATION("V1"),
	STALLED_SLOTS(8),
};
