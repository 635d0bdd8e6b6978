/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* rows.h - memory for the rows of an interval. */
#ifndef DECODE_ROWS_H
#define DECODE_ROWS_H

#include <cgtopdown/interval.h>

/* Number of counts of a row: those of all groups. */
static inline size_t ctd_interval_counts(const struct ctd_interval *interval)
{
	return (size_t)interval->groups_count * interval->counters_count;
}

/* Allocates @p count rows, all 0 but for the pointers to their counts, times and, with has_waits,
 * waits, with has_siblings and caches parts. Does not free earlier ones, nor set rows_count.
 * @return 0, or -ENOMEM: the interval is all 0 then. */
int ctd_interval_reserve(struct ctd_interval *interval, size_t count);

/* Allocates what the totals count, all 0. @return as ctd_interval_reserve(). */
int ctd_interval_reserve_totals(struct ctd_interval *interval);

/* Frees what ctd_interval_reserve() allocated; the pointers to it stay. */
void ctd_interval_free_rows(struct ctd_interval *interval);

/* The order of rows in snapshots and intervals. */
int ctd_interval_row_compare(const struct ctd_interval_row *a, const struct ctd_interval_row *b);

/* Makes what health says by ratios from counts and rows, where the first group counted.
 * @p l1_counters: as of ctd_interval_make(). */
void ctd_interval_judge(struct ctd_interval *interval, const int *l1_counters);

/* Copies @p from to @p to, which keeps the pointers to its own counts, times, waits and parts; both
 * are of intervals with the caches of @p interval, where both have some. Counts and times of groups
 * are left to the caller: the two may have other groups. */
void ctd_interval_row_copy_uncounted(const struct ctd_interval_row *from,
				     const struct ctd_interval *interval,
				     struct ctd_interval_row *to);

/* As ctd_interval_row_copy_uncounted(), with counts and times: both have the groups of @p interval,
 * too. */
void ctd_interval_row_copy(const struct ctd_interval_row *from, const struct ctd_interval *interval,
			   struct ctd_interval_row *to);

#endif
