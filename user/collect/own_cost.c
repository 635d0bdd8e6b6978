/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* own_cost.c - adds up CPU time of the programs in the scheduler and of processes of ours. */
#include "collect/own_cost.h"

#include "base/clock.h"

static struct ctd_own_cost sum_of(const struct ctd_snapshot *snapshot)
{
	struct ctd_own_cost sum = {.plan = snapshot->plan};

	for (size_t i = 0; i < snapshot->cpus_count; i++) {
		const uint64_t *health = snapshot->cpus[i].health;

		sum.switches += health[CTD_HEALTH_SWITCHES];
		sum.sampled_ns += health[CTD_HEALTH_COST_NS];
		sum.samples += health[CTD_HEALTH_COST_SAMPLES];
	}
	return sum;
}

/* Other programs, or a CPU that began anew, count from 0. */
static bool follows(const struct ctd_own_cost *now, const struct ctd_own_cost *before)
{
	return now->plan == before->plan && now->switches >= before->switches &&
	       now->sampled_ns >= before->sampled_ns && now->samples >= before->samples;
}

void ctd_own_cost_take(struct ctd_own_cost *cost, const struct ctd_snapshot *snapshot)
{
	struct ctd_own_cost now = sum_of(snapshot), before = *cost;

	if (!follows(&now, &before))
		before.switches = before.sampled_ns = before.samples = 0;
	now.mean_ns = now.sampled_ns - before.sampled_ns;
	now.mean_samples = now.samples - before.samples;
	/* None was timed since. */
	if (!now.mean_samples) {
		now.mean_ns = cost->mean_ns;
		now.mean_samples = cost->mean_samples;
	}
	now.programs_ns = cost->programs_ns;
	if (now.mean_samples)
		now.programs_ns +=
			(now.switches - before.switches) * now.mean_ns / now.mean_samples;
	*cost = now;
}

static uint64_t read_clock(clockid_t clock)
{
	struct timespec time;

	if (clock_gettime(clock, &time))
		return 0;
	return ctd_timespec_ns(&time);
}

uint64_t ctd_own_cost_ns(const struct ctd_own_cost *cost, pid_t beside)
{
	uint64_t ns = cost->programs_ns + read_clock(CLOCK_PROCESS_CPUTIME_ID);
	clockid_t clock;

	if (beside && !clock_getcpuclockid(beside, &clock))
		ns += read_clock(clock);
	return ns;
}
