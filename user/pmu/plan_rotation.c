/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* plan_rotation.c - plans of groups that were made at run time, for each core type. */
#include "pmu/plan.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static struct ctd_event stand_in_for(const struct ctd_event *event)
{
	struct ctd_event clock = {.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK};

	snprintf(clock.name, sizeof(clock.name), "%s", event->name);
	return clock;
}

/* Those without a name fill up. */
static void fill_up(struct ctd_rotation *rotation, bool stand_in)
{
	for (int i = 0; i < rotation->groups_count * rotation->events_count; i++) {
		if (!*rotation->events[i].name)
			rotation->events[i] = ctd_event_dummy();
		else if (stand_in && rotation->events[i].type != PERF_TYPE_SOFTWARE)
			rotation->events[i] = stand_in_for(&rotation->events[i]);
	}
}

const struct ctd_event *ctd_plan_event(const struct ctd_counter_plan *plan, int group, int index)
{
	static const struct ctd_event dummy = CTD_EVENT_DUMMY;
	const struct ctd_rotation *rotation = plan->rotation;

	if (plan->beside_groups) {
		if (group < ctd_plan_own_groups(plan))
			rotation = NULL;
		else
			group -= ctd_plan_own_groups(plan);
	}
	if (!rotation)
		return &plan->events[(ptrdiff_t)group * plan->events_count + index];
	/* Groups beside it may be wider. */
	return index < rotation->events_count
		       ? &rotation->events[(ptrdiff_t)group * rotation->events_count + index]
		       : &dummy;
}

void ctd_pmu_plan_rotation(struct ctd_rotation *rotation, bool stand_in, bool pinned,
			   struct ctd_counter_plan *ret_plan)
{
	struct ctd_counter_plan plan = {
		.read = CTD_READ_EACH,
		.pinned = pinned,
		.groups_count = rotation->groups_count,
		.events_count = rotation->events_count,
		.counters_count = rotation->events_count,
		.rotation = rotation,
		.simulated = stand_in,
	};

	fill_up(rotation, stand_in);
	snprintf(plan.source, sizeof(plan.source), stand_in ? "software" : "vendor");
	snprintf(plan.why, sizeof(plan.why), "%s in %d %s of at most %d",
		 stand_in ? "test source: a clock in the place of each event,"
			  : "events of --metrics-dir",
		 rotation->groups_count, rotation->groups_count == 1 ? "group" : "groups",
		 rotation->events_count);
	*ret_plan = plan;
}

static void plan_nothing(const char *why, struct ctd_counter_plan *plan)
{
	*plan = (struct ctd_counter_plan){
		.read = CTD_READ_NONE, .groups_count = 1, .source = "none"};
	snprintf(plan->why, sizeof(plan->why), "%s", why);
}

int ctd_machine_plan_rotations(const struct ctd_machine *machine,
			       const struct ctd_rotations *rotations, bool stand_in, bool pinned,
			       struct ctd_counter_plan ret_plans[CTD_CORE_TYPES_MAX])
{
	int count = rotations->core_types_count > 1 ? machine->core_types_count : 1;

	for (int type = 0; type < count; type++) {
		/* It came after the groups were made. */
		bool is_new = type >= rotations->core_types_count;

		if (!is_new && rotations->of[type])
			ctd_pmu_plan_rotation(rotations->of[type], stand_in, pinned,
					      &ret_plans[type]);
		else
			plan_nothing(is_new ? "no metrics were asked for of such cores"
					    : rotations->why[type],
				     &ret_plans[type]);
	}
	return ctd_plans_core_types(ret_plans, count);
}

static bool is_same(const struct ctd_event *a, const struct ctd_event *b)
{
	return a->type == b->type && a->config == b->config && a->config1 == b->config1 &&
	       a->config2 == b->config2 && a->user_only == b->user_only &&
	       a->kernel_only == b->kernel_only;
}

void ctd_pmu_plan_beside(struct ctd_rotation *rotation, bool stand_in,
			 struct ctd_counter_plan *plan)
{
	size_t said = strlen(plan->why);

	assert(plan->groups_count + rotation->groups_count <= CTD_ROTATION_GROUPS_MAX);
	fill_up(rotation, stand_in);
	if (rotation->events_count > plan->events_count)
		ctd_plan_widen(plan, rotation->events_count);
	plan->beside_slots = true;
	for (int i = 0; i < rotation->groups_count; i++)
		plan->beside_slots &= is_same(
			&rotation->events[(ptrdiff_t)i * rotation->events_count], &plan->events[0]);
	plan->rotation = rotation;
	plan->beside_groups = rotation->groups_count;
	plan->groups_count += rotation->groups_count;
	snprintf(plan->why + said, sizeof(plan->why) - said, ", and %d %s of --metrics-dir",
		 rotation->groups_count, rotation->groups_count == 1 ? "group" : "groups");
}
