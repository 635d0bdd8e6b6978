/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pairs.h - arithmetic of sorted lists of pairs: one cgroup waited while the other had the CPU, or
 * both ran on one core. */
#ifndef CGTOPDOWN_PAIRS_H
#define CGTOPDOWN_PAIRS_H

#include <stddef.h>
#include <stdint.h>

struct ctd_pair {
	/* Of cgroups. A victim may be CTD_OCCUPIER_KERNEL; both are 0 for the sum of those pairs
	 * that gave way to others, as there was no room. */
	uint64_t victim_id, occupier_id;
	uint64_t wait_ns, waits, preempted;
	uint64_t sequence; /* of the snapshot with which it grew last */
	uint64_t beside_ns; /* the victim ran while the other had the core's other hardware thread */
};

/* Sorted by both ids, each once. */
struct ctd_pairs {
	struct ctd_pair *items; /* owned */
	size_t count;
};

void ctd_pairs_free(struct ctd_pairs *pairs);
int ctd_pair_compare(const void *left, const void *right);
/* Sorts what is in no order, and adds up those of the same two. */
void ctd_pairs_sort(struct ctd_pairs *pairs);
/* @return 0 or -ENOMEM. */
int ctd_pairs_add(struct ctd_pairs *to, const struct ctd_pairs *from);
/* What of @p after grew; a total that shrank began at 0. @return 0 or -ENOMEM. */
int ctd_pairs_subtract(const struct ctd_pairs *after, const struct ctd_pairs *before,
		       struct ctd_pairs *ret_pairs);
/* @return 0 or -ENOMEM. */
int ctd_pairs_copy(const struct ctd_pairs *from, struct ctd_pairs *ret_pairs);

#endif
