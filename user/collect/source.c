/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* source.c - from wishes to counters that count: chooses a source, opens it, tries it. */
#include "collect/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/file_limit.h"
#include "base/log.h"
#include "base/root.h"

#define PROFILE_BYTES_MAX (1 << 20)
/* Maps, programs, clients, files of names. */
#define FILES_OF_OTHERS 256

const uint8_t *ctd_source_core_types(const struct ctd_source *source)
{
	return source->core_types_count > 1 ? source->machine.core_type_of : NULL;
}

const struct ctd_counter_plan *ctd_source_plan_of(const struct ctd_source *source, int cpu)
{
	const uint8_t *core_types = ctd_source_core_types(source);

	return &source->plans[core_types ? core_types[cpu] : 0];
}

uint32_t ctd_source_groups(const struct ctd_source *source)
{
	int most = 1;

	for (int type = 0; type < source->core_types_count; type++)
		if (source->plans[type].groups_count > most)
			most = source->plans[type].groups_count;
	return (uint32_t)most;
}

bool ctd_source_counts(const struct ctd_source *source)
{
	bool counts = false;

	for (int type = 0; type < source->core_types_count; type++)
		counts |= ctd_plan_counts(&source->plans[type]);
	return counts;
}

void ctd_source_find_countable(struct ctd_source *source, const struct ctd_cpu_set *cpus)
{
	for (int cpu = 0; cpu < cpus->count; cpu++) {
		const struct ctd_counter_plan *plan = ctd_source_plan_of(source, cpu);

		source->countable[cpu] = cpus->online[cpu] && ctd_plan_counts(plan) &&
					 !(cpus->fenced[cpu] && plan->groups_count > 1);
	}
}

static int read_profiles(struct ctd_source *source)
{
	const char *path = source->wishes.profile_file;
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
	error = ctd_sim_profiles_parse(text, bytes, &source->profiles, &line, why);
	if (error == -EINVAL)
		ctd_log(CTD_LOG_ERROR, "%s:%d: %s", path ? path : "built-in profiles", line, why);
	else if (error)
		ctd_log_error(error, "parse the simulated profiles");
	return error;
}

bool ctd_source_is_automatic(const struct ctd_source_wishes *wishes)
{
	return strcmp(wishes->source, "auto") == 0 && (!wishes->rotations || wishes->beside);
}

enum ctd_source_lack ctd_source_lack(const struct ctd_source_attempt *attempt)
{
	const struct ctd_trial *trial = &attempt->trial;

	if (!attempt->refused)
		return CTD_LACK_NOTHING;
	if (trial->error == -EBUSY || trial->pushed_off || trial->never)
		return CTD_LACK_FREE_COUNTERS;
	return trial->error ? CTD_LACK_OPENING : CTD_LACK_TRUST;
}

static void add_liar(struct ctd_source_choice *choice, const char *name)
{
	for (int i = 0; i < choice->liars_count; i++) {
		if (strcmp(choice->liars[i], name) == 0)
			return;
	}
	if (choice->liars_count < CTD_SOURCE_ATTEMPTS_MAX)
		snprintf(choice->liars[choice->liars_count++], sizeof(choice->liars[0]), "%s",
			 name);
}

/* Also of what lied earlier, and was not tried when @p before was opened. */
static void keep_distrust(const struct ctd_source *before, struct ctd_source *source)
{
	for (int type = 0; type < before->core_types_planned; type++) {
		const struct ctd_source_choice *from = &before->choices[type];
		struct ctd_source_choice *choice = &source->choices[type];

		for (int i = 0; i < from->liars_count; i++)
			add_liar(choice, from->liars[i]);
		for (int i = 0; i < from->attempts_count; i++) {
			if (ctd_source_lack(&from->attempts[i]) == CTD_LACK_TRUST)
				add_liar(choice, from->attempts[i].plan.source);
		}
		for (int i = 0; i < choice->liars_count; i++)
			ctd_pmu_pass_over(&source->machine.core_types[type], choice->liars[i],
					  CTD_LACK_TRUST);
	}
}

