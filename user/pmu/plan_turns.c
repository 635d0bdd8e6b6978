/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* plan_turns.c - a plan of groups that were made at run time. */
#include "pmu/plan.h"

#include <stdio.h>

static struct ctd_event stand_in_for(const struct ctd_event *event)
{
	struct ctd_event clock = {.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK};

	snprintf(clock.name, sizeof(clock.name), "%s", event->name);
	return clock;
}

void ctd_pmu_plan_turns(struct ctd_turns *turns, bool stand_in, bool pinned,
			struct ctd_counter_plan *ret_plan)
{
	struct ctd_counter_plan plan = {
		.read = CTD_READ_EACH,
		.pinned = pinned,
		.groups_count = turns->groups_count,
		.events_count = turns->events_count,
		.counters_count = turns->events_count,
		.turns = turns,
		.simulated = stand_in,
	};

	for (int i = 0; i < turns->groups_count * turns->events_count; i++) {
		if (!*turns->events[i].name)
			turns->events[i] = ctd_event_dummy();
		else if (stand_in && turns->events[i].type != PERF_TYPE_SOFTWARE)
			turns->events[i] = stand_in_for(&turns->events[i]);
	}
	snprintf(plan.source, sizeof(plan.source), stand_in ? "software" : "vendor");
	snprintf(plan.why, sizeof(plan.why), "%s in %d %s of at most %d",
		 stand_in ? "test source: a clock in the place of each event,"
			  : "events of --metrics-dir",
		 turns->groups_count, turns->groups_count == 1 ? "group" : "groups",
		 turns->events_count);
	*ret_plan = plan;
}
