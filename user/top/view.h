/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* view.h - a frame as the screen wants it: grouped, sorted, filtered, folded. */
#ifndef TOP_VIEW_H
#define TOP_VIEW_H

#include <cgtopdown/report.h>

#include "top/history.h"

/* A line of the list. */
struct ctd_top_line {
	size_t row; /* of the report */
	uint64_t key; /* of the row; its core types share it */
	uint64_t id; /* the line's own */
	int trend_core_type; /* of one of several lines of core types; -1: all */
	bool has_parts, folded;
};

/* Borrows from the history: it is for as long as its lock is held. */
struct ctd_top_view {
	struct ctd_top_history *history;
	struct ctd_top_frame *frame; /* NULL: there is none yet, and nothing below */
	size_t place; /* the frame's, among history->count */
	struct ctd_rollup rollup; /* owned */
	struct ctd_report report; /* owned */
	/* What lines are sorted by, as in the state: by CPU time where it is not what that wants,
	 * which is not counted, or is of no tree. Borrowed, of the state. */
	const char *sort;
	struct ctd_top_line *lines; /* owned */
	size_t lines_count;
	size_t hidden; /* lines that the filter does not let through */
	struct ctd_report_sum sum; /* of all lines, hidden ones too */
	/* Borrowed, set before it is drawn: of the row that has its own screen; NULL: the source
	 * has none. */
	const struct ctd_top_functions *functions;
};

struct ctd_top_state;
/* @return 0 or -ENOMEM. */
int ctd_top_view_make(struct ctd_top_history *history, const struct ctd_top_state *state,
		      struct ctd_top_view *ret_view);
void ctd_top_view_free(struct ctd_top_view *view);

/* The line of that id; lines_count: there is none. */
size_t ctd_top_view_find(const struct ctd_top_view *view, uint64_t id);
const struct ctd_report_row *ctd_top_view_row(const struct ctd_top_view *view, size_t line);

/* By what holds rows back, and how much: no report is sorted so. */
#define CTD_TOP_SORT_BOTTLENECK "bottleneck"
/* What can be sorted by, by number; NULL after the last. */
const char *ctd_top_view_sort(const struct ctd_top_view *view, int number);

#endif
