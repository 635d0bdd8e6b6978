/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* plan_core_types.c - a plan for each core type, all of one width. */
#include "pmu/plan.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"

/* The core type goes without: why is said in its plan. */
static void plan_nothing(const struct ctd_plan_wish *wish, const char *lack,
			 struct ctd_counter_plan *plan)
{
	*plan = (struct ctd_counter_plan){
		.read = CTD_READ_NONE, .groups_count = 1, .source = "none"};
	snprintf(plan->why, sizeof(plan->why), "--source %s: %s", wish->source, lack);
}

/* Is it a source of the cores' counters, of which each core type may have another one? */
static bool is_of_cores(const char *source)
{
	return strcmp(source, "auto") == 0 || ctd_cpu_is_source(source);
}

const struct ctd_pmu_facts *ctd_machine_find_model(const struct ctd_machine *machine,
						   const struct ctd_cpu_model *model)
{
	for (int type = 0; type < machine->core_types_count; type++) {
		const struct ctd_pmu_facts *facts = &machine->core_types[type];

		if (!*facts->unclaimed && ctd_pmu_is_of(facts, model))
			return facts;
	}
	return NULL;
}

int ctd_plans_core_types(const struct ctd_counter_plan *plans, int core_types_count)
{
	for (int type = 0; type < core_types_count; type++) {
		if (ctd_plan_counts(&plans[type]))
			return core_types_count;
	}
	return 1;
}

int ctd_machine_plan(const struct ctd_machine *machine, const char *source, int level,
		     bool read_each, bool pinned,
		     struct ctd_counter_plan ret_plans[CTD_CORE_TYPES_MAX],
		     int *ret_core_types_count)
{
	struct ctd_plan_wish wish = {source, level, read_each, pinned};
	int had = 0;

	/* "sim" is a source of models, too. */
	if (machine->core_types_count == 1 || !is_of_cores(source) || strcmp(source, "sim") == 0) {
		*ret_core_types_count = 1;
		return ctd_pmu_plan(&machine->core_types[0], source, level, read_each, pinned,
				    ret_plans);
	}
	for (int type = 0; type < machine->core_types_count; type++) {
		const struct ctd_pmu_facts *facts = &machine->core_types[type];
		char lack[CTD_LACK_BYTES];
		int err = ctd_plan_core(facts, &wish, &ret_plans[type], lack);

		if (err == -ENODEV)
			plan_nothing(&wish, lack, &ret_plans[type]);
		else if (err)
			return err;
		had += !err;
	}
	if (!had) {
		for (int type = 0; type < machine->core_types_count; type++)
			ctd_log(CTD_LOG_ERROR, "%s: %s", machine->core_types[type].core_name,
				ret_plans[type].why);
		return -ENODEV;
	}
	*ret_core_types_count = ctd_plans_core_types(ret_plans, machine->core_types_count);
	return 0;
}

void ctd_plan_widen(struct ctd_counter_plan *plan, int width)
{
	/* Groups that were made at run time are of one width. */
	assert(!plan->rotation);
	/* The last group first, as it moves up over the places of those before it. */
	for (int group = plan->groups_count - 1; group >= 0; group--) {
		struct ctd_event *from = &plan->events[(ptrdiff_t)group * plan->events_count];
		struct ctd_event *to = &plan->events[(ptrdiff_t)group * width];

		memmove(to, from, (size_t)plan->events_count * sizeof(*to));
		for (int i = plan->events_count; i < width; i++)
			to[i] = ctd_event_dummy();
	}
	plan->events_count = width;
}

void ctd_plans_pad(struct ctd_counter_plan *plans, int core_types_count)
{
	int width = 0;

	for (int type = 0; type < core_types_count; type++)
		width = plans[type].events_count > width ? plans[type].events_count : width;
	for (int type = 0; type < core_types_count; type++) {
		if (ctd_plan_counts(&plans[type]) && plans[type].events_count < width)
			ctd_plan_widen(&plans[type], width);
	}
}
