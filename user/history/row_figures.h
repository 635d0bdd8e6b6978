/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* row_figures.h - a row of an interval as a list of figures, each with the one that predicts it. */
#ifndef HISTORY_ROW_FIGURES_H
#define HISTORY_ROW_FIGURES_H

#include <cgtopdown/interval.h>

enum {
	CTD_ROW_FLAGS, /* quality, and which of the figures below are not what others say */
	CTD_ROW_ONCPU,
	CTD_ROW_RUNNING,
	CTD_ROW_SLICES,
	CTD_ROW_SWITCHES,
	/* Raw counts; behind them as many scaled ones, and two times of each group. */
	CTD_ROW_RAW,
};

/* What predicts a figure, if no other one does. */
#define CTD_ROW_BASE_NONE UINT16_MAX /* it is what it was */
#define CTD_ROW_BASE_WINDOW (UINT16_MAX - 1) /* the time of the interval */

size_t ctd_row_columns(uint32_t counters_count, uint32_t groups_count);
size_t ctd_row_base(size_t column, uint32_t counters_count, uint32_t groups_count);
void ctd_row_to_values(const struct ctd_interval_row *row, uint32_t counters_count,
		       uint32_t groups_count, uint64_t *ret_values);
/* The figure follows from earlier ones, by the row's flags: it is set. @p counts: of all groups. */
bool ctd_row_follows(uint64_t *values, size_t column, size_t counts, uint32_t groups_count);
/* All but what tells the row from others. @return false: there is no such row. */
bool ctd_row_from_values(const uint64_t *values, uint32_t counters_count, uint32_t groups_count,
			 struct ctd_interval_row *row);

#endif
