/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pairs.c - adds up pairs of cgroups by the rows that these belong to. */
#include "rollup/pairs.h"

#include <errno.h>
#include <stdlib.h>

#include "base/divide.h"

static int compare_cgroup(const void *key, const void *element)
{
	const struct ctd_interval_row *row = element;
	uint64_t cgroup_id = *(const uint64_t *)key;

	if (row->kind != CTD_ROW_CGROUP)
		return -1;
	return (cgroup_id > row->cgroup_id) - (cgroup_id < row->cgroup_id);
}

/* @return CTD_ROLLUP_NO_ROW for kernel threads, and for what did nothing in the interval. */
static uint32_t row_of(const struct ctd_interval *interval, const struct ctd_rollup *rollup,
		       uint64_t cgroup_id)
{
	const struct ctd_interval_row *row =
		interval->rows_count ? bsearch(&cgroup_id, interval->rows, interval->rows_count,
					       sizeof(*row), compare_cgroup)
				     : NULL;

	return row ? rollup->row_of[row - interval->rows] : CTD_ROLLUP_NO_ROW;
}

/* Takes @p amount, or what there is, of a figure of the row's parts. On which core types it was is
 * not known: of each as much as it has of the whole. */
static void take_figure(struct ctd_rollup_part *parts, size_t types, int figure, uint64_t amount,
			uint64_t *ret_taken)
{
	uint64_t has[CTD_CORE_TYPES_MAX] = {0}, all = 0;

	for (size_t i = 0; i < types; i++) {
		has[i] = ctd_waits_get(parts[i].waits, figure);
		all += has[i];
	}
	ctd_divide(amount < all ? amount : all, has, types, ret_taken);
	for (size_t i = 0; i < types; i++)
		ctd_waits_set(parts[i].waits, figure, has[i] - ret_taken[i]);
}

/* What cgroups of one row waited for each other is the row's own doing. */
static void add_own(struct ctd_rollup *rollup, const struct ctd_pair *pair)
{
	size_t types = (size_t)rollup->plan->core_types_count;
	struct ctd_rollup_part *parts = &rollup->parts[pair->victim_id * types];
	uint64_t taken[CTD_CORE_TYPES_MAX];

	if (!rollup->waits)
		return;
	take_figure(parts, types, CTD_WAITS_PREEMPTED_BY_OTHER, pair->preempted, taken);
	take_figure(parts, types, CTD_WAITS_PREEMPTED_OTHERS, pair->preempted, taken);
	take_figure(parts, types, CTD_WAIT_OTHER, pair->wait_ns, taken);
	for (size_t i = 0; i < types; i++)
		parts[i].waits->ns[CTD_WAIT_OWN] += taken[i];
}

int ctd_rollup_add_pairs(const struct ctd_interval *interval, struct ctd_rollup *rollup)
{
	struct ctd_pairs *pairs = &rollup->pairs;

	/* Which process of a cgroup waited is not known, nor what lies in one that waits. */
	if (!interval->pairs.count || rollup->tree || rollup->by == CTD_GROUP_PROCESS ||
	    rollup->by == CTD_GROUP_TASK)
		return 0;
	pairs->items = calloc(interval->pairs.count, sizeof(*pairs->items));
	if (!pairs->items)
		return -ENOMEM;
	for (size_t i = 0; i < interval->pairs.count; i++) {
		struct ctd_pair pair = interval->pairs.items[i];

		if (!pair.victim_id) {
			rollup->evicted_pairs = pair;
			continue;
		}
		pair.victim_id = row_of(interval, rollup, pair.victim_id);
		pair.occupier_id = row_of(interval, rollup, pair.occupier_id);
		if (pair.victim_id == CTD_ROLLUP_NO_ROW || pair.occupier_id == CTD_ROLLUP_NO_ROW)
			continue;
		if (pair.victim_id == pair.occupier_id)
			add_own(rollup, &pair);
		else
			pairs->items[pairs->count++] = pair;
	}
	ctd_pairs_sort(pairs);
	return 0;
}
