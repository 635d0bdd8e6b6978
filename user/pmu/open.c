/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* open.c - perf_event_open(2), for which libc has no function. */
#include "open.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

int ctd_perf_event_open(struct perf_event_attr *attr, int pid, int cpu, int group_fd,
			unsigned long flags)
{
	int fd = (int)syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, flags);

	return fd < 0 ? -errno : fd;
}
