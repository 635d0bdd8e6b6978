/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sum.h - what the members of a cluster did, as one interval, and which have no figures. */
#ifndef APP_TOP_SUM_H
#define APP_TOP_SUM_H

#include "app/top/member.h"
#include "remote/merge.h"
#include "top/history.h"

/* Start from a zeroed struct. */
struct ctd_top_sum {
	struct ctd_remote_merge merge; /* owned */
	struct ctd_remote_plan *plan; /* a history's, or owned while it is new; NULL: none yet */
	bool is_new_plan;
	struct ctd_remote_interval interval; /* owned */
	bool has_vendor; /* somebody counts metrics of a vendor, too */
	bool has_interval; /* somebody has figures that were not shown */
	uint64_t shown_ns; /* monotonic; of the interval before; 0: there is none */
	struct ctd_top_nodes nodes; /* owned */
};

/* With the lock of the members, of which each has been asked every @p interval_ns. @return 0 or
 * -ENOMEM. */
int ctd_top_sum_make(struct ctd_top_sum *sum, struct ctd_top_member **members, size_t count,
		     uint64_t interval_ns);
/* Puts it into the history, whose lock it takes. @return 0 or -ENOMEM. */
int ctd_top_sum_show(struct ctd_top_sum *sum, struct ctd_top_history *history);
void ctd_top_sum_free(struct ctd_top_sum *sum);

#endif
