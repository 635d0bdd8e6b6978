/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* neoverse_n2_r0p0.c - Arm Neoverse N2 before r0p3: it counts a slot too many in each cycle. */
#include "cpu/neoverse.h"

static const struct ctd_cpu_event events[] = {EVENTS("br_mis_pred", 0x10)};

#define SLOTS (5 * cpu_cycles)
#define USED (1 - (stall_slot - cpu_cycles) / SLOTS)
/* clang-format off */
FORMULA(retiring, COUNTS(br_mis_pred), USED * (op_retired / op_spec))
FORMULA(bad_speculation, COUNTS(br_mis_pred), USED * (1 - op_retired / op_spec) + 4 * br_mis_pred / cpu_cycles)
FORMULA(frontend_bound, COUNTS(br_mis_pred), (stall_slot_frontend - cpu_cycles) / SLOTS - br_mis_pred / cpu_cycles)
FORMULA(backend_bound, COUNTS(br_mis_pred), stall_slot_backend / SLOTS - 3 * br_mis_pred / cpu_cycles)
/* clang-format on */

static const struct ctd_cpu_id ids[] = {
	{0x41, 0xd49, 0xd49, 0x00, 0x02, CTD_CORE_MAIN},
	{0x6d, 0xd49, 0xd49, 0x00, 0x02, CTD_CORE_MAIN}, /* Microsoft Cobalt 100 */
	{0},
};

static const struct ctd_node nodes[] = {LEVEL1_TABLE, ARM_GENERAL_TABLE};

const struct ctd_cpu_model ctd_cpu_neoverse_n2_r0p0 = {
	.name = "neoverse_n2_r0p0",
	.title = "Arm Neoverse N2 r0p0 to r0p2, Microsoft Cobalt 100",
	.publication = PUBLICATION("N2"),
	STALLED_SLOTS(5),
};
