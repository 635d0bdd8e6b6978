/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* source_back.c - tries again sources that could not be had. */
#include "collect/source.h"

#include <errno.h>
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

/* Do the counters of @p plan count on @p cpu now? */
static bool counts_now(const struct ctd_counter_plan *plan, const struct ctd_cpu_set *cpus, int cpu,
		       uint64_t trial_ns)
{
	autofree bool *only = calloc(cpus->count, sizeof(*only));
	struct ctd_counters counters = {0};
	struct ctd_trial trial = {0};
	int error = only ? ctd_counters_try(plan, 0, cpu) : -ENOMEM;

	if (error)
		return false;
	only[cpu] = true;
	error = ctd_counters_open(plan, NULL, only, cpus->count, &counters);
	if (!error)
		error = ctd_counters_enable(&counters);
	if (!error)
		ctd_trial_run(plan, &counters, cpus, trial_ns, &trial);
	ctd_counters_free(&counters);
	return !error && trial.full && !*trial.lie;
}

bool ctd_source_is_back(struct ctd_source *source, const struct ctd_cpu_set *cpus,
			uint64_t trial_ns)
{
	bool back = false;

	for (int type = 0; type < source->core_types_planned; type++) {
		struct ctd_source_choice *choice = &source->choices[type];
		int cpu = find_cpu(source, cpus, type);

		for (int i = 0; i < choice->attempts_count; i++) {
			struct ctd_source_attempt *attempt = &choice->attempts[i];

			if (!attempt->refused || ctd_source_lack(attempt) == CTD_LACK_TRUST)
				continue;
			attempt->held = cpu < 0 || !counts_now(&attempt->plan, cpus, cpu, trial_ns);
			back |= !attempt->held;
		}
	}
	return back;
}
