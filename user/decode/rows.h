/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* rows.h - memory for the rows of an interval. */
#ifndef DECODE_ROWS_H
#define DECODE_ROWS_H

#include <cgtopdown/interval.h>

/* How many counts a row has: those of all groups. */
static inline size_t ctd_interval_counts(const struct ctd_interval *interval)
{
	return (size_t)interval->groups_count * interval->counters_count;
}

/* Gives an interval room of its own for @p count rows, all 0 but for where their counts are; those
 * that it may have pointed to are left alone, and rows_count is the caller's. @return 0, or
 * -ENOMEM: it is all 0 then. */
int ctd_interval_reserve(struct ctd_interval *interval, size_t count);

/* All of @p from into @p to, which keeps the place of its own counts, @p counts_count each. */
void ctd_interval_row_copy(const struct ctd_interval_row *from, size_t counts_count,
			   struct ctd_interval_row *to);

#endif
