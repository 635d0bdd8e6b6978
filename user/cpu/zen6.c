/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* zen6.c - AMD Zen 6: level 1 by ordinary counters, level 2 in turns, eight slots a cycle. */
#include "cpu/zen.h"

#define WIDTH 8
#define RESYNCS bp_fe_redir_resync
/* clang-format off */
#define RESYNC_EVENT {"bp_fe_redir.resync", 0x19f}
FORMULAS
TABLES
/* clang-format on */

/* As of Linux: perf's mapfile.csv, what is not Zen 5. */
static const struct ctd_cpu_id ids[] = {
	AMD(26, 0x30, 0x3f),
	AMD(26, 0x50, 0x5f),
	AMD(26, 0x80, 0xff),
	{0},
};

const struct ctd_cpu_model ctd_cpu_zen6 = {
	.name = "zen6",
	.title = "AMD Zen 6",
	.publication = "Linux perf metrics: amdzen6, PipelineL1 and PipelineL2" THRESHOLDS,
	DISPATCHED_SLOTS,
};
