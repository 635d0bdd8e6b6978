/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pairs.c - adds up pairs of cgroups by the rows that these belong to. */
#include "rollup/pairs.h"

#include <errno.h>
#include <stdlib.h>

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
		if (pair.victim_id != CTD_ROLLUP_NO_ROW && pair.occupier_id != CTD_ROLLUP_NO_ROW &&
		    pair.victim_id != pair.occupier_id)
			pairs->items[pairs->count++] = pair;
	}
	ctd_pairs_sort(pairs);
	return 0;
}
