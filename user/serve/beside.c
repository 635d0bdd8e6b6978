/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* beside.c - takes an interval apart: what the tree's groups of counters counted, and what others
 * did, each added up. */
#include "serve/beside.h"

#include <errno.h>

static const struct ctd_rollup_options by_container = {.by = CTD_GROUP_CONTAINER};

/* Those of @p plan: from @p first on. */
static int take(const struct ctd_interval *interval, const struct ctd_rollup_plan *plan,
		uint32_t first, bool whole, struct ctd_interval *ret_interval)
{
	struct ctd_group_place places[CTD_ROTATION_GROUPS_MAX] = {0};

	for (uint32_t group = 0; group < (uint32_t)plan->groups_count; group++)
		places[first + group] =
			(struct ctd_group_place){group, (uint32_t)plan->counters_count};
	return ctd_interval_place_groups(interval, places, (uint32_t)plan->groups_count,
					 (uint32_t)plan->counters_count, whole, ret_interval);
}

/* The tree's groups are the first, and may be narrower. */
static int split(const struct ctd_interval *interval, const struct ctd_rollup_plan *plan,
		 const struct ctd_groups_beside *beside, struct ctd_taken_apart *apart)
{
	uint32_t own = (uint32_t)plan->groups_count;
	int error;

	if (interval->groups_count != own + (uint32_t)beside->plan->groups_count)
		return -EBADMSG;
	error = take(interval, plan, 0, true, &apart->own);
	if (error)
		return error;
	apart->tree = &apart->own;
	return take(interval, beside->plan, own, false, &apart->beside);
}

int ctd_interval_take_apart(const struct ctd_interval *interval, const struct ctd_rollup_plan *plan,
			    const struct ctd_groups_beside *beside,
			    const struct ctd_identities *identities,
			    struct ctd_taken_apart *ret_apart)
{
	int error = 0;

	ret_apart->tree = interval;
	if (beside)
		error = split(interval, plan, beside, ret_apart);
	if (!error)
		error = ctd_rollup_make(plan, ret_apart->tree, identities, &by_container,
					&ret_apart->rollup);
	if (error || !beside)
		return error;
	error = ctd_rollup_make(beside->plan, &ret_apart->beside, identities, &by_container,
				&ret_apart->others);
	if (error)
		return error;
	/* It has the rows of the same interval, in the same order. */
	ret_apart->rollup.beside = &ret_apart->others;
	if (beside->has_slots)
		ctd_rollup_add_slots(&ret_apart->rollup, &ret_apart->others, &ret_apart->beside);
	return 0;
}

void ctd_taken_apart_free(struct ctd_taken_apart *apart)
{
	ctd_rollup_free(&apart->rollup);
	ctd_rollup_free(&apart->others);
	ctd_interval_free(&apart->own);
	ctd_interval_free(&apart->beside);
	*apart = (struct ctd_taken_apart){0};
}
