/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* starved.h - since when the counters in use have counted on no CPU. */
#ifndef COLLECT_STARVED_H
#define COLLECT_STARVED_H

#include <cgtopdown/snapshot.h>

#include "collect/source.h"

/* For so long, and in so many of its steps, a group counts nothing before it is told: a profiler
 * that runs for a moment is waited for. */
#define CTD_STARVED_TELL_NS 10000000000ull
#define CTD_STARVED_TELL_STEPS 2

/* A group of counters of a core type. */
struct ctd_starved_group {
	uint64_t counted_ns; /* monotonic time up to which it is known to have counted; 0: no
				snapshot has told yet */
	uint64_t missed_ns; /* when the first of the steps began in which it has not; 0: none */
	unsigned int missed; /* how many there are */
	bool told;
};

struct ctd_starved {
	struct ctd_starved_group groups[CTD_CORE_TYPES_MAX][CTD_ROTATION_GROUPS_MAX];
	uint64_t taken_ns; /* of the last snapshot */
	uint64_t *count; /* owned; of each CPU's leader, in the last snapshot; NULL: none */
};

/*
 * Takes in a snapshot of @p source. A group counts if its leader went on on one of the CPUs of its
 * core type: others may be held there alone. CPUs that are not disturbed show it late, and offline
 * ones not at all: a core type without any other is taken for counting, and so are all without
 * memory.
 */
void ctd_starved_take(struct ctd_starved *starved, const struct ctd_source *source,
		      const struct ctd_snapshot *snapshot);
/* For how long none of the first @p groups_count groups of the core type has counted, as of the
 * last snapshot. */
uint64_t ctd_starved_ns(const struct ctd_starved *starved, int core_type, int groups_count);
/* Of the groups that @p snapshot ended the steps of, which was taken in: warns once of one that has
 * not counted for so long, and says once that it counts again. Of a source that the user has
 * chosen, as no other one takes its place; of others of the groups beside its own. */
void ctd_starved_tell(struct ctd_starved *starved, const struct ctd_source *source,
		      const struct ctd_snapshot *snapshot);
void ctd_starved_free(struct ctd_starved *starved);

#endif
