/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* caches.h - which CPUs share their last cache and their memory node. */
#ifndef COLLECT_CACHES_H
#define COLLECT_CACHES_H

#include <cgtopdown/caches.h>

/*
 * Reads it of the @p cpus possible CPUs from sysfs, which tells it of those that are online. @p
 * siblings: as those of struct ctd_cpu_set. @p ret_cache_of: of each CPU the index of its cache, or
 * ret_caches->count: not known. Where nothing is to be told apart there are no caches. @return 0 or
 * -ENOMEM.
 */
int ctd_caches_find(int cpus, const int *siblings, struct ctd_caches *ret_caches,
		    uint8_t *ret_cache_of);

#endif
