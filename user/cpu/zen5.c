/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* zen5.c - AMD Zen 5: level 1 by ordinary counters, level 2 in turns, eight slots a cycle. */
#include "cpu/zen.h"

#define WIDTH 8
#define RESYNCS bp_redirects_resync
/* clang-format off */
#define RESYNC_EVENT {"bp_redirects.resync", 0x19f}
FORMULAS
TABLES
/* clang-format on */

/* As of Linux: perf's mapfile.csv; the other models of this family are Zen 6. */
static const struct ctd_cpu_id ids[] = {
	AMD(26, 0x00, 0x2f), /* Turin, Turin Dense, Strix */
	AMD(26, 0x40, 0x4f), /* Granite Ridge */
	AMD(26, 0x60, 0x7f), /* Krackan, Strix Halo */
	{0},
};

const struct ctd_cpu_model ctd_cpu_zen5 = {
	.name = "zen5",
	.title = "AMD Zen 5: EPYC 9005, Ryzen 9000 and AI 300",
	.publication = "Linux perf metrics: amdzen5, PipelineL1 and PipelineL2" THRESHOLDS,
	DISPATCHED_SLOTS,
};
