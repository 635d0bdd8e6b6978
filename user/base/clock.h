/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* clock.h - the time, and the spending of it. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Of a time that is not negative. */
uint64_t ctd_timespec_ns(const struct timespec *time);
/* For windows: never set, and the clock of bpf_ktime_get_ns(). */
uint64_t ctd_monotonic_ns(void);
/* Of the wall clock, since 1970. */
uint64_t ctd_realtime_ns(void);
/* The same by the clock that files are stamped with, which goes on by the kernel's ticks. */
uint64_t ctd_realtime_coarse_ns(void);
/* That this thread spent on CPUs. */
uint64_t ctd_thread_cpu_ns(void);
/* When an interval ends that begins after one that should have ended at @p last_ns: on a fixed
 * grid, so that intervals do not drift, or, where that is over by @p now_ns, a whole interval from
 * then: after a pause the grid begins anew. */
uint64_t ctd_clock_next_ns(uint64_t last_ns, uint64_t interval_ns, uint64_t now_ns);
/* Keeps the CPU this runs on busy for so long, whatever the others do. */
void ctd_spin_ns(uint64_t ns);

#endif
