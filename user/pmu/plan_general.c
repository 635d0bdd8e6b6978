/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* plan_general.c - one more group of counters, for the metrics beside the tree. */
#include <cgtopdown/counters.h>

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "pmu/sysfs.h"

/* Which of the events an arm64 PMU lacks, or NULL: the kernel shows those that it has, of the codes
 * that the PMU tells of (PMCEID0_EL0), and hypervisors hide what they do not pass on. */
static const char *find_lacking(const struct ctd_pmu_facts *facts,
				const struct ctd_cpu_event *events)
{
	for (; strcmp(facts->vendor, "arm") == 0 && events->name; events++) {
		if (!ctd_sysfs_event_is_there(facts->pmu_name, events->name))
			return events->name;
	}
	return NULL;
}

static struct ctd_event dummy(void)
{
	return (struct ctd_event){
		.name = "dummy", .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY};
}

/* Groups that take turns are of one size: those that are there get places that count nothing. The
 * last group first, as it moves up over the places of those before it. */
static void widen(struct ctd_counter_plan *plan, int groups, int events_count)
{
	for (int group = groups - 1; group >= 0; group--) {
		for (int i = events_count - 1; i >= 0; i--)
			plan->events[group * events_count + i] =
				i < plan->events_count
					? plan->events[group * plan->events_count + i]
					: dummy();
	}
	plan->events_count = plan->counters_count = events_count;
}

int ctd_pmu_plan_general(const struct ctd_pmu_facts *facts, struct ctd_counter_plan *plan,
			 char ret_why[160])
{
	const struct ctd_cpu_event *events =
		plan->model ? plan->model->groups[CTD_GENERAL_GROUP] : NULL;
	int groups = plan->groups_count, count = 0;
	const char *lacking = events ? find_lacking(facts, events) : NULL;

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
	if (count > plan->events_count)
		widen(plan, groups, count);
	for (int i = 0; i < plan->events_count; i++) {
		struct ctd_event *event = &plan->events[groups * plan->events_count + i];

		*event = i ? dummy() : plan->events[0];
		if (i == 0 || i >= count)
			continue;
		snprintf(event->name, sizeof(event->name), "%s", events[i].name);
		event->type = facts->type;
		event->config = events[i].config;
	}
	plan->groups_count = groups + 1;
	plan->general = true;
	return 0;
}
