/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* lock.c - sets a CPU's second clock a window after its first. */
/*
 * PERF_EVENT_IOC_PERIOD on a running clock starts it anew with a full period. (Disabling and
 * enabling it would keep what remained.) So it fires a period, and a window, after the first one
 * fired if that is done a window after the first one fired. When that is, is known from when it
 * last did; how long the interrupt to the other CPU takes, is learned from what came of it.
 */
#include "kern/profile/sampler.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>

#include "base/auto.h"
#include "base/clock.h"

/* A sleep may last so much longer than it should: from here on we wait awake. */
#define AWAKE_NS 100000
/* Time to get there. */
#define LEAST_NS 200000
/* A setting that came out within a fifth of the window is good; after so many, on a busy machine,
 * one within two fifths is, too: another one may be worse. */
#define TOLERANCE 5
#define EXACT_TRIES 8
/* Samples by which a CPU's windows are judged. */
#define JUDGED_SAMPLES 4

/* A CPU whose clock is to be set, and when. */
struct due {
	uint64_t at_ns;
	int cpu;
};

static int compare_due(const void *left, const void *right)
{
	const struct due *a = left, *b = right;

	return (a->at_ns > b->at_ns) - (a->at_ns < b->at_ns);
}

/* How much later than a window after the first clock the second one fired, of so many per period. */
static int64_t off_ns(const struct ctd_sampler *sampler, uint64_t window_at_ns,
		      uint64_t sample_at_ns)
{
	int64_t period_ns = (int64_t)sampler->period_ns;
	int64_t off = (int64_t)(sample_at_ns - window_at_ns - sampler->window_ns) % period_ns;

	if (off > period_ns / 2)
		off -= period_ns;
	return off < -period_ns / 2 ? off + period_ns : off;
}

/* What came of the last setting. @return whether it is known, and was good. */
static bool is_set(struct ctd_sampler *sampler, int cpu)
{
	struct ctd_clocks *clocks = &sampler->clocks[cpu];
	uint64_t window_at_ns = __atomic_load_n(&sampler->cpus[cpu].window_at_ns, __ATOMIC_RELAXED);
	uint64_t sample_at_ns = __atomic_load_n(&sampler->cpus[cpu].sample_at_ns, __ATOMIC_RELAXED);
	int64_t off, good = (int64_t)sampler->window_ns / TOLERANCE;

	/* Neither fires while the CPU is idle. */
	if (sample_at_ns < clocks->set_ns + sampler->period_ns / 2)
		return true;
	clocks->checked = true;
	clocks->samples = sampler->cpus[cpu].health[CTD_SAMPLING_SAMPLES];
	clocks->unpaired = sampler->cpus[cpu].health[CTD_SAMPLING_UNPAIRED];
	off = off_ns(sampler, window_at_ns, sample_at_ns);
	if (llabs(off) <= (++clocks->tries > EXACT_TRIES ? 2 * good : good))
		return true;
	sampler->locks_failed++;
	/* Half of it: a single one may have been late for another reason. */
	if (llabs(off) < 10 * (int64_t)sampler->window_ns)
		clocks->lead_ns += off / 2;
	return false;
}

/* Most windows must be such that they can be used. */
static bool is_good(struct ctd_sampler *sampler, int cpu)
{
	struct ctd_clocks *clocks = &sampler->clocks[cpu];
	const unsigned long long *health = sampler->cpus[cpu].health;
	uint64_t samples = health[CTD_SAMPLING_SAMPLES] - clocks->samples;
	uint64_t unpaired = health[CTD_SAMPLING_UNPAIRED] - clocks->unpaired;

	if (samples < JUDGED_SAMPLES)
		return true;
	clocks->samples += samples;
	clocks->unpaired += unpaired;
	return unpaired < samples / 2;
}

/* When to set the second clock of a CPU, or 0: it is as it should be, or nothing is known yet. */
static uint64_t due_at(struct ctd_sampler *sampler, int cpu, uint64_t now_ns)
{
	struct ctd_clocks *clocks = &sampler->clocks[cpu];
	uint64_t window_at_ns = __atomic_load_n(&sampler->cpus[cpu].window_at_ns, __ATOMIC_RELAXED);
	uint64_t at_ns;

	if (!clocks->sample_link || !window_at_ns)
		return 0;
	if (clocks->set_ns && (clocks->checked ? is_good(sampler, cpu) : is_set(sampler, cpu)))
		return 0;
	at_ns = window_at_ns + sampler->window_ns - (uint64_t)clocks->lead_ns;
	while (at_ns < now_ns + LEAST_NS)
		at_ns +=
			((now_ns + LEAST_NS - at_ns) / sampler->period_ns + 1) * sampler->period_ns;
	return at_ns;
}

static void wait_until(uint64_t until_ns)
{
	uint64_t asleep_ns = until_ns - AWAKE_NS;
	struct timespec until = {.tv_sec = (time_t)(asleep_ns / 1000000000),
				 .tv_nsec = (long)(asleep_ns % 1000000000)};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
	while (ctd_monotonic_ns() < until_ns)
		;
}

int ctd_sampler_lock(struct ctd_sampler *sampler)
{
	int cpus = sampler->kern->options.cpus, count = 0;
	uint64_t now_ns = ctd_monotonic_ns();
	autofree struct due *due = calloc(cpus, sizeof(*due));

	for (int cpu = 0; due && cpu < cpus; cpu++) {
		uint64_t at_ns = due_at(sampler, cpu, now_ns);

		if (at_ns)
			due[count++] = (struct due){.at_ns = at_ns, .cpu = cpu};
	}
	if (due)
		qsort(due, count, sizeof(*due), compare_due);
	for (int i = 0; i < count; i++) {
		struct ctd_clocks *clocks = &sampler->clocks[due[i].cpu];

		/* Another CPU's turn took too long, or others had ours: next time. */
		if (ctd_monotonic_ns() > due[i].at_ns)
			continue;
		wait_until(due[i].at_ns);
		if (ctd_monotonic_ns() > due[i].at_ns + sampler->window_ns / TOLERANCE ||
		    ioctl(clocks->sample_fd, PERF_EVENT_IOC_PERIOD, &sampler->period_ns))
			continue;
		clocks->set_ns = ctd_monotonic_ns();
		clocks->checked = false;
		sampler->locks++;
	}
	return count;
}
