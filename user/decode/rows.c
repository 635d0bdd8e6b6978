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

void ctd_interval_free(struct ctd_interval *interval)
{
	if (!interval)
		return;
	free(interval->rows);
	free(interval->counts);
	free(interval->waits);
	ctd_throttlings_free(&interval->throttlings);
	ctd_pairs_free(&interval->pairs);
	*interval = (struct ctd_interval){0};
}

int ctd_interval_reserve(struct ctd_interval *interval, size_t count)
{
	size_t each = ctd_interval_counts(interval);

	/* One more, as calloc(0) may be NULL. */
	interval->rows = calloc(count + 1, sizeof(*interval->rows));
	interval->counts = calloc(count + 1, (2 * each + 1) * sizeof(*interval->counts));
	interval->waits = interval->has_waits ? calloc(count + 1, sizeof(*interval->waits)) : NULL;
	if (!interval->rows || !interval->counts || (interval->has_waits && !interval->waits)) {
		ctd_interval_free(interval);
		return -ENOMEM;
	}
	for (size_t i = 0; i < count; i++) {
		interval->rows[i].raw = interval->counts + 2 * each * i;
		interval->rows[i].count = interval->rows[i].raw + each;
		interval->rows[i].waits = interval->waits ? &interval->waits[i] : NULL;
	}
	return 0;
}

void ctd_interval_row_copy(const struct ctd_interval_row *from, size_t counts_count,
			   struct ctd_interval_row *to)
{
	uint64_t *raw = to->raw, *count = to->count;
	struct ctd_waits *waits = to->waits;

	*to = *from;
	to->raw = raw;
	to->count = count;
	to->waits = waits;
	if (waits && from->waits)
		*waits = *from->waits;
	for (size_t i = 0; i < counts_count; i++) {
		raw[i] = from->raw[i];
		count[i] = from->count[i];
	}
}
