/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* plan.c - decides which source of counters is used, and says why. */
#include <cgtopdown/counters.h>

#include <assert.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/num.h"
#include "pmu/sysfs.h"

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

static bool has_perf_metrics(const struct ctd_pmu_facts *facts)
{
	return facts->core_pmu && facts->slots && facts->level1;
}

/* Why there is no perf_metrics here, without a full stop. */
static void say_lack(const struct ctd_pmu_facts *facts, char *ret_text, size_t bytes)
{
	if (!facts->core_pmu)
		snprintf(ret_text, bytes, "no core PMU in /sys/bus/event_source/devices");
	else
		snprintf(ret_text, bytes, "the core PMU '%s' has no slots and topdown-* events%s",
			 facts->pmu_name, facts->hypervisor ? " in this virtual machine" : "");
}

/* The design of this processor, as @p source counts it, or NULL. */
static const struct ctd_cpu_model *find_model(const char *source, const struct ctd_pmu_facts *facts)
{
	for (const struct ctd_cpu_model *const *model = ctd_cpu_models; *model; model++) {
		if (strcmp((*model)->source, source) == 0 &&
		    ctd_cpu_model_claims(*model, facts->family, facts->model))
			return *model;
	}
	return NULL;
}

/* Codes are of one design, so that the processor must be known. */
static bool has_gp_slots(const struct ctd_pmu_facts *facts)
{
	return facts->core_pmu && strcmp(facts->vendor, "GenuineIntel") == 0 &&
	       find_model("gp_slots", facts);
}

/* Plans the events that the model's nodes need down to @p level. @return 0 or negative errno. */
static int plan_events(const struct ctd_pmu_facts *facts, const struct ctd_cpu_model *model,
		       int level, struct ctd_counter_plan *plan)
{
	bool by_code = model->leader_by_code.name && !facts->slots;

	plan->model = model;
	plan->read = model->read;
	plan->topdown_refresh = model->read == CTD_READ_LEADER;
	plan->events_count = ctd_cpu_model_counters(model, level);
	snprintf(plan->source, sizeof(plan->source), "%s", model->source);
	for (int i = 0; i < plan->events_count; i++) {
		const struct ctd_cpu_event *event =
			i == 0 && by_code ? &model->leader_by_code : &model->events[i];
		struct ctd_event *planned = &plan->events[i];
		int err = 0;

		if (event->config) {
			snprintf(planned->name, sizeof(planned->name), "%s", event->name);
			planned->type = facts->type;
			planned->config = event->config;
		} else {
			err = ctd_sysfs_event_read(facts->pmu_name, facts->type, event->name,
						   planned);
		}
		if (err)
			return err;
	}
	return 0;
}

static int plan_perf_metrics(const struct ctd_pmu_facts *facts, int level, bool read_each,
			     struct ctd_counter_plan *plan)
{
	const struct ctd_cpu_model *model = find_model("perf_metrics", facts);
	bool known = model != NULL;
	bool level2;
	int err;

	if (!known)
		model = ctd_cpu_model_find(facts->level2 ? "golden_cove" : "sunny_cove");
	assert(model);
	level2 = level != 1 && facts->level2 && ctd_cpu_model_level(model, CTD_COUNTERS_MAX) >= 2;

	err = plan_events(facts, model, level2 ? 2 : 1, plan);
	if (err)
		return err;
	if (read_each)
		plan->read = CTD_READ_EACH;
	if (known)
		snprintf(plan->why, sizeof(plan->why), "PERF_METRICS of %s, level %d%s",
			 model->title, level2 ? 2 : 1,
			 level == 2 && !level2 ? " (level 2 is not in sysfs)" : "");
	else
		snprintf(
			plan->why, sizeof(plan->why),
			"PERF_METRICS, level %d%s: CPU family %u model %u is unknown, its capabilities decided, and it is read as %s",
			level2 ? 2 : 1, level == 2 && !level2 ? " (level 2 is not in sysfs)" : "",
			facts->family, facts->model, model->name);
	return 0;
}

static void say_no_gp_slots(const struct ctd_pmu_facts *facts)
{
	if (!facts->core_pmu)
		ctd_log(CTD_LOG_ERROR,
			"--source gp_slots: no core PMU in /sys/bus/event_source/devices; see cgtopdown doctor");
	else
		ctd_log(CTD_LOG_ERROR,
			"--source gp_slots: the events of this CPU (%s family %u model %u) are not known; see cgtopdown list cpus",
			*facts->vendor ? facts->vendor : "no vendor", facts->family, facts->model);
}

