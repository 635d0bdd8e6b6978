/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* plan_ipc_group.c - one more group of counters, for the metrics beside the tree. */
#include "pmu/plan.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int ctd_pmu_plan_ipc(const struct ctd_pmu_facts *facts, struct ctd_counter_plan *plan,
		     char ret_why[160])
{
	const struct ctd_cpu_event *events =
		plan->model ? plan->model->groups[CTD_IPC_GROUP] : NULL;
	int groups = plan->groups_count, count = 0;
	const char *lacking = events ? ctd_plan_find_absent(facts, events) : NULL;

	if (!events || plan->read == CTD_READ_SIM)
		snprintf(ret_why, 160, "there are no instructions and cycles of source %s",
			 plan->source);
	else if (lacking)
		snprintf(ret_why, 160, "the core PMU '%s' does not offer %s", facts->pmu_name,
			 lacking);
	if (!events || plan->read == CTD_READ_SIM || lacking)
		return -ENODEV;
	while (events[count].name)
		count++;
	/* Groups that rotate are of one size. */
	if (count > plan->events_count)
		ctd_plan_widen(plan, count);
	plan->counters_count = plan->events_count;
	for (int i = 0; i < plan->events_count; i++) {
		struct ctd_event *event = &plan->events[groups * plan->events_count + i];

		*event = i ? ctd_event_dummy() : plan->events[0];
		if (i == 0 || i >= count)
			continue;
		snprintf(event->name, sizeof(event->name), "%s", events[i].name);
		event->type = facts->type;
		event->config = events[i].config;
	}
	plan->groups_count = groups + 1;
	plan->ipc = true;
	return 0;
}
