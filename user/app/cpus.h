/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* cpus.h - which CPUs there are, run, may be disturbed, and have the planned counters. */
#ifndef APP_CPUS_H
#define APP_CPUS_H

#include <cgtopdown/counters.h>
#include <stdbool.h>

/*
 * @p disturbed: --cpus, the only ones that may be disturbed; NULL: all but isolated and nohz_full
 * ones. Allocates three arrays of *ret_cpus entries, the caller's; the third is zeroed. Logs.
 * @return 0 or negative errno.
 */
int ctd_cpus_read(const char *disturbed, int *ret_cpus, bool **ret_online, bool **ret_fenced,
		  bool **ret_zeroed);
#define CTD_CPUS_ONLINE "/sys/devices/system/cpu/online"
/* The CPUs now online. Logs a file that is none; that it cannot be read is for the caller to say. */
int ctd_cpus_online(bool *ret_online, int cpus);
/* Of the online CPUs those that have counters: of a kind of cores with a source, which takes no
 * turns on a CPU that is not to be disturbed. @p core_of NULL: there is one plan. */
void ctd_cpus_countable(const struct ctd_counter_plan *plans, const uint8_t *core_of,
			const bool *online, const bool *fenced, int cpus, bool *ret_countable);

#endif
