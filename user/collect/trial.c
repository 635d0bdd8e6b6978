/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* trial.c - lets open counters count a busy loop, and judges what they say. */
#include "collect/trial.h"

#include <errno.h>
#include <math.h>
#include <sched.h>

#include "base/clock.h"

/* A thread that may not choose its CPU is moved now and then. */
#define SPINS_MAX 3

/*
 * Stays on this CPU if it has the counters, else goes to one that may be disturbed. @p ret_before:
 * where this thread may run. @return the CPU, or -1 if there is none. Where a filter refuses
 * sched_setaffinity(2), as in a unit without @resources, it is this one.
 */
static int go_to_counters(const struct ctd_counters *counters, const struct ctd_cpu_set *cpus,
			  cpu_set_t *ret_before)
{
	int here = sched_getcpu();

	if (sched_getaffinity(0, sizeof(*ret_before), ret_before))
		return -1;
	for (int i = -1; i < cpus->count && i < CPU_SETSIZE; i++) {
		int cpu = i < 0 ? here : i;
		cpu_set_t one;

		if (cpu < 0 || cpu >= cpus->count || !ctd_counters_has(counters, cpu) ||
		    (cpu != here && cpus->fenced[cpu]))
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		if (!sched_setaffinity(0, sizeof(one), &one))
			return cpu;
	}
	return here >= 0 && ctd_counters_has(counters, here) ? here : -1;
}

/* @p sums: of the leader and of level 1, over all CPUs. */
static void take_reading(const struct ctd_counter_plan *plan, const struct ctd_counters *counters,
			 int cpu, bool busy, struct ctd_trial *trial, double sums[2])
{
	const struct ctd_cpu_model *model = plan->model;
	uint64_t count[CTD_COUNTERS_MAX] = {0}, enabled_ns = 0, running_ns = 0;
	int error = ctd_counters_read(counters, cpu, count, &enabled_ns, &running_ns);

	trial->cpus++;
	if (error == -ENODATA)
		trial->pushed_off++;
	else if (error || !running_ns)
		trial->never++;
	else if (running_ns < enabled_ns)
		trial->part++;
	else
		trial->full++;
	/* The other CPUs may have been idle, and counted nothing. */
	if (busy && error && error != -ENODATA)
		trial->error = error;
	else if (busy)
		ctd_counters_judge(plan, count, error ? 0 : running_ns, trial->lie);
	sums[0] += (double)count[0];
	for (int i = 0; i < 4; i++)
		sums[1] += !model || model->l1_counters[i] <= 0
				   ? NAN
				   : (double)count[model->l1_counters[i]];
}

/* A pinned group that was not put on the PMU at once never will be. */
static bool is_dead(const struct ctd_counters *counters, int cpu)
{
	uint64_t count[CTD_COUNTERS_MAX], enabled_ns, running_ns;

	return ctd_counters_read(counters, cpu, count, &enabled_ns, &running_ns) == -ENODATA;
}

/* @return the CPU that was busy all the time, or -1. */
static int spin(const struct ctd_counters *counters, const struct ctd_cpu_set *cpus,
		uint64_t duration_ns)
{
	cpu_set_t before;
	int busy = -1;

	for (int spins = 0; spins < SPINS_MAX && busy < 0; spins++) {
		int cpu = go_to_counters(counters, cpus, &before);

		if (cpu < 0)
			return -1;
		if (!is_dead(counters, cpu))
			ctd_spin_ns(duration_ns);
		busy = sched_getcpu() == cpu ? cpu : -1;
		sched_setaffinity(0, sizeof(before), &before);
	}
	return busy;
}

void ctd_trial_run(const struct ctd_counter_plan *plan, const struct ctd_counters *counters,
		   const struct ctd_cpu_set *cpus, uint64_t duration_ns, struct ctd_trial *trial)
{
	double sums[2] = {0};
	int busy = spin(counters, cpus, duration_ns);

	for (int cpu = 0; cpu < cpus->count; cpu++) {
		if (ctd_counters_has(counters, cpu))
			take_reading(plan, counters, cpu, cpu == busy, trial, sums);
	}
	trial->slots = sums[0] > 0;
	trial->level1_sum_over_slots = sums[0] > 0 ? sums[1] / sums[0] : NAN;
}
