/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* rows.c - memory of an interval's rows. */
/*
 * A row has room for the counts in use only. Room for the most that there may be made each row six
 * times as large, and writing and reading that took longer than all arithmetic.
 */
#include "rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void ctd_interval_free_rows(struct ctd_interval *interval)
{
	free(interval->rows);
	free(interval->counts);
	free(interval->waits);
	free(interval->siblings);
	free(interval->cache_ns);
}

void ctd_interval_free(struct ctd_interval *interval)
{
	if (!interval)
		return;
	ctd_interval_free_rows(interval);
	free(interval->total_counts);
	ctd_throttlings_free(&interval->throttlings);
	ctd_pairs_free(&interval->pairs);
	*interval = (struct ctd_interval){0};
}

int ctd_interval_reserve(struct ctd_interval *interval, size_t count)
{
	size_t counts = ctd_interval_counts(interval), groups = interval->groups_count;
	size_t each = 2 * (counts + groups), caches = ctd_caches_parts(&interval->caches);

	/* One more, as calloc(0) may be NULL. */
	interval->rows = calloc(count + 1, sizeof(*interval->rows));
	interval->counts = calloc(count + 1, (each + 1) * sizeof(*interval->counts));
	interval->waits = interval->has_waits ? calloc(count + 1, sizeof(*interval->waits)) : NULL;
	interval->siblings = interval->has_siblings
				     ? calloc(count + 1, CTD_SIBLINGS * sizeof(*interval->siblings))
				     : NULL;
	interval->cache_ns =
		caches ? calloc(count + 1, caches * sizeof(*interval->cache_ns)) : NULL;
	if (!interval->rows || !interval->counts || (interval->has_waits && !interval->waits) ||
	    (interval->has_siblings && !interval->siblings) || (caches && !interval->cache_ns)) {
		ctd_interval_free(interval);
		return -ENOMEM;
	}
	for (size_t i = 0; i < count; i++) {
		struct ctd_interval_row *row = &interval->rows[i];

		row->raw = interval->counts + each * i;
		row->count = row->raw + counts;
		row->group_ns = row->count + counts;
		row->count_ns = row->group_ns + groups;
		row->waits = interval->waits ? &interval->waits[i] : NULL;
		row->siblings = interval->siblings ? &interval->siblings[i * CTD_SIBLINGS] : NULL;
		row->cache_ns = caches ? &interval->cache_ns[i * caches] : NULL;
	}
	return 0;
}

int ctd_interval_reserve_totals(struct ctd_interval *interval)
{
	size_t each = ctd_interval_counts(interval);
	uint64_t *at = calloc(CTD_CORE_TYPES_MAX, (3 * each + 1) * sizeof(*at));

	if (!at) {
		ctd_interval_free(interval);
		return -ENOMEM;
	}
	interval->total_counts = at;
	for (int core = 0; core < CTD_CORE_TYPES_MAX; core++, at += 3 * each) {
		interval->totals[core].total = at;
		interval->totals[core].unattributed = at + each;
		interval->totals[core].residual = (int64_t *)at + 2 * each;
	}
	return 0;
}

void ctd_interval_row_copy_uncounted(const struct ctd_interval_row *from,
				     const struct ctd_interval *interval,
				     struct ctd_interval_row *to)
{
	const struct ctd_interval_row own = *to;

	*to = *from;
	to->raw = own.raw;
	to->count = own.count;
	to->group_ns = own.group_ns;
	to->count_ns = own.count_ns;
	to->waits = own.waits;
	to->siblings = own.siblings;
	to->cache_ns = own.cache_ns;
	if (to->waits && from->waits)
		*to->waits = *from->waits;
	if (to->siblings && from->siblings)
		memcpy(to->siblings, from->siblings, CTD_SIBLINGS * sizeof(*to->siblings));
	if (to->cache_ns && from->cache_ns)
		memcpy(to->cache_ns, from->cache_ns,
		       ctd_caches_parts(&interval->caches) * sizeof(*to->cache_ns));
}

void ctd_interval_row_copy(const struct ctd_interval_row *from, const struct ctd_interval *interval,
			   struct ctd_interval_row *to)
{
	size_t counts = ctd_interval_counts(interval);

	ctd_interval_row_copy_uncounted(from, interval, to);
	for (size_t i = 0; i < counts; i++) {
		to->raw[i] = from->raw[i];
		to->count[i] = from->count[i];
	}
	for (size_t group = 0; group < interval->groups_count; group++) {
		to->group_ns[group] = from->group_ns[group];
		to->count_ns[group] = from->count_ns[group];
	}
}
