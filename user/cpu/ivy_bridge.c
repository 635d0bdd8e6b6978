/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ivy_bridge.c - Intel Ivy Bridge without hyper-threading: by events of cycles. */
#include "cpu/core_events_microcode.h"

static const struct ctd_cpu_id ids[] = {IVY_BRIDGE_IDS, {0}};

const struct ctd_cpu_model ctd_cpu_ivy_bridge = {
	.name = "ivy_bridge",
	.title = "Intel Ivy Bridge, without hyper-threading",
	.publication = "Intel perfmon events: IVB 24; Linux 7.3 perf metrics: ivybridge",
	MICROCODE_DESIGN,
	.ids = ids,
};
