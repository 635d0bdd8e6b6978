/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* clock.c - the kernel's clocks in nanoseconds. */
#include "base/clock.h"

uint64_t ctd_timespec_ns(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec;
}

static uint64_t read_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return ctd_timespec_ns(&now);
}

uint64_t ctd_monotonic_ns(void)
{
	return read_ns(CLOCK_MONOTONIC);
}

uint64_t ctd_realtime_ns(void)
{
	return read_ns(CLOCK_REALTIME);
}

uint64_t ctd_realtime_coarse_ns(void)
{
	return read_ns(CLOCK_REALTIME_COARSE);
}

uint64_t ctd_thread_cpu_ns(void)
{
	return read_ns(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t ctd_clock_next_ns(uint64_t last_ns, uint64_t interval_ns, uint64_t now_ns)
{
	return (last_ns + interval_ns > now_ns ? last_ns : now_ns) + interval_ns;
}

void ctd_spin_ns(uint64_t ns)
{
	uint64_t until_ns = ctd_monotonic_ns() + ns;

	while (ctd_monotonic_ns() < until_ns)
		;
}
