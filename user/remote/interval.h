/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* interval.h - the difference of two views, as if it had been counted here. */
#ifndef REMOTE_INTERVAL_H
#define REMOTE_INTERVAL_H

#include <cgtopdown/identity.h>
#include <cgtopdown/rollup.h>

#include "remote/plan.h"

struct ctd_remote_interval {
	struct ctd_interval interval; /* owned */
	struct ctd_identities *identities; /* owned; by ids that are made up */
};

/* What happened on one machine. */
struct ctd_remote_span {
	const struct ctd_remote_view *before, *after; /* two views of one run and one plan */
	const char *node; /* its name, borrowed; NULL: there is one machine only */
	int core_type[CTD_CORE_TYPES_MAX]; /* of each of its core types: the one of the plan */
};

/*
 * Spans of several machines as one interval of @p window_ns, which is not 0. Machines share no row.
 * A span of another length is scaled to @p window_ns, so that its rates are kept.
 * @return 0 or -ENOMEM.
 */
int ctd_remote_interval_merge(const struct ctd_remote_plan *plan,
			      const struct ctd_remote_span *spans, size_t count, uint64_t window_ns,
			      uint64_t realtime_ns, struct ctd_remote_interval *ret_interval);

/*
 * What happened from @p before to @p after: two views of one run and one plan. The slots of all
 * rows and unattributed ones are those of the node: what has gone from the views in between is in
 * the row of kind other. @return 0 or -ENOMEM.
 */
int ctd_remote_interval_make(const struct ctd_remote_plan *plan,
			     const struct ctd_remote_view *before,
			     const struct ctd_remote_view *after,
			     struct ctd_remote_interval *ret_interval);
void ctd_remote_interval_free(struct ctd_remote_interval *interval);

/* As ctd_rollup_make(), of rows that have no cgroup ids. The interval must outlive the rollup. */
int ctd_remote_rollup_make(const struct ctd_remote_plan *plan,
			   const struct ctd_remote_interval *interval,
			   const struct ctd_rollup_options *options, struct ctd_rollup *ret_rollup);

#endif
