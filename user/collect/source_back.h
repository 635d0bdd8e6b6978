/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* source_back.h - sources that could not be had, or no longer: tried beside the one in use. */
#ifndef COLLECT_SOURCE_BACK_H
#define COLLECT_SOURCE_BACK_H

#include <cgtopdown/kern.h>

#include "collect/source.h"

/*
 * Would a source count by now that was refused because another program held the PMU? Tries its
 * counters for @p trial_ns on one CPU, whose own counters in @p kern step aside for so long, and
 * notes which sources are still held. Silent.
 */
bool ctd_source_is_back(struct ctd_source *source, struct ctd_kern *kern,
			const struct ctd_cpu_set *cpus, uint64_t trial_ns);

/* The attempt whose counters the core type uses; NULL: it has none, or they were given up. */
struct ctd_source_attempt *ctd_source_in_use(struct ctd_source *source, int type);

/*
 * The source that the core type uses has not counted for @p starved_ns: notes that it is held, and
 * so are those that would take its place if they do not count now either. ctd_source_plan() then
 * passes them over. Silent.
 */
void ctd_source_give_up(struct ctd_source *source, struct ctd_kern *kern,
			const struct ctd_cpu_set *cpus, int type, uint64_t starved_ns,
			uint64_t trial_ns);

#endif
