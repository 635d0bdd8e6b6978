/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* cpu_set.h - which CPUs there are, which of them run, and which must not be disturbed. */
#ifndef COLLECT_CPU_SET_H
#define COLLECT_CPU_SET_H

#include <cgtopdown/caches.h>
#include <stdbool.h>

#define CTD_CPUS_ONLINE "/sys/devices/system/cpu/online"

struct ctd_cpu_set {
	int count; /* possible CPUs: 0 to count - 1 */
	bool *online; /* owned, count entries */
	/* owned, count entries: the CPU that is the other hardware thread of the core, or
	 * CTD_SIBLING_...; NULL: no CPU had one when this was read first. */
	int *siblings;
	struct ctd_caches caches; /* as they were found at first */
	/* owned, count entries: the cache of each CPU, or caches.count: not known. One that was
	 * offline at first stays so: what was of no cache does not become another one's. */
	uint8_t *cache_of;
	bool *fenced; /* owned, count entries: accounted, but not flushed or interrupted */
};

/*
 * @p disturbed: list of the only CPUs that may be disturbed; NULL: all but isolated and nohz_full
 * ones. Logs. @return 0 or negative errno.
 */
int ctd_cpu_set_read(const char *disturbed, struct ctd_cpu_set *ret_set);
/* Reads the siblings anew: they are of the CPUs that are online. Where there were
 * none at first, there are none. @return 0 or -ENOMEM. */
int ctd_cpu_set_find_siblings(struct ctd_cpu_set *set);
void ctd_cpu_set_free(struct ctd_cpu_set *set);

/* The CPUs now online, @p count entries. Logs malformed content, but not a failed read. @return 0
 * or negative errno. */
int ctd_cpu_set_read_online(bool *ret_online, int count);

#endif
