/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* clocks.c - the two clocks of a CPU: cpu-clock events with our programs. */
#include "kern/profile/sampler.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/log.h"
#include "bpf/profile.skel.h"

/* Pinned: perf would reschedule others with each change of its users, and start their clocks anew,
 * which shifts one against the other. */
static int open_clock(const struct ctd_sampler *sampler, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = sampler->period_ns,
		.exclude_idle = 1,
		.pinned = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	/* As with the clock of long slices. */
	if (fd < 0 && errno == ENODEV)
		return -ENODEV;
	if (fd < 0)
		return ctd_log_error(-errno, "perf_event_open(cpu-clock, cpu %d) for samples", cpu);
	return fd;
}

static int start_clock(const struct ctd_sampler *sampler, int cpu, struct bpf_program *program,
		       struct bpf_link **ret_link, int *ret_fd)
{
	int fd = open_clock(sampler, cpu);
	struct bpf_link *link;

	if (fd < 0)
		return fd;
	link = bpf_program__attach_perf_event(program, fd);
	if (!link) {
		int error = -errno;

		close(fd);
		return ctd_log_error(error, "attach the sampler to cpu %d", cpu);
	}
	*ret_link = link;
	*ret_fd = fd;
	return 0;
}

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
	int window_fd, error;

	stop_clocks(sampler, cpu);
	if (!watch)
		return 0;
	error = start_clock(sampler, cpu, sampler->skeleton->progs.cgtd_window,
			    &clocks->window_link, &window_fd);
	if (!error)
		error = start_clock(sampler, cpu, sampled, &clocks->sample_link,
				    &clocks->sample_fd);
	if (error)
		stop_clocks(sampler, cpu);
	return error;
}
