/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* recall.h - what a history says of the time before a view, as intervals. */
#ifndef REMOTE_RECALL_H
#define REMOTE_RECALL_H

#include "remote/interval.h"
#include "remote/past.h"

/* Takes what it wants of the interval, and leaves that empty. @return 0 or negative errno, which
 * ends it. */
typedef int ctd_remote_recall_take(struct ctd_remote_interval *interval, void *context);

/*
 * Hands out an interval of each point in which anything was counted before @p view, the oldest
 * first; none has a part of another's time. Rows are those of the view; what others had is in the
 * row of kind other. Answers do not tell waits, what ran beside, switches, slices, limits, costs
 * and faults: flags say so of the first two, the others are 0. Nor do they tell counts of the
 * general group, of which there is no data then, or whether any were scaled up.
 * @return 0, -ENOMEM, or what @p take returned.
 */
int ctd_remote_recall(const struct ctd_remote_past *past, const struct ctd_remote_view *view,
		      const struct ctd_remote_plan *plan, ctd_remote_recall_take *take,
		      void *context);

#endif