/* There is no trial beside counters that are in use, so that nothing would tell that a source is
 * still held. It is kept among those that were refused, to be looked after again. */
static void keep_held(const struct ctd_source *before, struct ctd_source *source)
{
	for (int type = 0; type < before->core_types_planned; type++) {
		const struct ctd_source_choice *from = &before->choices[type];
		struct ctd_source_choice *choice = &source->choices[type];

		for (int i = 0; i < from->attempts_count; i++) {
			if (!from->attempts[i].held)
				continue;
			choice->attempts[choice->attempts_count++] = from->attempts[i];
			ctd_pmu_pass_over(&source->machine.core_types[type],
					  from->attempts[i].plan.source,
					  ctd_source_lack(&from->attempts[i]));
		}
	}
}

/* Clocks in the place of events: a test. */
static bool has_stand_ins(const struct ctd_source_wishes *wishes)
{
	return strcmp(wishes->source, "software") == 0;
}

int ctd_source_plan(const struct ctd_source_wishes *wishes, const struct ctd_source *before,
		    struct ctd_source *ret_source)
{
	int error;

	*ret_source = (struct ctd_source){.wishes = *wishes, .core_types_count = 1};
	error = ctd_machine_read(&ret_source->machine);
	if (error)
		return ctd_log_error(error, "read what sysfs says of the PMU");
	if (before)
		keep_distrust(before, ret_source);
	if (before && ctd_source_is_automatic(wishes))
		keep_held(before, ret_source);
	if (wishes->rotations && !wishes->beside) {
		ret_source->core_types_count =
			ctd_machine_plan_rotations(&ret_source->machine, wishes->rotations,
						   has_stand_ins(wishes), wishes->pinned,
						   ret_source->plans);
		ret_source->core_types_planned = ret_source->core_types_count;
		return 0;
	}
	error = ctd_machine_plan(&ret_source->machine, wishes->source, wishes->level,
				 wishes->read_each, wishes->pinned, ret_source->plans,
				 &ret_source->core_types_count);
	ret_source->core_types_planned = ret_source->core_types_count;
	if (!error && ret_source->plans[0].read == CTD_READ_SIM)
		error = read_profiles(ret_source);
	return error;
}

/* Is the CPU online, and of this core type? */
static bool is_of(const struct ctd_source *source, const struct ctd_cpu_set *cpus, int type,
		  int cpu)
{
	const uint8_t *core_types = ctd_source_core_types(source);

	return cpus->online[cpu] && (!core_types || core_types[cpu] == type);
}

/* Rotation disturbs every CPU, and one that is fenced must not be disturbed. */
static void forgo_rotation(const struct ctd_source *source, const struct ctd_cpu_set *cpus,
			   int type, struct ctd_counter_plan *plan)
{
	size_t said = strlen(plan->why);

	for (int cpu = 0; plan->groups_count > 1 && cpu < cpus->count; cpu++) {
		if (!is_of(source, cpus, type, cpu) || !cpus->fenced[cpu])
			continue;
		snprintf(
			plan->why + said, sizeof(plan->why) - said,
			", but only the first: cpu %d is not to be disturbed (isolcpus, nohz_full, or by the list of CPUs)",
			cpu);
		plan->groups_count = 1;
		plan->ipc = false;
	}
}

/* Beside what fits, and only if it was wished: it takes time from the tree's groups. */
static void add_ipc(const struct ctd_pmu_facts *facts, struct ctd_source_attempt *attempt, int cpu)
{
	struct ctd_counter_plan with = attempt->plan;
	int error = ctd_pmu_plan_ipc(facts, &with, attempt->ipc_lack);

	if (!error && cpu >= 0)
		error = ctd_counters_try(&with, with.groups_count - 1, cpu);
	if (!error)
		attempt->plan = with;
	else if (!*attempt->ipc_lack)
		snprintf(attempt->ipc_lack, sizeof(attempt->ipc_lack),
			 "the kernel refuses these counters");
}