static int plan_gp_slots(const struct ctd_pmu_facts *facts, int level,
			 struct ctd_counter_plan *plan)
{
	const struct ctd_cpu_model *model = find_model("gp_slots", facts);
	int general = ctd_cpu_model_counters(model, 2) - (facts->slots ? 1 : 0);
	bool level2 = level != 1 && ctd_cpu_model_level(model, CTD_COUNTERS_MAX) >= 2;
	bool fits = general <= model->general_counters;
	char lack[80] = "";
	int err = plan_events(facts, model, level2 && fits ? 2 : 1, plan);

	if (err)
		return err;
	if (level2 && !fits)
		snprintf(lack, sizeof(lack),
			 " (level 2 takes %d general counters, the core has %d)", general,
			 model->general_counters);
	else if (level == 2 && !level2)
		snprintf(lack, sizeof(lack), " (level 2 is not written for this source)");
	snprintf(
		plan->why, sizeof(plan->why),
		"ordinary counters of %s, level %d%s, each read by itself (--read leader is not for them)",
		model->name, level2 && fits ? 2 : 1, lack);
	return 0;
}

static void plan_sim(int level, struct ctd_counter_plan *plan)
{
	plan->model = ctd_cpu_model_find("sim");
	assert(plan->model);
	plan->read = plan->model->read;
	plan->events_count = ctd_cpu_model_counters(plan->model, level == 1 ? 1 : 2);
	plan->simulated = true;
	plan->pinned = false;
	snprintf(plan->source, sizeof(plan->source), "sim");
	snprintf(plan->why, sizeof(plan->why),
		 "simulated: slots from CPU time and a profile per command name, nothing measured");
}

static void plan_none(const char *why, struct ctd_counter_plan *plan)
{
	plan->pinned = false;
	snprintf(plan->source, sizeof(plan->source), "none");
	snprintf(plan->why, sizeof(plan->why), "%s", why);
}

/*
 * "software[:N][:leader]", for tests and benchmarks only: N software events in a group, so that
 * opening, reading and accounting run as with a PMU where there is none. There is no model, so
 * there are no nodes. "leader" reads the siblings from memory.
 */
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

static int plan_software(const char *source, struct ctd_counter_plan *plan)
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

int ctd_pmu_plan(const struct ctd_pmu_facts *facts, const char *source, int level, bool read_each,
		 bool pinned, struct ctd_counter_plan *ret_plan)
{
	struct ctd_counter_plan plan = {.read = CTD_READ_NONE, .pinned = pinned};
	bool automatic = strcmp(source, "auto") == 0;
	char lack[160], why[sizeof(plan.why)];
	int err = 0;

	assert(level >= 0 && level <= 2);
	say_lack(facts, lack, sizeof(lack));
	if (strcmp(source, "none") == 0) {
		plan_none("no counters were asked for: CPU time only", &plan);
	} else if (strcmp(source, "sim") == 0) {
		plan_sim(level, &plan);
	} else if (strcmp(source, "gp_slots") == 0 ||
		   (automatic && !has_perf_metrics(facts) && has_gp_slots(facts))) {
		if (!has_gp_slots(facts)) {
			say_no_gp_slots(facts);
			return -ENODEV;
		}
		err = plan_gp_slots(facts, level, &plan);
	} else if (automatic && !has_perf_metrics(facts)) {
		snprintf(why, sizeof(why), "%s: CPU time only; --source sim shows simulated slots",
			 lack);
		plan_none(why, &plan);
	} else if (automatic || strcmp(source, "perf_metrics") == 0) {
		if (!has_perf_metrics(facts)) {
			ctd_log(CTD_LOG_ERROR, "--source perf_metrics: %s; see cgtopdown doctor",
				lack);
			return -ENODEV;
		}
		err = plan_perf_metrics(facts, level, read_each, &plan);
	} else {
		err = plan_software(source, &plan);
		if (err)
			ctd_log(CTD_LOG_ERROR,
				"--source '%s' is none of auto, perf_metrics, gp_slots, sim, none; for tests also software[:1-%d][:leader]",
				source, CTD_COUNTERS_MAX);
	}
	if (!err)
		*ret_plan = plan;
	return err;
}
