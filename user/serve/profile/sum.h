/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sum.h - what was counted and sampled in a time, added up interval by interval. */
#ifndef SERVE_PROFILE_SUM_H
#define SERVE_PROFILE_SUM_H

#include <cgtopdown/interval.h>
#include <cgtopdown/stacks.h>

/* Functions and stacks of one sum, each: some 4 MB. What is more is in `other`, with its sums. */
#define CTD_PROFILE_ELEMENTS_MAX 10000

/* Start from a zeroed struct. */
struct ctd_profile_sum {
	struct ctd_interval interval; /* owned; without groups: nothing yet */
	struct ctd_stacks *stacks; /* owned; NULL: none yet */
	uint64_t begin_ns, end_ns; /* monotonic */
};

/* Adds an interval that ended at @p end_ns, and what was sampled in it; NULL: nothing was. @return
 * 0, -ENOMEM, or -EBADMSG: other counters. */
int ctd_profile_sum_add(struct ctd_profile_sum *sum, const struct ctd_interval *interval,
			const struct ctd_stacks *stacks, uint64_t end_ns);
/* Samples whose stacks found no room. */
uint64_t ctd_profile_sum_other(const struct ctd_profile_sum *sum);
void ctd_profile_sum_free(struct ctd_profile_sum *sum);

#endif
