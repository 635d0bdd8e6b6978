/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* starved.h - since when the counters in use have counted on no CPU. */
#ifndef COLLECT_STARVED_H
#define COLLECT_STARVED_H

#include <cgtopdown/snapshot.h>

#include "collect/source.h"

struct ctd_starved {
	/* Monotonic time up to which each core type's counters are known to have counted; 0: no
	 * snapshot has told yet. */
	uint64_t counted_ns[CTD_CORE_TYPES_MAX];
	uint64_t taken_ns; /* of the last snapshot */
	uint64_t *count; /* owned; of each CPU's leader, in the last snapshot; NULL: none */
};

/*
 * Takes in a snapshot of @p source. A core type counts if the leader of one of its CPUs went on:
 * others may be held there alone. CPUs that are not disturbed show it late, and offline ones not at
 * all: a core type without any other is taken for counting, and so are all without memory.
 */
void ctd_starved_take(struct ctd_starved *starved, const struct ctd_source *source,
		      const struct ctd_snapshot *snapshot);
/* For how long the core type has not counted, as of the last snapshot. */
uint64_t ctd_starved_ns(const struct ctd_starved *starved, int core_type);
void ctd_starved_free(struct ctd_starved *starved);

#endif
