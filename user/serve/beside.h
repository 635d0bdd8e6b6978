/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* beside.h - an interval of the tree's groups of counters and others beside them, taken apart. */
#ifndef SERVE_BESIDE_H
#define SERVE_BESIDE_H

#include <cgtopdown/rollup.h>

/* Start from a zeroed struct; it must stay where it is. */
struct ctd_taken_apart {
	const struct ctd_interval *tree; /* `own`, or the whole interval */
	struct ctd_interval own, beside; /* owned; nothing where there is nothing beside the tree */
	struct ctd_rollup rollup; /* owned; of the tree; has that of the others */
	struct ctd_rollup others; /* owned */
};

/* Groups that are in intervals behind those of the plan. */
struct ctd_groups_beside {
	const struct ctd_rollup_plan *plan; /* borrowed; how they are added up: without a model */
	bool has_slots; /* their leaders count the slots of the other plan's model */
};

/*
 * Adds an interval up by containers. @p plan: of the tree; @p beside: NULL: there are no others.
 * @p interval, plans and identities must outlive the result, which is to be freed in any case.
 * @return as ctd_rollup_make().
 */
int ctd_interval_take_apart(const struct ctd_interval *interval, const struct ctd_rollup_plan *plan,
			    const struct ctd_groups_beside *beside,
			    const struct ctd_identities *identities,
			    struct ctd_taken_apart *ret_apart);
void ctd_taken_apart_free(struct ctd_taken_apart *apart);

#endif
