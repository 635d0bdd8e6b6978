/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* source_back.c - tries sources beside the one in use: those that could not be had, or no longer. */
#include "collect/source_back.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/auto.h"

/* A CPU of the type that may be disturbed, or -1. */
static int find_cpu(const struct ctd_source *source, const struct ctd_cpu_set *cpus, int type)
{
	for (int cpu = 0; cpu < cpus->count; cpu++) {
		bool is_type = source->core_types_planned == 1 ||
			       source->machine.core_type_of[cpu] == type;

		if (is_type && cpus->online[cpu] && !cpus->fenced[cpu])
			return cpu;
	}
	return -1;
}

static int try_counters(const struct ctd_counter_plan *plan, const struct ctd_cpu_set *cpus,
			int cpu, uint64_t trial_ns, struct ctd_trial *trial)
{
	autofree bool *only = calloc(cpus->count, sizeof(*only));
	struct ctd_counters counters = {0};
	int error = only ? ctd_counters_try(plan, 0, cpu) : -ENOMEM;

	if (error)
		return error;
	only[cpu] = true;
	error = ctd_counters_open(plan, NULL, only, cpus->count, &counters);
	if (!error)
		error = ctd_counters_enable(&counters);
	if (!error)
		ctd_trial_run(plan, &counters, cpus, trial_ns, trial);
	ctd_counters_free(&counters);
	return error ? error : trial->error;
}

/* Do the counters of @p plan count now? On one CPU of the core type, whose own counters step aside:
 * the two may need the same one. */
static bool counts_now(struct ctd_source *source, struct ctd_kern *kern,
		       const struct ctd_cpu_set *cpus, int type, uint64_t trial_ns,
		       const struct ctd_counter_plan *plan, struct ctd_trial *ret_trial)
{
	struct ctd_counters *counters = &source->counters;
	int cpu = find_cpu(source, cpus, type);
	bool counted = cpu >= 0 && ctd_counters_has(counters, cpu);
	struct ctd_trial trial = {.done = true};

	*ret_trial = trial;
	if (cpu < 0)
		return false;
	if (counted) {
		ctd_kern_pause_counters(kern, cpu);
		ctd_counters_disable_cpu(counters, cpu);
	}
	trial.error = try_counters(plan, cpus, cpu, trial_ns, &trial);
	/* Where this fails, readings fail, and the counters are opened anew. */
	if (counted)
		ctd_kern_begin_step(kern, counters, cpu, counters->step);
	*ret_trial = trial;
	return !trial.error && trial.full && !*trial.lie;
}

bool ctd_source_is_back(struct ctd_source *source, struct ctd_kern *kern,
			const struct ctd_cpu_set *cpus, uint64_t trial_ns)
{
	bool back = false;

	for (int type = 0; type < source->core_types_planned; type++) {
		struct ctd_source_choice *choice = &source->choices[type];

		for (int i = 0; i < choice->attempts_count; i++) {
			struct ctd_source_attempt *attempt = &choice->attempts[i];
			struct ctd_trial trial;

			if (!attempt->refused || ctd_source_lack(attempt) == CTD_LACK_TRUST)
				continue;
			attempt->held = !counts_now(source, kern, cpus, type, trial_ns,
						    &attempt->plan, &trial);
			back |= !attempt->held;
		}
	}
	return back;
}

struct ctd_source_attempt *ctd_source_in_use(struct ctd_source *source, int type)
{
	struct ctd_source_choice *choice = &source->choices[type];
	struct ctd_source_attempt *last =
		choice->attempts_count ? &choice->attempts[choice->attempts_count - 1] : NULL;

	return last && !last->refused ? last : NULL;
}

static void refuse(struct ctd_source_attempt *attempt)
{
	attempt->refused = attempt->held = true;
}

void ctd_source_give_up(struct ctd_source *source, struct ctd_kern *kern,
			const struct ctd_cpu_set *cpus, int type, uint64_t starved_ns,
			uint64_t trial_ns)
{
	const struct ctd_source_wishes *wishes = &source->wishes;
	struct ctd_source_choice *choice = &source->choices[type];
	struct ctd_source_attempt *attempt = ctd_source_in_use(source, type);
	struct ctd_pmu_facts facts = source->machine.core_types[type];

	attempt->trial = (struct ctd_trial){.done = true, .cpus = 1, .never = 1};
	snprintf(attempt->trial.lie, sizeof(attempt->trial.lie),
		 "it has counted on no CPU for %llu s: another program holds its counters",
		 (unsigned long long)(starved_ns / 1000000000));
	refuse(attempt);
	while (choice->attempts_count < CTD_SOURCE_ATTEMPTS_MAX) {
		ctd_pmu_pass_over(&facts, attempt->plan.source, CTD_LACK_FREE_COUNTERS);
		attempt = &choice->attempts[choice->attempts_count];
		*attempt = (struct ctd_source_attempt){};
		if (ctd_pmu_plan(&facts, wishes->source, wishes->level, wishes->read_each,
				 wishes->pinned, &attempt->plan) ||
		    !ctd_plan_counts(&attempt->plan))
			return;
		ctd_counters_fit(&attempt->plan, find_cpu(source, cpus, type));
		if (counts_now(source, kern, cpus, type, trial_ns, &attempt->plan, &attempt->trial))
			return;
		refuse(attempt);
		choice->attempts_count++;
	}
}
