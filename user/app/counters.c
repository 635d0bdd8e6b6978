/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* counters.c - from options to counters that count: chooses a source, opens it, tries it. */
#include "app/collector.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
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

/* What a line about one kind of cores begins with. */
static const char *label(const struct ctd_collector *collector, int core, char text[32])
{
	text[0] = '\0';
	if (collector->cores_count > 1)
		snprintf(text, 32, "%s: ", collector->machine.core[core].core_name);
	return text;
}

static void say_choice(const struct ctd_collector *collector, int core)
{
	const struct ctd_counter_plan *plan = &collector->plans[core];
	bool lacks = plan->read == CTD_READ_NONE;
	char of[32];

	/* Who left the choice to us and gets no slots should know why, and who gets them on some
	 * kinds of cores only. */
	ctd_log(lacks && (is_automatic(collector) || collector->cores_count > 1) ? CTD_LOG_WARNING
										 : CTD_LOG_INFO,
		"%ssource %s: %s", label(collector, core, of), plan->source, plan->why);
	/* Figures that are not of the row alone are not to be read without knowing it. */
	if (plan->model && plan->model->core_scope)
		ctd_warn("%ssource %s: %s", of, plan->source, plan->model->caution);
}

static int choose_all(struct ctd_collector *collector)
{
	const struct ctd_options *options = collector->options;
	int error = ctd_machine_plan(&collector->machine, options->source, options->level,
				     options->read_each, !options->no_pin, collector->plans,
				     &collector->cores_count);

	for (int core = 0; !error && core < collector->cores_count; core++)
		say_choice(collector, core);
	return error;
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
	error = ctd_machine_read(&collector->machine);
	if (error)
		return ctd_log_error(error, "read what sysfs says of the PMU");
	error = choose_all(collector);
	if (error)
		return error;
	return collector->plans[0].read == CTD_READ_SIM ? read_profiles(collector) : 0;
}

/* Has the CPU counters by the plan of this kind of cores? */
static bool is_of(const struct ctd_collector *collector, int core, int cpu)
{
	const uint8_t *core_of = ctd_collector_core_of(collector);

	return collector->online[cpu] && (!core_of || core_of[cpu] == core);
}

/*
 * Stays on this CPU if it is of the kind of cores, else goes to one that may be disturbed: what is
 * judged is the CPU that is kept busy. @p ret_before: where we may be. @return the CPU, or -1 if
 * there is none.
 */
static int go_to_core(const struct ctd_collector *collector, int core, cpu_set_t *ret_before)
{
	int here = sched_getcpu();

	if (sched_getaffinity(0, sizeof(*ret_before), ret_before))
		return -1;
	for (int i = -1; i < collector->cpus && i < CPU_SETSIZE; i++) {
		int cpu = i < 0 ? here : i;
		cpu_set_t one;

		if (cpu < 0 || cpu >= collector->cpus || !is_of(collector, core, cpu) ||
		    (cpu != here && collector->fenced[cpu]))
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		if (!sched_setaffinity(0, sizeof(one), &one))
			return cpu;
	}
	return -1;
}

/* Lets the counters of a CPU count a busy loop there, and judges what they say. */
static int try_counters(struct ctd_collector *collector, int core, char ret_why[160])
{
	uint64_t count[CTD_COUNTERS_MAX] = {}, enabled_ns = 0, running_ns = 0;
	cpu_set_t before;
	int cpu = go_to_core(collector, core, &before);
	int error;

	if (cpu < 0)
		return 0;
	ctd_spin_ns(TRIAL_NS);
	error = ctd_counters_read(&collector->counters, cpu, count, &enabled_ns, &running_ns);
	sched_setaffinity(0, sizeof(before), &before);
	if (error && error != -ENODATA)
		return ctd_log_error(error, "read the counters of cpu %d", cpu);
	return ctd_counters_judge(&collector->plans[core], count, error ? 0 : running_ns, ret_why);
}

