/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* clock.h - runs a BPF program on one CPU, again and again. */
#ifndef KERN_CLOCK_H
#define KERN_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct bpf_link;
struct perf_event_attr;
struct bpf_program;

struct ctd_clock {
	const char *purpose; /* for messages: "samples" */
	int cpu;
	uint64_t period_ns;
	bool pinned;
	/* Another event instead of time, with all that it takes; NULL: none. */
	const struct perf_event_attr *event;
	const char *event_name;
	/* Of one that this clock runs and stops with; 0: it runs alone. */
	int leader_fd;
};

/*
 * Opens a cpu-clock event, which does not count idle time, or the other event, and attaches the
 * program to it. The caller's link closes the event, too; its descriptor is *@p ret_fd, which may
 * be NULL. Logs.
 * @return 0, -ENODEV while the CPU goes or comes, which is not logged, or negative errno.
 */
int ctd_clock_start(const struct ctd_clock *clock, struct bpf_program *program,
		    struct bpf_link **ret_link, int *ret_fd);

#endif
