/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* broadwell.c - Intel Broadwell without hyper-threading: by events of cycles. */
#include "cpu/core_events_microcode.h"

static const struct ctd_cpu_id ids[] = {BROADWELL_IDS, {0}};

const struct ctd_cpu_model ctd_cpu_broadwell = {
	.name = "broadwell",
	.title = "Intel Broadwell, without hyper-threading",
	.publication = "Intel perfmon: BDX events 23, metrics 1.0 (TMA 5.01)",
	MICROCODE_DESIGN,
	.ids = ids,
};
