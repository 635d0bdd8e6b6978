/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* plan_software.c - the source of tests: software events in the place of a PMU's. */
#include <cgtopdown/counters.h>

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"

#define SOFTWARE_EVENTS_DEFAULT 5

/* None of them does anything at a switch by itself, so what is measured with them is the reading. */
static const struct {
	const char *name;
	uint64_t config;
} software_events[] = {
	{"page-faults", PERF_COUNT_SW_PAGE_FAULTS},
	{"cpu-clock", PERF_COUNT_SW_CPU_CLOCK},
	{"minor-faults", PERF_COUNT_SW_PAGE_FAULTS_MIN},
	{"major-faults", PERF_COUNT_SW_PAGE_FAULTS_MAJ},
	{"alignment-faults", PERF_COUNT_SW_ALIGNMENT_FAULTS},
	{"emulation-faults", PERF_COUNT_SW_EMULATION_FAULTS},
	{"task-clock", PERF_COUNT_SW_TASK_CLOCK},
	{"dummy", PERF_COUNT_SW_DUMMY},
	{"bpf-output", PERF_COUNT_SW_BPF_OUTPUT},
};
#define SOFTWARE_EVENTS ((int)(sizeof(software_events) / sizeof(*software_events)))

static int parse_software(const char *source, enum ctd_read *ret_read, int *ret_count)
{
	static const char name[] = "software", leader[] = ":leader";
	const char *parameters = source + strlen(name);
	enum ctd_read read = CTD_READ_EACH;
	char number[8] = "";
	size_t bytes;
	long long count = SOFTWARE_EVENTS_DEFAULT;

	if (strncmp(source, name, strlen(name)) != 0)
		return -EINVAL;
	bytes = strlen(parameters);
	if (bytes >= strlen(leader) && strcmp(parameters + bytes - strlen(leader), leader) == 0) {
		read = CTD_READ_LEADER;
		bytes -= strlen(leader);
	}
	if (bytes) {
		if (parameters[0] != ':' || bytes > sizeof(number))
			return -EINVAL;
		memcpy(number, parameters + 1, bytes - 1);
		if (ctd_parse_integer(number, 1, CTD_COUNTERS_MAX, &count))
			return -EINVAL;
	}
	*ret_read = read;
	*ret_count = (int)count;
	return 0;
}

bool ctd_pmu_is_software(const char *source)
{
	enum ctd_read read;
	int count;

	return !parse_software(source, &read, &count);
}

int ctd_pmu_plan_software(const char *source, struct ctd_counter_plan *plan)
{
	int error = parse_software(source, &plan->read, &plan->events_count);

	if (error)
		return error;
	for (int i = 0; i < plan->events_count; i++) {
		int which = i % SOFTWARE_EVENTS;

		snprintf(plan->events[i].name, sizeof(plan->events[i].name), "%s",
			 software_events[which].name);
		plan->events[i].type = PERF_TYPE_SOFTWARE;
		plan->events[i].config = software_events[which].config;
	}
	snprintf(plan->source, sizeof(plan->source), "software");
	snprintf(plan->why, sizeof(plan->why), "test source: %d software events per CPU, no slots",
		 plan->events_count);
	return 0;
}
