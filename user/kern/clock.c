/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* clock.c - events that run BPF programs, cpu-clock before all. */
#include "kern/clock.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/log.h"

static int open_clock(const struct ctd_clock *clock)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = clock->period_ns,
		.exclude_idle = 1,
		.pinned = clock->pinned,
	};
	int leader_fd = clock->leader_fd ? clock->leader_fd : -1;
	int fd;

	if (clock->event)
		attr = *clock->event;
	fd = (int)syscall(SYS_perf_event_open, &attr, -1, clock->cpu, leader_fd,
			  PERF_FLAG_FD_CLOEXEC);
	/* The CPU goes or comes: the kernel lists it longer than perf has it
	 * (CPUHP_AP_PERF_ONLINE). */
	if (fd < 0 && errno == ENODEV)
		return -ENODEV;
	if (fd < 0)
		return ctd_log_error(-errno, "perf_event_open(%s, cpu %d) for %s",
				     clock->event ? clock->event_name : "cpu-clock", clock->cpu,
				     clock->purpose);
	return fd;
}

int ctd_clock_start(const struct ctd_clock *clock, struct bpf_program *program,
		    struct bpf_link **ret_link, int *ret_fd)
{
	autoclose int fd = open_clock(clock);
	struct bpf_link *link;

	if (fd < 0)
		return fd;
	link = bpf_program__attach_perf_event(program, fd);
	if (!link)
		return ctd_log_error(-errno, "attach the program for %s to cpu %d", clock->purpose,
				     clock->cpu);
	*ret_link = link;
	if (ret_fd)
		*ret_fd = fd;
	(void)take_fd(fd);
	return 0;
}
