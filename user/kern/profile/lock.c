/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* lock.c - sets the two clocks of a CPU a window apart. */
/*
 * They are a group: when the first one, its leader, is enabled, both begin to run in one interrupt
 * on their CPU. A clock that is stopped keeps what is left of its period. So the first one runs
 * alone for a window, is stopped, and begins again together with the second one: from then on it is
 * ahead by as long as it ran alone. How long that was its own count says, so that what a busy
 * machine or a hypervisor made of it is known at once, and is tried again. The timers go on from
 * when they were due, not from when they ran: the distance stays.
 */
#include "kern/profile/sampler.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"

/* A distance within a fifth of the window is good: windows have the length that is read, not the
 * one that was asked for. */
#define TOLERANCE 5
#define TRIES 12
/* Of each look at all CPUs: the rest is for the next one. */
#define LOOK_NS 5000000
/* Samples by which a CPU's windows are judged. */
#define JUDGED_SAMPLES 4

/* Stops both, with a full period left. @return 0 or negative errno: the CPU has gone. */
static int stop(const struct ctd_sampler *sampler, const struct ctd_clocks *clocks)
{
	uint64_t period_ns = ctd_sampler_clock_ns(sampler);

	if (ioctl(clocks->window_fd, PERF_EVENT_IOC_DISABLE, 0) ||
	    ioctl(clocks->sample_fd, PERF_EVENT_IOC_DISABLE, 0) ||
	    ioctl(clocks->window_fd, PERF_EVENT_IOC_PERIOD, &period_ns) ||
	    ioctl(clocks->sample_fd, PERF_EVENT_IOC_PERIOD, &period_ns))
		return -errno;
	return 0;
}

static int run_both(const struct ctd_clocks *clocks)
{
	if (ioctl(clocks->sample_fd, PERF_EVENT_IOC_ENABLE, 0) ||
	    ioctl(clocks->window_fd, PERF_EVENT_IOC_ENABLE, 0))
		return -errno;
	return 0;
}

/* @return for how long a clock has run in all. */
static uint64_t ran_ns(int clock_fd)
{
	uint64_t ns = 0;

	return read(clock_fd, &ns, sizeof(ns)) == sizeof(ns) ? ns : 0;
}

/* Lets the first clock run alone. @return for how long that was. */
static uint64_t run_first(const struct ctd_clocks *clocks, uint64_t wanted_ns)
{
	uint64_t before_ns = ran_ns(clocks->window_fd), until_ns;

	ioctl(clocks->window_fd, PERF_EVENT_IOC_ENABLE, 0);
	until_ns = ctd_monotonic_ns() + wanted_ns;
	while (ctd_monotonic_ns() < until_ns)
		;
	ioctl(clocks->window_fd, PERF_EVENT_IOC_DISABLE, 0);
	return ran_ns(clocks->window_fd) - before_ns;
}

/* Asks for less the longer it takes to stop a clock of another CPU, which is learned. */
static uint64_t try_once(struct ctd_sampler *sampler, const struct ctd_clocks *clocks)
{
	uint64_t window_ns = sampler->window_ns;
	uint64_t wanted_ns = sampler->lead_ns < window_ns ? window_ns - sampler->lead_ns : 0;
	uint64_t ns = run_first(clocks, wanted_ns);

	/* A longer one was interrupted. */
	if (ns > wanted_ns && ns < 2 * window_ns)
		sampler->lead_ns = (sampler->lead_ns + ns - wanted_ns) / 2;
	return ns;
}

static bool is_within(uint64_t ns, uint64_t window_ns, uint64_t tolerance_ns)
{
	return ns + tolerance_ns >= window_ns && ns <= window_ns + tolerance_ns;
}

/* From here on its windows are judged. */
static void begin_judging(struct ctd_sampler *sampler, int cpu)
{
	sampler->clocks[cpu].samples = sampler->cpus[cpu].health[CTD_SAMPLING_SAMPLES];
	sampler->clocks[cpu].unpaired = sampler->cpus[cpu].health[CTD_SAMPLING_UNPAIRED];
}

void ctd_sampler_set_apart(struct ctd_sampler *sampler, int cpu)
{
	struct ctd_clocks *clocks = &sampler->clocks[cpu];
	uint64_t window_ns = sampler->window_ns, ns = 0;
	bool set = false;

	for (int i = 0; i < TRIES && !set; i++) {
		if (stop(sampler, clocks))
			return;
		ns = try_once(sampler, clocks);
		set = is_within(ns, window_ns, window_ns / TOLERANCE);
	}
	if (run_both(clocks))
		return;
	begin_judging(sampler, cpu);
	sampler->locks++;
	sampler->locks_failed += !set;
	/* The program takes windows of half to twice the length. */
	clocks->set = is_within(ns, window_ns, window_ns / 2);
	if (!clocks->set && !clocks->told) {
		clocks->told = true;
		ctd_warn(
			"cpu %d: its windows cannot be made %llu us long, as the machine is too busy: until they can, its samples say nothing of categories",
			cpu, (unsigned long long)window_ns / 1000);
	}
}

/* Most windows must be such that they can be used. */
static bool is_good(struct ctd_sampler *sampler, int cpu)
{
	const struct ctd_clocks *clocks = &sampler->clocks[cpu];
	const unsigned long long *health = sampler->cpus[cpu].health;
	uint64_t samples = health[CTD_SAMPLING_SAMPLES] - clocks->samples;
	uint64_t unpaired = health[CTD_SAMPLING_UNPAIRED] - clocks->unpaired;

	if (!clocks->set)
		return false;
	if (samples < JUDGED_SAMPLES)
		return true;
	begin_judging(sampler, cpu);
	return unpaired < samples / 2;
}

void ctd_sampler_lock(struct ctd_sampler *sampler)
{
	int cpus = sampler->kern->options.cpus;
	uint64_t until_ns = ctd_monotonic_ns() + LOOK_NS;

	for (int i = 0; sampler->windows && i < cpus && ctd_monotonic_ns() < until_ns; i++) {
		int cpu = sampler->next_look;

		sampler->next_look = (cpu + 1) % cpus;
		if (sampler->clocks[cpu].sample_link && !is_good(sampler, cpu))
			ctd_sampler_set_apart(sampler, cpu);
	}
}

/* Reading takes an interrupt to the CPU, which new samples make unnecessary. */
bool ctd_sampler_runs(struct ctd_sampler *sampler, int cpu)
{
	struct ctd_clocks *clocks = &sampler->clocks[cpu];
	uint64_t samples = sampler->cpus[cpu].health[CTD_SAMPLING_SAMPLES];
	uint64_t now_ns;

	if (samples != clocks->ran_samples) {
		clocks->ran_samples = samples;
		clocks->ran_ns = 0;
		return true;
	}
	now_ns = sampler->event ? ctd_sampler_event_enabled_ns(clocks) : ran_ns(clocks->sample_fd);
	if (now_ns && now_ns == clocks->ran_ns)
		return false;
	clocks->ran_ns = now_ns;
	return true;
}
