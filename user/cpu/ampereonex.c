/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ampereonex.c - AmpereOneX: as AmpereOne, with another event of stalls by the TLB. */
#include "cpu/ampere.h"

static const struct ctd_cpu_event memory_events[] = {AMPERE_MEMORY_EVENTS(0x8167)};

static const struct ctd_cpu_id ids[] = {ARM_PART(0xc0, 0xac4), {0}};

const struct ctd_cpu_model ctd_cpu_ampereonex = {
	.name = "ampereonex",
	.title = "AmpereOneX",
	.publication = "Linux 7.3 perf metrics: ampereonex; " INTELS_CONDITIONS,
	AMPERE_DESIGN,
};
