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

/* What is behind "software". */
struct parameters {
	long long count;
	enum ctd_read read;
	int groups_count;
};

/* Takes an ending like ":leader" off; @return whether it was there. */
static bool take_ending(const char *text, size_t *bytes, const char *ending)
{
	size_t length = strlen(ending);

	if (*bytes < length || strncmp(text + *bytes - length, ending, length) != 0)
		return false;
	*bytes -= length;
	return true;
}

static int parse_software(const char *source, struct parameters *ret_parameters)
{
	static const char name[] = "software";
	const char *text = source + strlen(name);
	struct parameters parameters = {
		.count = SOFTWARE_EVENTS_DEFAULT, .read = CTD_READ_EACH, .groups_count = 1};
	char number[8] = "";
	size_t bytes;

	if (strncmp(source, name, strlen(name)) != 0)
		return -EINVAL;
	bytes = strlen(text);
	if (take_ending(text, &bytes, ":leader"))
		parameters.read = CTD_READ_LEADER;
	else if (take_ending(text, &bytes, ":rotate"))
		parameters.groups_count = 3;
	if (bytes) {
		if (text[0] != ':' || bytes > sizeof(number))
			return -EINVAL;
		memcpy(number, text + 1, bytes - 1);
		if (ctd_parse_integer(number, 1, CTD_COUNTERS_MAX, &parameters.count))
			return -EINVAL;
	}
	*ret_parameters = parameters;
	return 0;
}

bool ctd_pmu_is_software(const char *source)
{
	struct parameters parameters;

	return !parse_software(source, &parameters);
}

int ctd_pmu_plan_software(const char *source, struct ctd_counter_plan *plan)
{
	struct parameters parameters;
	int error = parse_software(source, &parameters);

	if (error)
		return error;
	plan->read = parameters.read;
	plan->events_count = (int)parameters.count;
	plan->groups_count = parameters.groups_count;
	for (int i = 0; i < plan->groups_count * plan->events_count; i++) {
		int which = i % plan->events_count % SOFTWARE_EVENTS;

		snprintf(plan->events[i].name, sizeof(plan->events[i].name), "%s",
			 software_events[which].name);
		plan->events[i].type = PERF_TYPE_SOFTWARE;
		plan->events[i].config = software_events[which].config;
	}
	snprintf(plan->source, sizeof(plan->source), "software");
	snprintf(plan->why, sizeof(plan->why),
		 "test source: %d software events per CPU%s, no slots", plan->events_count,
		 plan->groups_count > 1 ? " in 3 groups that rotate" : "");
	return 0;
}
