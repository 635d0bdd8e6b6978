/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* trend.h - what rows did in the time before. */
#ifndef TOP_TREND_H
#define TOP_TREND_H

#include "top/history.h"
#include "top/row_key.h"

/* How far trends go back. */
#define CTD_TOP_TREND_NS 60000000000ull

/* The CPUs that the row of @p key had of a core type, -1: of all, in each of @p cells parts of the
 * minute that ends with @p frame; NaN: nothing is known of that time. @return the largest, 0 if
 * there is none. */
double ctd_top_trend(struct ctd_top_history *history, const struct ctd_top_frame *frame,
		     struct ctd_top_grouping grouping, uint64_t key, int core_type, int cells,
		     double *ret_cpus);

/* Calls @p take for each frame of that minute, the oldest first, with the part of the minute that
 * it is: 0 is its begin, 1 its end. */
typedef void ctd_top_trend_take(struct ctd_top_frame *frame, double from, double to, void *context);
void ctd_top_trend_each(struct ctd_top_history *history, const struct ctd_top_frame *frame,
			ctd_top_trend_take *take, void *context);

/* Goes on to the next cell, of @p cells in the minute, that has some of the time between @p from and
 * @p to, where *cell is -1 at first. @return the part of the cell that this is, 0: there is none. */
double ctd_top_trend_next(int cells, double from, double to, int *cell);

/* What the row of @p key did on a core type in @p frame. Borrowed until it is asked for another. */
const struct ctd_top_point *ctd_top_point_get(struct ctd_top_history *history,
					      struct ctd_top_frame *frame,
					      struct ctd_top_grouping grouping, uint64_t key,
					      int core_type);

#endif
