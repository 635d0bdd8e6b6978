/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* throttling.h - what a limit of CPU time did to a cgroup, as the kernel counts it: plain data. */
#ifndef CGTOPDOWN_THROTTLING_H
#define CGTOPDOWN_THROTTLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One cgroup that has a limit. In a snapshot since the collector began, in an interval in it. */
struct ctd_throttling {
	uint64_t cgroup_id;
	uint64_t periods; /* in which its limit was counted */
	uint64_t throttled; /* of them: in which it had used up the limit, and was stopped */
	uint64_t throttled_ns; /* added up over CPUs: may pass the time that there is */
	/* Now, and of no more use than that. In CPU time per second; 0: not known, or none. */
	uint64_t limit_ns, request_ns;
	uint64_t weight; /* cpu.weight; 0: not known */
};

/* The members, as 64-bit figures behind the id. */
#define CTD_THROTTLING_FIGURES (sizeof(struct ctd_throttling) / sizeof(uint64_t) - 1)

/* Sorted by cgroup id, each once. Start from a zeroed struct. */
struct ctd_throttlings {
	struct ctd_throttling *items; /* owned */
	size_t count;
	bool known; /* false: it was not looked for */
};

void ctd_throttlings_free(struct ctd_throttlings *list);
bool ctd_throttlings_are_ordered(const struct ctd_throttlings *list);
/* @return that of the cgroup; NULL: it has no limit, or is not known. */
const struct ctd_throttling *ctd_throttlings_find(const struct ctd_throttlings *list,
						  uint64_t cgroup_id);
/* Adds totals; limit, request and weight are those of @p from. */
void ctd_throttling_add(struct ctd_throttling *to, const struct ctd_throttling *from);
/*
 * What happened between two snapshots. One that is only in @p after counts from 0, and so does one
 * that shrank. @return 0 or -ENOMEM. Not known unless both are.
 */
int ctd_throttlings_subtract(const struct ctd_throttlings *after,
			     const struct ctd_throttlings *before,
			     struct ctd_throttlings *ret_difference);
/* Of an interval and the one that follows it, together. @return 0 or -ENOMEM. Not known unless both
 * are. */
int ctd_throttlings_sum(const struct ctd_throttlings *list, const struct ctd_throttlings *later,
			struct ctd_throttlings *ret_sum);

#endif
