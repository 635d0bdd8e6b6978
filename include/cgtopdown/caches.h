/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* caches.h - groups of CPUs that share their last cache and their memory node. */
#ifndef CGTOPDOWN_CACHES_H
#define CGTOPDOWN_CACHES_H

#include <stdbool.h>
#include <stdint.h>

#define CTD_CACHES_MAX 32
/* CPUs whose cache is not known are a part by themselves, behind the others. */
#define CTD_CACHE_PARTS_MAX (CTD_CACHES_MAX + 1)

/*
 * The last caches of a machine, each on one memory node. Where caches are not known, or more than
 * there is room for, there is one for each node.
 */
struct ctd_caches {
	uint32_t count; /* never 1; 0: all is one, or it is not known: none are told apart */
	uint32_t node[CTD_CACHES_MAX]; /* of each: the number of its memory node */
};

/* Into how many parts time is divided by caches: 0 where they are not told apart. */
static inline uint32_t ctd_caches_parts(const struct ctd_caches *caches)
{
	return caches->count ? caches->count + 1 : 0;
}
bool ctd_caches_are_same(const struct ctd_caches *a, const struct ctd_caches *b);
/* On how many memory nodes they are. */
uint32_t ctd_caches_nodes(const struct ctd_caches *caches);

#endif
