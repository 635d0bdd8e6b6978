/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* header.c - what a recording says once of the measurement: sources, models, kinds of cores. */
#include "app/collector.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct ctd_record_core_type core_of(const struct ctd_collector *collector, int core)
{
	const struct ctd_counter_plan *plan = &collector->plans[core];
	struct ctd_record_core_type header = {
		.counters_count = (uint32_t)plan->counters_count,
		.groups_count = (uint32_t)plan->groups_count,
		.general = plan->general,
	};

	snprintf(header.name, sizeof(header.name), "%s", collector->machine.core[core].core_name);
	snprintf(header.source, sizeof(header.source), "%s", plan->source);
	snprintf(header.model, sizeof(header.model), "%s", plan->model ? plan->model->name : "");
	if (!ctd_plan_counts(plan))
		snprintf(header.why, sizeof(header.why), "%.*s", (int)sizeof(header.why) - 1,
			 plan->why);
	return header;
}

/* Sources of all that count, each once: "perf_metrics+atom". */
static void add_source(struct ctd_record_header *header, const struct ctd_record_core_type *core)
{
	size_t said = strlen(header->source);

	if (*core->why || strstr(header->source, core->source))
		return;
	snprintf(header->source + said, sizeof(header->source) - said, "%s%s", said ? "+" : "",
		 core->source);
}

static void fill_cores(const struct ctd_collector *collector, struct ctd_record_header *header)
{
	header->core_types_count = (uint32_t)collector->cores_count;
	header->source[0] = header->model[0] = '\0';
	header->counters_count = (uint32_t)collector->counters.events_count;
	header->groups_count = (uint32_t)collector->counters.groups_count;
	for (uint32_t i = 0; i < header->core_types_count; i++) {
		struct ctd_record_core_type *core = &header->core_types[i];

		*core = core_of(collector, (int)i);
		add_source(header, core);
		header->general |= core->general;
		if (!*header->model)
			memcpy(header->model, core->model, sizeof(header->model));
		if (collector->plans[i].read != collector->plans[0].read)
			header->read = CTD_READ_MIXED;
	}
}

void ctd_collector_fill_header(struct ctd_collector *collector)
{
	struct ctd_record_header *header = &collector->header;
	const struct ctd_counter_plan *plan = &collector->plans[0];

	snprintf(header->source, sizeof(header->source), "%s", plan->source);
	snprintf(header->model, sizeof(header->model), "%s", plan->model ? plan->model->name : "");
	snprintf(header->version, sizeof(header->version), "%s", CTD_VERSION);
	if (gethostname(header->host, sizeof(header->host) - 1))
		header->host[0] = '\0';
	snprintf(header->hierarchy, sizeof(header->hierarchy), "%s%.24s",
		 *collector->hierarchy.controller ? "v1 " : "v2", collector->hierarchy.controller);
	header->simulated = plan->simulated;
	header->read = plan->read;
	header->groups_count = (uint32_t)plan->groups_count;
	header->general = plan->general;
	header->counters_count = plan->read == CTD_READ_NONE ? 0 : plan->events_count;
	header->by = collector->options->by == CTD_GROUP_PROCESS ? CTD_BY_PROCESS
		     : collector->options->by == CTD_GROUP_TASK	 ? CTD_BY_TASK
								 : CTD_BY_CGROUP;
	if (collector->cores_count > 1)
		fill_cores(collector, header);
}
