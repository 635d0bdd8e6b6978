/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* starved.c - notices that counters in use have counted on no CPU for long. */
#include "collect/starved.h"

#include <stdlib.h>

/* Whether CPUs of a core type went on counting. */
struct finding {
	bool expected, seen;
};

static void look_at_cpu(struct ctd_starved *starved, const struct ctd_source *source,
			const struct ctd_snapshot_cpu *cpu, struct finding *findings)
{
	struct finding *finding = &findings[cpu->core_type];
	bool grew = cpu->total[0] != starved->count[cpu->cpu];

	starved->count[cpu->cpu] = cpu->total[0];
	finding->seen |= grew;
	finding->expected |= cpu->online && cpu->flushed && source->countable[cpu->cpu];
}

void ctd_starved_take(struct ctd_starved *starved, const struct ctd_source *source,
		      const struct ctd_snapshot *snapshot)
{
	struct finding findings[CTD_CORE_TYPES_MAX] = {0};

	starved->taken_ns = snapshot->monotonic_ns;
	/* Sources without counters open none, on no CPU. */
	if (!starved->count && source->counters.cpus)
		starved->count = calloc((size_t)source->counters.cpus, sizeof(*starved->count));
	for (size_t i = 0; starved->count && source->counters.cpus && i < snapshot->cpus_count; i++)
		look_at_cpu(starved, source, &snapshot->cpus[i], findings);
	for (int type = 0; type < CTD_CORE_TYPES_MAX; type++) {
		if (findings[type].seen || !findings[type].expected || !starved->counted_ns[type])
			starved->counted_ns[type] = snapshot->monotonic_ns;
	}
}

uint64_t ctd_starved_ns(const struct ctd_starved *starved, int core_type)
{
	return starved->taken_ns - starved->counted_ns[core_type];
}

void ctd_starved_free(struct ctd_starved *starved)
{
	free(starved->count);
	*starved = (struct ctd_starved){};
}
