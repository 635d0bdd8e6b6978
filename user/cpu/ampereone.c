/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ampereone.c - AmpereOne: level 1 by general-purpose counters, level 2 in rotation, four slots a
 * cycle. */
#include "cpu/ampere.h"

static const struct ctd_cpu_event memory_events[] = {AMPERE_MEMORY_EVENTS(0xd20e)};

static const struct ctd_cpu_id ids[] = {ARM_PART(0xc0, 0xac3), {0}};

const struct ctd_cpu_model ctd_cpu_ampereone = {
	.name = "ampereone",
	.title = "AmpereOne",
	.publication = "Linux 7.3 perf metrics: ampereone; " INTELS_CONDITIONS,
	AMPERE_DESIGN,
};