/* Each turn disturbs every CPU, and one that is fenced off is not to be disturbed. */
static void forgo_turns(struct ctd_collector *collector, int core)
{
	struct ctd_counter_plan *plan = &collector->plans[core];
	size_t said = strlen(plan->why);

	for (int cpu = 0; plan->groups_count > 1 && cpu < collector->cpus; cpu++) {
		if (!is_of(collector, core, cpu) || !collector->fenced[cpu])
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
static void add_general(struct ctd_collector *collector, int core, int cpu)
{
	struct ctd_counter_plan with = collector->plans[core];
	char why[160] = "", of[32];
	int error = ctd_pmu_plan_general(&collector->machine.core[core], &with, why);

	if (!error && cpu < collector->cpus)
		error = ctd_counters_try_general(&with, cpu);
	if (!error)
		collector->plans[core] = with;
	else
		ctd_warn("%s--general: %s", label(collector, core, of),
			 *why ? why : "the kernel refuses these counters");
}

/* What does not fit one CPU fits none of its kind. */
static void fit_counters(struct ctd_collector *collector, int core)
{
	struct ctd_counter_plan *plan = &collector->plans[core];
	int planned = plan->events_count, groups = plan->groups_count, cpu = 0;
	int wanted;
	bool cut;
	char of[32];

	while (cpu < collector->cpus && !collector->countable[cpu])
		cpu++;
	if (cpu < collector->cpus)
		ctd_counters_fit(plan, cpu);
	cut = plan->events_count < planned || plan->groups_count < groups;
	if (collector->options->general)
		add_general(collector, core, cpu);
	wanted = plan->groups_count;
	forgo_turns(collector, core);
	if (cut || plan->groups_count < wanted)
		ctd_warn("%ssource %s: %s", label(collector, core, of), plan->source, plan->why);
}

/* Who got none though it should is taken for offline. The next look at the CPUs brings it, or finds
 * that it is. */
static void leave_out_absent(struct ctd_collector *collector)
{
	for (int cpu = 0; cpu < collector->cpus; cpu++) {
		if (!collector->countable[cpu] || ctd_counters_has(&collector->counters, cpu))
			continue;
		collector->countable[cpu] = false;
		collector->online[cpu] = false;
	}
}

/*
 * Opens the planned counters of one kind of cores and lets them show that they count. @return 0,
 * -ENODATA with what is wrong with them, where another source may do, or other negative errno; logs.
 */
static int open_and_try(struct ctd_collector *collector, int core, char ret_why[160])
{
	int error;

	for (int cpu = 0; cpu < collector->cpus; cpu++)
		collector->countable[cpu] = is_of(collector, core, cpu);
	fit_counters(collector, core);
	error = ctd_counters_open(&collector->plans[core], NULL, collector->countable,
				  collector->cpus, &collector->counters);
	if (error && is_automatic(collector)) {
		snprintf(ret_why, 160, "the counters do not open");
		return -ENODATA;
	}
	if (error)
		return error;
	leave_out_absent(collector);
	/* They run before the programs read them: what they counted so far is the baseline. */
	error = ctd_counters_enable(&collector->counters);
	return error ? error : try_counters(collector, core, ret_why);
}

/* Finds the source of one kind of cores that counts. Its counters stay open. */
static int settle(struct ctd_collector *collector, int core)
{
	const struct ctd_options *options = collector->options;
	struct ctd_counter_plan *plan = &collector->plans[core];

	while (ctd_plan_counts(plan)) {
		char why[160], of[32];
		int error = open_and_try(collector, core, why);

		if (error != -ENODATA)
			return error;
		ctd_warn("%ssource %s: %s", label(collector, core, of), plan->source, why);
		/* Who asked for it is told, and gets what there is of it. */
		if (!is_automatic(collector))
			return 0;
		ctd_counters_free(&collector->counters);
		ctd_pmu_distrust(&collector->machine.core[core], plan->source);
		error = ctd_pmu_plan(&collector->machine.core[core], options->source,
				     options->level, options->read_each, !options->no_pin, plan);
		if (error)
			return error;
		say_choice(collector, core);
	}
	return 0;
}

/* Others are told of when it is tried: see add_general(). */
static void say_no_general(const struct ctd_collector *collector)
{
	for (int core = 0; core < collector->cores_count; core++) {
		const struct ctd_counter_plan *plan = &collector->plans[core];
		char of[32];

		if (!ctd_plan_counts(plan))
			ctd_warn("%s--general: there are no instructions and cycles of source %s",
				 label(collector, core, of), plan->source);
	}
}

int ctd_collector_open_counters(struct ctd_collector *collector)
{
	const uint8_t *core_of;
	int error;

	if (collector->options->general)
		say_no_general(collector);
	if (collector->cores_count == 1)
		return settle(collector, 0);
	for (int core = 0; core < collector->cores_count; core++) {
		error = settle(collector, core);
		ctd_counters_free(&collector->counters);
		if (error)
			return error;
	}
	/* Only now it is known how many events the widest group has. */
	collector->cores_count = ctd_plans_cores(collector->plans, collector->cores_count);
	ctd_plans_pad(collector->plans, collector->cores_count);
	core_of = ctd_collector_core_of(collector);
	ctd_cpus_countable(collector->plans, core_of, collector->online, collector->fenced,
			   collector->cpus, collector->countable);
	error = ctd_counters_open(collector->plans, core_of, collector->countable, collector->cpus,
				  &collector->counters);
	if (error)
		return error;
	leave_out_absent(collector);
	return ctd_counters_enable(&collector->counters);
}
