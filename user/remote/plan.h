/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* plan.h - a view's core types as models, by which its totals are evaluated like counts. */
#ifndef REMOTE_PLAN_H
#define REMOTE_PLAN_H

#include <cgtopdown/rollup.h>

#include "remote/view.h"

/* Of each group of counters, in this order; the leader's counts of all groups are all slots. */
enum {
	CTD_REMOTE_LEADER, /* slots of the time in which the group counted */
	CTD_REMOTE_SLOTS, /* in the first group: all slots, of which the nodes' are shares */
	CTD_REMOTE_NODES, /* in the first group: slots of each node of the tree */
	CTD_REMOTE_IPC = 1, /* in the last group: enum ctd_ipc_count */
};
#define CTD_REMOTE_NODES_MAX (CTD_COUNTERS_MAX - CTD_REMOTE_NODES)

struct ctd_remote_plan;

/*
 * @p ipc: with what is beside the tree, if the view has it. Nothing of the view is kept.
 * @return 0, -ENOMEM, or -EBADMSG: a condition is none, and *ret_why says where.
 */
int ctd_remote_plan_new(const struct ctd_remote_view *view, bool ipc,
			struct ctd_remote_plan **ret_plan, char ret_why[CTD_REMOTE_WHY_BYTES]);
void ctd_remote_plan_free(struct ctd_remote_plan *plan);

const struct ctd_rollup_plan *ctd_remote_plan_rollup(const struct ctd_remote_plan *plan);
/* Which of the core type's nodes each counter from CTD_REMOTE_NODES on is of. @return how many. */
int ctd_remote_plan_nodes(const struct ctd_remote_plan *plan, int core_type, const int **ret_nodes);

/* Has the view nodes whose shares are of no slots, so that totals cannot tell them? */
bool ctd_remote_view_lacks_shares(const struct ctd_remote_view *view);

#endif
