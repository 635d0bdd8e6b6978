/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* merge.h - how the machines of a cluster are counted: the core types of all, each once. */
#ifndef REMOTE_MERGE_H
#define REMOTE_MERGE_H

#include "remote/interval.h"

/*
 * Core types only come, so that what was shown of one machine stays where it is when another one
 * fails or changes: where there is no room, begin anew with those that are there. Slots of two
 * designs are never added up: each has rows of its own, as core types of one processor have. Start
 * from a zeroed struct.
 */
struct ctd_remote_merge {
	struct ctd_remote_view types; /* owned; without rows */
	bool general[CTD_CORE_TYPES_MAX]; /* of each core type: is what is beside the tree there? */
};

/*
 * Finds the core types of @p view, and adds those that are not there.
 * @return 0, with the place of each in @p ret_core_type; 1: the same, and there are more than
 * before, or the plan is another one for another reason; -ENOMEM; or, with *ret_why and nothing
 * added, -ENOSPC: there is no room for them, or as ctd_remote_plan_new().
 */
int ctd_remote_merge_add(struct ctd_remote_merge *merge, const struct ctd_remote_view *view,
			 int ret_core_type[CTD_CORE_TYPES_MAX], char ret_why[CTD_REMOTE_WHY_BYTES]);
/* As ctd_remote_plan_new(): a plan of all core types so far. */
int ctd_remote_merge_plan(const struct ctd_remote_merge *merge, struct ctd_remote_plan **ret_plan,
			  char ret_why[CTD_REMOTE_WHY_BYTES]);
void ctd_remote_merge_free(struct ctd_remote_merge *merge);

#endif
