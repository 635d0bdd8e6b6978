/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sandy_bridge.c - Intel Sandy Bridge without hyper-threading: by events of cycles. */
#include "cpu/core_events_microcode.h"

static const struct ctd_cpu_id ids[] = {SANDY_BRIDGE_IDS, {0}};

const struct ctd_cpu_model ctd_cpu_sandy_bridge = {
	.name = "sandy_bridge",
	.title = "Intel Sandy Bridge, without hyper-threading",
	.publication = "Intel perfmon events: SNB 19; Linux 7.3 perf metrics: sandybridge",
	MICROCODE_DESIGN,
	.ids = ids,
};
