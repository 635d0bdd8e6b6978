/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* perf_event.c - perf_event_open(2), for which libc has no function. */
#include "pmu/perf_event.h"

#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

int ctd_perf_event_open(struct perf_event_attr *attr, int pid, int cpu, int group_fd,
			unsigned long flags)
{
	int fd = (int)syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, flags);

	return fd < 0 ? -errno : fd;
}

const char *ctd_perf_event_advice(int error)
{
	switch (error) {
	case EACCES:
	case EPERM:
		return "run as root or with CAP_PERFMON, or set kernel.perf_event_paranoid to 0 or less; if it is above 2, Debian's and Ubuntu's kernels want CAP_SYS_ADMIN";
	case EINVAL:
		return "this kernel lacks the event, or the group cannot fit into the CPU's counters; see cgtopdown doctor";
	case ENOENT:
		return "the event is not on this CPU's PMU; see cgtopdown doctor";
	case EBUSY:
		return "somebody else holds the PMU: stop other profilers, or set kernel.nmi_watchdog to 0";
	case EMFILE:
		return "raise the limit of open files (ulimit -n); every CPU takes one per event";
	case ENFILE:
		return "raise fs.file-max; every CPU takes one open file per event";
	case ENODEV:
		return "the CPU is offline or its PMU is gone";
	case EOPNOTSUPP:
		return "its PMU cannot do this, or the kernel lent it to virtual machines (mediated vPMU); see cgtopdown doctor";
	case ENOSYS:
		return "this kernel is built without CONFIG_PERF_EVENTS";
	default:
		return "see cgtopdown doctor";
	}
}

int ctd_perf_event_try(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.disabled = 1,
	};
	int fd = ctd_perf_event_open(&attr, -1, sched_getcpu(), -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}
