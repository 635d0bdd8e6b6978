/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* clocks.c - the two clocks of a CPU: cpu-clock events with our programs. */
#include "kern/profile/sampler.h"

#include <bpf/libbpf.h>

#include "bpf/profile.skel.h"
#include "kern/clock.h"

static void stop_clocks(struct ctd_sampler *sampler, int cpu)
{
	struct ctd_clocks *clocks = &sampler->clocks[cpu];

	/* Closes their events, too. */
	bpf_link__destroy(clocks->window_link);
	bpf_link__destroy(clocks->sample_link);
	*clocks = (struct ctd_clocks){.lead_ns = clocks->lead_ns};
	sampler->cpus[cpu].window_at_ns = 0;
}

int ctd_sampler_watch_cpu(struct ctd_sampler *sampler, int cpu, bool watch)
{
	struct bpf_program *sampled = sampler->unwinds ? sampler->skeleton->progs.cgtd_unwound
						       : sampler->skeleton->progs.cgtd_sampled;
	struct ctd_clocks *clocks = &sampler->clocks[cpu];
	/* Pinned: perf would reschedule others with each change of its users, and start their
	 * clocks anew, which shifts one against the other. */
	const struct ctd_clock clock = {
		.purpose = "samples",
		.cpu = cpu,
		.period_ns = sampler->period_ns,
		.pinned = true,
	};
	int error;

	stop_clocks(sampler, cpu);
	if (!watch)
		return 0;
	error = ctd_clock_start(&clock, sampler->skeleton->progs.cgtd_window, &clocks->window_link,
				NULL);
	if (!error)
		error = ctd_clock_start(&clock, sampled, &clocks->sample_link, &clocks->sample_fd);
	if (error)
		stop_clocks(sampler, cpu);
	return error;
}