/* What does not fit one CPU fits none of its type. */
static void fit(const struct ctd_source *source, const struct ctd_cpu_set *cpus, int type,
		struct ctd_source_attempt *attempt)
{
	struct ctd_counter_plan *plan = &attempt->plan;
	int planned = plan->events_count, groups = plan->groups_count, cpu = 0;
	int wanted;

	while (cpu < cpus->count && !source->countable[cpu])
		cpu++;
	if (cpu == cpus->count)
		cpu = -1;
	if (cpu >= 0)
		ctd_counters_fit(plan, cpu);
	attempt->cut = plan->events_count < planned || plan->groups_count < groups;
	if (source->wishes.ipc)
		add_ipc(&source->machine.core_types[type], attempt, cpu);
	wanted = plan->groups_count;
	forgo_rotation(source, cpus, type, plan);
	attempt->cut |= plan->groups_count < wanted;
}

/* A CPU that should have got counters and has none is taken for offline. The next look at the CPUs
 * brings it, or finds that it is. */
static void leave_out_absent(struct ctd_source *source, struct ctd_cpu_set *cpus)
{
	for (int cpu = 0; cpu < cpus->count; cpu++) {
		if (!source->countable[cpu] || ctd_counters_has(&source->counters, cpu))
			continue;
		source->countable[cpu] = false;
		cpus->online[cpu] = false;
	}
}

/* Rotation disturbs every CPU. */
static bool may_rotate(const struct ctd_source *source, const struct ctd_cpu_set *cpus, int type)
{
	bool may = true;

	for (int cpu = 0; cpu < cpus->count; cpu++)
		may &= !is_of(source, cpus, type, cpu) || !cpus->fenced[cpu];
	return may;
}

/* Does the limit of open files leave enough for all else? */
static bool has_files(const struct ctd_source *source, const struct ctd_cpu_set *cpus,
		      const struct ctd_counter_plan *plan)
{
	size_t needed = FILES_OF_OTHERS;
	struct rlimit files;

	for (int cpu = 0; cpu < cpus->count; cpu++)
		if (source->countable[cpu])
			needed += (size_t)(plan->groups_count * plan->events_count);
	return getrlimit(RLIMIT_NOFILE, &files) || needed <= files.rlim_cur;
}

/* With the groups that are wished beside those of the plan, or without these where they cannot be
 * had: they take descriptors on each CPU, and other counters. */
static int open_counters(struct ctd_source *source, const struct ctd_cpu_set *cpus, int type,
			 struct ctd_counter_plan *plan)
{
	const struct ctd_counter_plan own = *plan;
	int error;

	/* Where several core types count, vendors' metrics are refused. */
	if (source->wishes.beside && source->core_types_count == 1 &&
	    may_rotate(source, cpus, type))
		ctd_pmu_plan_beside(source->wishes.rotations->of[0], has_stand_ins(&source->wishes),
				    plan);
	error = plan->beside_groups && !has_files(source, cpus, plan)
			? -EMFILE
			: ctd_counters_open(plan, NULL, source->countable, cpus->count,
					    &source->counters);
	if (!error || !plan->beside_groups)
		return error;
	ctd_warn(
		"%d groups of --metrics-dir cannot be opened beside source %s (%s), and are not counted: fewer metrics take fewer; each CPU takes %d open files, for which the limit may be too low (ulimit -n, LimitNOFILE)",
		plan->beside_groups, plan->source, strerror(-error),
		plan->groups_count * plan->events_count);
	*plan = own;
	return ctd_counters_open(plan, NULL, source->countable, cpus->count, &source->counters);
}

/* Opens the planned counters of one core type and lets them show that they count. The result is in
 * the attempt; its counters stay open. */
