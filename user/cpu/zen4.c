/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* zen4.c - AMD Zen 4: level 1 by ordinary counters, level 2 in turns, six slots a cycle. */
#include "cpu/zen.h"

#define WIDTH 6
#define RESYNCS resyncs_or_nc_redirects
/* clang-format off */
#define RESYNC_EVENT {"resyncs_or_nc_redirects", 0x96}
FORMULAS
TABLES
/* clang-format on */

/* As of Linux: arch/x86/kernel/cpu/amd.c; the other models of this family are Zen 3. */
static const struct ctd_cpu_id ids[] = {
	AMD(25, 0x10, 0x1f), /* Genoa, Storm Peak */
	AMD(25, 0x60, 0xaf), /* Raphael, Phoenix, Bergamo */
	{0},
};

const struct ctd_cpu_model ctd_cpu_zen4 = {
	.name = "zen4",
	.title = "AMD Zen 4: EPYC 9004 and 8004, Ryzen 7000 and 8000",
	.publication = "Linux perf metrics: amdzen4, PipelineL1 and PipelineL2" THRESHOLDS,
	DISPATCHED_SLOTS,
};
