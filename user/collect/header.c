/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* header.c - what a recording says once of a measurement: sources, models, core types. */
#include "collect/header.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Is there no source because another program holds the counters? */
static bool is_held(const struct ctd_source *source, int type)
{
	const struct ctd_source_choice *choice = &source->choices[type];
	bool held = false;

	for (int i = 0; i < choice->attempts_count; i++)
		held |= ctd_source_lack(&choice->attempts[i]) == CTD_LACK_FREE_COUNTERS;
	return held && !ctd_plan_counts(&source->plans[type]);
}

/* A recording has nothing but ASCII here, and a reason may quote what a user typed. */
static void replace_others(char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			*text = '?';
}

static struct ctd_record_core_type core_type_of(const struct ctd_source *source, int type)
{
	const struct ctd_counter_plan *plan = &source->plans[type];
	struct ctd_record_core_type header = {
		.counters_count = (uint32_t)plan->counters_count,
		.groups_count = (uint32_t)plan->groups_count,
		.ipc = plan->ipc,
		.held = is_held(source, type),
	};

	snprintf(header.name, sizeof(header.name), "%s",
		 source->machine.core_types[type].core_name);
	snprintf(header.source, sizeof(header.source), "%s", plan->source);
	snprintf(header.model, sizeof(header.model), "%s", plan->model ? plan->model->name : "");
	if (!ctd_plan_counts(plan))
		snprintf(header.why, sizeof(header.why), "%.*s", (int)sizeof(header.why) - 1,
			 plan->why);
	replace_others(header.why);
	return header;
}

/* Sources of all that count, each once: "perf_metrics+atom". */
static void add_source(struct ctd_record_header *header, const struct ctd_record_core_type *type)
{
	size_t said = strlen(header->source);

	if (*type->why || strstr(header->source, type->source))
		return;
	snprintf(header->source + said, sizeof(header->source) - said, "%s%s", said ? "+" : "",
		 type->source);
}

static void fill_core_types(struct ctd_record_header *header, const struct ctd_source *source)
{
	header->core_types_count = (uint32_t)source->core_types_count;
	header->source[0] = header->model[0] = '\0';
	header->counters_count = (uint32_t)source->counters.events_count;
	header->groups_count = (uint32_t)source->counters.groups_count;
	for (uint32_t i = 0; i < header->core_types_count; i++) {
		struct ctd_record_core_type *type = &header->core_types[i];

		*type = core_type_of(source, (int)i);
		add_source(header, type);
		header->ipc |= type->ipc;
		header->simulated |= source->plans[i].simulated;
		if (!*header->model)
			memcpy(header->model, type->model, sizeof(header->model));
		if (source->plans[i].read != source->plans[0].read)
			header->read = CTD_READ_MIXED;
	}
}

/* What groups beside those of the plan have more is theirs. */
static uint32_t counters_of(const struct ctd_counter_plan *plan)
{
	if (plan->read == CTD_READ_NONE)
		return 0;
	return (uint32_t)(plan->beside_groups ? plan->counters_count : plan->events_count);
}

void ctd_header_fill(struct ctd_record_header *header, const struct ctd_source *source,
		     const struct ctd_cgroup_hierarchy *hierarchy, enum ctd_by by)
{
	const struct ctd_counter_plan *plan = &source->plans[0];

	*header = (struct ctd_record_header){
		.simulated = plan->simulated,
		.read = plan->read,
		.groups_count = (uint32_t)ctd_plan_own_groups(plan),
		.ipc = plan->ipc,
		.counters_count = counters_of(plan),
		.by = by,
	};
	snprintf(header->source, sizeof(header->source), "%s", plan->source);
	snprintf(header->model, sizeof(header->model), "%s", plan->model ? plan->model->name : "");
	snprintf(header->version, sizeof(header->version), "%s", CTD_VERSION);
	if (gethostname(header->host, sizeof(header->host) - 1))
		header->host[0] = '\0';
	snprintf(header->hierarchy, sizeof(header->hierarchy), "%s%.24s",
		 *hierarchy->controller ? "v1 " : "v2", hierarchy->controller);
	if (source->core_types_count > 1)
		fill_core_types(header, source);
	for (int type = 0; source->core_types_count == 1 && type < source->core_types_planned;
	     type++)
		header->held |= is_held(source, type);
}