static void attempt_source(struct ctd_source *source, struct ctd_cpu_set *cpus, int type,
			   uint64_t trial_ns, struct ctd_source_attempt *attempt)
{
	struct ctd_trial *trial = &attempt->trial;

	*attempt = (struct ctd_source_attempt){.plan = source->plans[type],
					       .trial.done = trial_ns > 0};
	for (int cpu = 0; cpu < cpus->count; cpu++)
		source->countable[cpu] = is_of(source, cpus, type, cpu);
	fit(source, cpus, type, attempt);
	trial->error = open_counters(source, cpus, type, &attempt->plan);
	if (trial->error)
		return;
	leave_out_absent(source, cpus);
	if (!trial_ns)
		return;
	/* They run before the programs read them: what they counted so far is the baseline. */
	trial->error = ctd_counters_enable(&source->counters);
	if (!trial->error)
		ctd_trial_run(&attempt->plan, &source->counters, cpus, trial_ns, trial);
}

/* Finds the source of one core type that counts. Its counters stay open. */
static int settle(struct ctd_source *source, struct ctd_cpu_set *cpus, int type, uint64_t trial_ns)
{
	struct ctd_source_choice *choice = &source->choices[type];
	struct ctd_counter_plan *plan = &source->plans[type];
	int error = 0;

	while (!error && ctd_plan_counts(plan)) {
		struct ctd_source_attempt *attempt = &choice->attempts[choice->attempts_count++];
		const struct ctd_trial *trial = &attempt->trial;

		attempt_source(source, cpus, type, trial_ns, attempt);
		*plan = attempt->plan;
		if (!trial->error && !*trial->lie)
			break;
		/* A source that was named is kept as it is, with what there is of it. */
		if (!ctd_source_is_automatic(&source->wishes))
			return trial->error;
		attempt->refused = true;
		ctd_counters_free(&source->counters);
		ctd_pmu_pass_over(&source->machine.core_types[type], plan->source,
				  ctd_source_lack(attempt));
		error = ctd_pmu_plan(&source->machine.core_types[type], source->wishes.source,
				     source->wishes.level, source->wishes.read_each,
				     source->wishes.pinned, plan);
	}
	return error;
}

/* Opens what was settled for each core type, all at once. */
static int open_all(struct ctd_source *source, struct ctd_cpu_set *cpus, bool enable)
{
	int error;

	/* Only now it is known how many events the widest group has. */
	source->core_types_count = ctd_plans_core_types(source->plans, source->core_types_count);
	ctd_plans_pad(source->plans, source->core_types_count);
	ctd_source_find_countable(source, cpus);
	error = ctd_counters_open(source->plans, ctd_source_core_types(source), source->countable,
				  cpus->count, &source->counters);
	if (error)
		return error;
	leave_out_absent(source, cpus);
	return enable ? ctd_counters_enable(&source->counters) : 0;
}

int ctd_source_open(struct ctd_source *source, struct ctd_cpu_set *cpus, uint64_t trial_ns)
{
	int error = 0;

	/* Each CPU takes a descriptor per counter and two more. */
	ctd_file_limit_raise(NULL);
	source->countable = calloc(cpus->count, sizeof(*source->countable));
	if (!source->countable)
		return ctd_log_error(-ENOMEM, "open the counters");
	if (source->core_types_count == 1)
		return settle(source, cpus, 0, trial_ns);
	for (int type = 0; !error && type < source->core_types_count; type++) {
		error = settle(source, cpus, type, trial_ns);
		ctd_counters_free(&source->counters);
	}
	return error ? error : open_all(source, cpus, trial_ns > 0);
}

void ctd_source_free(struct ctd_source *source)
{
	ctd_counters_free(&source->counters);
	ctd_sim_profiles_free(&source->profiles);
	free(source->countable);
	*source = (struct ctd_source){};
}
