/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* columns.h - which columns of the list fit on the screen. */
#ifndef TOP_COLUMNS_H
#define TOP_COLUMNS_H

#include <cgtopdown/report.h>

enum ctd_top_column_kind {
	CTD_TOP_NAME,
	CTD_TOP_CORE,
	CTD_TOP_CPU,
	CTD_TOP_SWITCHES,
	CTD_TOP_SLICES,
	CTD_TOP_BAR,
	CTD_TOP_NODE,
	CTD_TOP_BOTTLENECK,
	CTD_TOP_NOISY,
	CTD_TOP_TREND,
};

struct ctd_top_column {
	enum ctd_top_column_kind kind;
	int node; /* of CTD_TOP_NODE */
	int width; /* without the blank before it */
	const char *title;
	const char *sort; /* what sorts by it; NULL: nothing */
};

struct ctd_top_columns {
	struct ctd_top_column column[CTD_NODES_MAX + 10];
	int count;
	bool path, share; /* the bottleneck has its parents' titles in front, its share behind */
};

/* In so many columns of the screen; at least the name is there. @p name_width: of the longest. */
void ctd_top_columns_make(const struct ctd_report *report, int width, int name_width,
			  struct ctd_top_columns *ret_columns);

#endif
