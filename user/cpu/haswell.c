/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* haswell.c - Intel Haswell without hyper-threading: by events of cycles. */
#include "cpu/core_events_microcode.h"

/* Intel's event file names erratum HSD135 for idq_uops_not_delivered, the front end's event. */
static const struct ctd_cpu_id ids[] = {HASWELL_IDS, {0}};

const struct ctd_cpu_model ctd_cpu_haswell = {
	.name = "haswell",
	.title = "Intel Haswell, without hyper-threading",
	.publication = "Intel perfmon: HSX events 29, metrics 1.0 (TMA 5.01)",
	MICROCODE_DESIGN,
	.ids = ids,
};
