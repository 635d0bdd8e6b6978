/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* clocks.c - the two clocks of a CPU: cpu-clock events with our programs. */
#include "kern/profile/sampler.h"

#include <bpf/libbpf.h>

#include "bpf/profile.skel.h"
#include "kern/clock.h"

static void close_clocks(struct ctd_sampler *sampler, int cpu)
{
	struct ctd_clocks *clocks = &sampler->clocks[cpu];

	if (sampler->event)
		ctd_sampler_close_event(sampler, cpu);
	/* Closes their events, too. */
	bpf_link__destroy(clocks->sample_link);
	bpf_link__destroy(clocks->window_link);
	*clocks = (struct ctd_clocks){.told = clocks->told, .factor = clocks->factor};
	sampler->cpus[cpu].window_at_ns = 0;
}

static int open_clocks(struct ctd_sampler *sampler, struct ctd_clocks *clocks, int cpu)
{
	struct bpf_program *sampled = sampler->unwinds ? sampler->skeleton->progs.cgtd_unwound
						       : sampler->skeleton->progs.cgtd_sampled;
	/* Pinned, which is said of a group by its leader: perf would reschedule others with each
	 * change of its users. */
	struct ctd_clock clock = {
		.purpose = "samples",
		.cpu = cpu,
		.period_ns = ctd_sampler_clock_ns(sampler),
		.pinned = true,
	};
	int error;

	if (sampler->event)
		return ctd_sampler_open_event(sampler, sampled, cpu);
	/* Without counters there is nothing to read at the begin of a window. */
	if (!sampler->windows)
		return ctd_clock_start(&clock, sampled, &clocks->sample_link, &clocks->sample_fd);
	error = ctd_clock_start(&clock, sampler->skeleton->progs.cgtd_window, &clocks->window_link,
				&clocks->window_fd);
	if (error)
		return error;
	clock.pinned = false;
	clock.leader_fd = clocks->window_fd;
	return ctd_clock_start(&clock, sampled, &clocks->sample_link, &clocks->sample_fd);
}

int ctd_sampler_watch_cpu(struct ctd_sampler *sampler, int cpu, bool watch)
{
	int error;

	close_clocks(sampler, cpu);
	if (!watch)
		return 0;
	/* No clock of this CPU runs: a sample stands for as many as its clock leaves out. */
	__atomic_store_n(&sampler->cpus[cpu].weight, sampler->divisor, __ATOMIC_RELAXED);
	error = open_clocks(sampler, &sampler->clocks[cpu], cpu);
	if (error)
		close_clocks(sampler, cpu);
	else if (sampler->windows)
		ctd_sampler_set_apart(sampler, cpu);
	return error;
}
