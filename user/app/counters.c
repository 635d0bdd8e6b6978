/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* counters.c - from options to counters that count: chooses a source, opens it, tries it. */
#include "app/collector.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

#include "app/cpus.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/root.h"

#define PROFILE_BYTES_MAX (1 << 20)
/* Long enough for a count that is far from 0, short enough to start at once. */
#define TRIAL_NS 20000000ull

static int read_profiles(struct ctd_collector *collector)
{
	const char *path = collector->options->profile_file;
	const char *text = ctd_sim_default_text();
	size_t bytes = strlen(text);
	autofree char *file = NULL;
	char why[128];
	int error, line;

	if (path) {
		error = ctd_read_file(path, PROFILE_BYTES_MAX, &file, &bytes);
		if (error)
			return ctd_log_error(error, "read the simulated profiles '%s'", path);
		text = file;
	}
	error = ctd_sim_profiles_parse(text, bytes, &collector->profiles, &line, why);
	if (error == -EINVAL)
		ctd_log(CTD_LOG_ERROR, "%s:%d: %s", path ? path : "built-in profiles", line, why);
	else if (error)
		ctd_log_error(error, "parse the simulated profiles");
	return error;
}

static bool is_automatic(const struct ctd_collector *collector)
{
	return strcmp(collector->options->source, "auto") == 0;
}

static int choose(struct ctd_collector *collector)
{
	const struct ctd_options *options = collector->options;
	int error = ctd_pmu_plan(&collector->facts, options->source, options->level,
				 options->read_each, !options->no_pin, &collector->plan);
	const struct ctd_cpu_model *model = collector->plan.model;

	if (error)
		return error;
	/* Who left the choice to us and gets no slots should know why. */
	ctd_log(is_automatic(collector) && collector->plan.read == CTD_READ_NONE ? CTD_LOG_WARNING
										 : CTD_LOG_INFO,
		"source %s: %s", collector->plan.source, collector->plan.why);
	/* Figures that are not of the row alone are not to be read without knowing it. */
	if (model && model->core_scope)
		ctd_warn("source %s: %s", collector->plan.source, model->caution);
	return 0;
}

int ctd_collector_plan(struct ctd_collector *collector)
{
	enum ctd_cap missing;
	int error = ctd_caps_probe(&collector->caps);

	if (error)
		return ctd_log_error(error, "ask the kernel what it can do");
	missing = ctd_caps_first_missing(&collector->caps);
	if (missing != CTD_CAP_COUNT) {
		ctd_log(CTD_LOG_ERROR, "%s is missing: %s; see 'cgtopdown doctor'",
			ctd_cap_texts[missing].name, ctd_cap_texts[missing].remedy);
		return -EOPNOTSUPP;
	}
	error = ctd_pmu_facts_read(&collector->facts);
	if (error)
		return ctd_log_error(error, "read what sysfs says of the PMU");
	error = choose(collector);
	if (error)
		return error;
	return collector->plan.read == CTD_READ_SIM ? read_profiles(collector) : 0;
}

/* Lets the counters of the CPU we are on count a busy loop, and judges what they say. */
static int try_counters(struct ctd_collector *collector, char ret_why[160])
{
	uint64_t count[CTD_COUNTERS_MAX] = {}, enabled_ns = 0, running_ns = 0;
	int cpu = sched_getcpu();
	int error;

	if (cpu < 0 || cpu >= collector->cpus || !collector->countable[cpu])
		return 0;
	ctd_spin_ns(TRIAL_NS);
	error = ctd_counters_read(&collector->counters, cpu, count, &enabled_ns, &running_ns);
	if (error && error != -ENODATA)
		return ctd_log_error(error, "read the counters of cpu %d", cpu);
	return ctd_counters_judge(&collector->plan, count, error ? 0 : running_ns, ret_why);
}

/* Each turn disturbs every CPU, and one that is fenced off is not to be disturbed. */
static void forgo_turns(struct ctd_collector *collector)
{
	struct ctd_counter_plan *plan = &collector->plan;
	size_t said = strlen(plan->why);

	for (int cpu = 0; plan->groups_count > 1 && cpu < collector->cpus; cpu++) {
		if (!collector->online[cpu] || !collector->fenced[cpu])
			continue;
		snprintf(
			plan->why + said, sizeof(plan->why) - said,
			", but only the first: cpu %d is not to be disturbed (isolcpus, nohz_full or --cpus)",
			cpu);
		plan->groups_count = 1;
		plan->general = false;
	}
}

/* Beside what fits, and only if it was asked for: it costs the tree a turn. */
static void add_general(struct ctd_collector *collector, int cpu)
{
	struct ctd_counter_plan with = collector->plan;
	char why[160] = "";
	int error = ctd_pmu_plan_general(&collector->facts, &with, why);

	if (!error && cpu < collector->cpus)
		error = ctd_counters_try_general(&with, cpu);
	if (!error)
		collector->plan = with;
	else
		ctd_warn("--general: %s", *why ? why : "the kernel refuses these counters");
}

/* What does not fit one CPU fits none. */
static void fit_counters(struct ctd_collector *collector)
{
	int planned = collector->plan.events_count, groups = collector->plan.groups_count, cpu = 0;
	int wanted;
	bool cut;

	while (cpu < collector->cpus && !collector->countable[cpu])
		cpu++;
	if (cpu < collector->cpus)
		ctd_counters_fit(&collector->plan, cpu);
	cut = collector->plan.events_count < planned || collector->plan.groups_count < groups;
	if (collector->options->general)
		add_general(collector, cpu);
	wanted = collector->plan.groups_count;
	forgo_turns(collector);
	if (cut || collector->plan.groups_count < wanted)
		ctd_warn("source %s: %s", collector->plan.source, collector->plan.why);
}

/*
 * Opens the planned counters and lets them show that they count. @return 0, -ENODATA with what is
 * wrong with them, where another source may do, or other negative errno; logs.
 */
static int open_and_try(struct ctd_collector *collector, char ret_why[160])
{
	int error = ctd_cpus_countable(&collector->plan, collector->online, collector->cpus,
				       collector->countable);

	if (error)
		return error;
	fit_counters(collector);
	error = ctd_counters_open(&collector->plan, NULL, collector->countable, collector->cpus,
				  &collector->counters);
	if (error && is_automatic(collector)) {
		snprintf(ret_why, 160, "the counters do not open");
		return -ENODATA;
	}
	/* They run before the programs read them: what they counted so far is the baseline. */
	if (!error)
		error = ctd_counters_enable(&collector->counters);
	return error ? error : try_counters(collector, ret_why);
}

int ctd_collector_open_counters(struct ctd_collector *collector)
{
	if (collector->options->general && !ctd_collector_counts(collector))
		ctd_warn("--general: there are no instructions and cycles of source %s",
			 collector->plan.source);
	while (ctd_collector_counts(collector)) {
		char why[160];
		int error = open_and_try(collector, why);

		if (error != -ENODATA)
			return error;
		ctd_warn("source %s: %s", collector->plan.source, why);
		/* Who asked for it is told, and gets what there is of it. */
		if (!is_automatic(collector))
			return 0;
		ctd_counters_free(&collector->counters);
		ctd_pmu_distrust(&collector->facts, collector->plan.source);
		error = choose(collector);
		if (error)
			return error;
	}
	return 0;
}
