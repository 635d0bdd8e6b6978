/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* starved.c - notices that counters in use have counted on no CPU for long. */
#include "collect/starved.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"

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

/* The group of the core type that counted up to the snapshot. */
static uint32_t group_of(const struct ctd_snapshot *snapshot, int core_type)
{
	uint32_t groups = snapshot->core_type_groups[core_type];

	return groups ? snapshot->group % groups : snapshot->group;
}

static void note(struct ctd_starved_group *group, bool counts, uint64_t began_ns, uint64_t ended_ns)
{
	if (counts || !group->counted_ns) {
		group->counted_ns = ended_ns;
		group->missed = 0;
		group->missed_ns = 0;
	} else {
		if (!group->missed)
			group->missed_ns = began_ns;
		group->missed++;
	}
}

void ctd_starved_take(struct ctd_starved *starved, const struct ctd_source *source,
		      const struct ctd_snapshot *snapshot)
{
	struct finding findings[CTD_CORE_TYPES_MAX] = {0};

	/* Sources without counters open none, on no CPU. */
	if (!starved->count && source->counters.cpus)
		starved->count = calloc((size_t)source->counters.cpus, sizeof(*starved->count));
	for (size_t i = 0; starved->count && source->counters.cpus && i < snapshot->cpus_count; i++)
		look_at_cpu(starved, source, &snapshot->cpus[i], findings);
	for (int type = 0; type < CTD_CORE_TYPES_MAX; type++)
		note(&starved->groups[type][group_of(snapshot, type)],
		     findings[type].seen || !findings[type].expected, starved->taken_ns,
		     snapshot->monotonic_ns);
	starved->taken_ns = snapshot->monotonic_ns;
}

uint64_t ctd_starved_ns(const struct ctd_starved *starved, int core_type, int groups_count)
{
	uint64_t counted_ns = 0;

	for (int i = 0; i < groups_count; i++) {
		if (starved->groups[core_type][i].counted_ns > counted_ns)
			counted_ns = starved->groups[core_type][i].counted_ns;
	}
	return starved->taken_ns - counted_ns;
}

/* "cpu_core: group 3 of 7 has" */
static void name_group(const struct ctd_source *source, int type, int group, char name[96])
{
	const char *core = source->machine.core_types[type].core_name;
	bool several = source->core_types_planned > 1;
	int groups = source->plans[type].groups_count;
	char which[40] = "the counters have";

	if (groups > 1)
		snprintf(which, sizeof(which), "group %d of %d has", group + 1, groups);
	snprintf(name, 96, "%s%s%s", several ? core : "", several ? ": " : "", which);
}

static void tell(const struct ctd_source *source, int type, int number, uint64_t starved_ns)
{
	char name[96];

	name_group(source, type, number, name);
	if (starved_ns)
		ctd_warn(
			"%s counted on no CPU for %llu s: another program holds counters that are needed; the figures are missing until they are free",
			name, (unsigned long long)(starved_ns / 1000000000));
	else
		ctd_info("%s counted again", name);
}

void ctd_starved_tell(struct ctd_starved *starved, const struct ctd_source *source,
		      const struct ctd_snapshot *snapshot)
{
	bool automatic = ctd_source_is_automatic(&source->wishes);

	for (int type = 0; type < source->core_types_count; type++) {
		uint32_t number = group_of(snapshot, type);
		struct ctd_starved_group *group = &starved->groups[type][number];
		bool starves = group->missed >= CTD_STARVED_TELL_STEPS &&
			       snapshot->monotonic_ns - group->missed_ns >= CTD_STARVED_TELL_NS;

		if (!ctd_plan_counts(&source->plans[type]) ||
		    (automatic && (int)number < ctd_plan_own_groups(&source->plans[type])))
			continue;
		if (group->told ? !group->missed : starves) {
			group->told = !group->told;
			tell(source, type, (int)number,
			     starves ? snapshot->monotonic_ns - group->missed_ns : 0);
		}
	}
}

void ctd_starved_free(struct ctd_starved *starved)
{
	free(starved->count);
	*starved = (struct ctd_starved){};
}
