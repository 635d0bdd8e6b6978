/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* plan_core_types.c - a plan for each kind of cores, all of one width. */
#include "pmu/plan.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"

/* The kind goes without: why is said in its plan. */
static void plan_nothing(const struct ctd_plan_wish *wish, const char *lack,
			 struct ctd_counter_plan *plan)
{
	*plan = (struct ctd_counter_plan){
		.read = CTD_READ_NONE, .groups_count = 1, .source = "none"};
	snprintf(plan->why, sizeof(plan->why), "--source %s: %s", wish->source, lack);
}

/* Is it a source of the cores' counters, of which each kind may have another one? */
static bool is_of_cores(const char *source)
{
	return strcmp(source, "auto") == 0 || ctd_cpu_is_source(source);
}

const struct ctd_pmu_facts *ctd_machine_find_model(const struct ctd_machine *machine,
						   const struct ctd_cpu_model *model)
{
	for (int core = 0; core < machine->cores_count; core++) {
		const struct ctd_pmu_facts *facts = &machine->core[core];

		if (!*facts->unclaimed && ctd_pmu_is_of(facts, model))
			return facts;
	}
	return NULL;
}

int ctd_plans_cores(const struct ctd_counter_plan *plans, int cores_count)
{
	for (int core = 0; core < cores_count; core++) {
		if (ctd_plan_counts(&plans[core]))
			return cores_count;
	}
	return 1;
}

int ctd_machine_plan(const struct ctd_machine *machine, const char *source, int level,
		     bool read_each, bool pinned, struct ctd_counter_plan ret_plans[CTD_CORES_MAX],
		     int *ret_cores_count)
{
	struct ctd_plan_wish wish = {source, level, read_each, pinned};
	int had = 0;

	/* "sim" is a source of models, too. */
	if (machine->cores_count == 1 || !is_of_cores(source) || strcmp(source, "sim") == 0) {
		*ret_cores_count = 1;
		return ctd_pmu_plan(&machine->core[0], source, level, read_each, pinned, ret_plans);
	}
	for (int core = 0; core < machine->cores_count; core++) {
		const struct ctd_pmu_facts *facts = &machine->core[core];
		char lack[CTD_LACK_BYTES];
		int err = ctd_plan_core(facts, &wish, &ret_plans[core], lack);

		if (err == -ENODEV)
			plan_nothing(&wish, lack, &ret_plans[core]);
		else if (err)
			return err;
		had += !err;
	}
	if (!had) {
		for (int core = 0; core < machine->cores_count; core++)
			ctd_log(CTD_LOG_ERROR, "%s: %s", machine->core[core].core_name,
				ret_plans[core].why);
		return -ENODEV;
	}
	*ret_cores_count = ctd_plans_cores(ret_plans, machine->cores_count);
	return 0;
}

void ctd_plan_widen(struct ctd_counter_plan *plan, int width)
{
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

void ctd_plans_pad(struct ctd_counter_plan *plans, int cores_count)
{
	int width = 0;

	for (int core = 0; core < cores_count; core++)
		width = plans[core].events_count > width ? plans[core].events_count : width;
	for (int core = 0; core < cores_count; core++) {
		if (ctd_plan_counts(&plans[core]) && plans[core].events_count < width)
			ctd_plan_widen(&plans[core], width);
	}
}
