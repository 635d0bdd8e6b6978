/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* layout.h - what of a report fits in a table of so many columns. */
#ifndef FORMAT_LAYOUT_H
#define FORMAT_LAYOUT_H

#include <cgtopdown/report.h>
#include <cgtopdown/sink.h>
#include <stdbool.h>

/* Which nodes have a column. */
enum ctd_layout_nodes {
	CTD_LAYOUT_ALL, /* all levels of the report */
	CTD_LAYOUT_HALVES, /* of the children of a node the first: where there are two, the other
			      is what remains */
	CTD_LAYOUT_LEVEL1,
};

/* Which IPC metrics, where there are any; never cpi, which is ipc again. */
enum ctd_layout_ipc {
	CTD_LAYOUT_IPC_ALL,
	CTD_LAYOUT_IPC_FEW, /* ipc and ghz */
};

#define CTD_LAYOUT_WAIT_HEAD "WAIT%"
#define CTD_LAYOUT_OTHER_HEAD "OTHER%"
#define CTD_LAYOUT_NOISY_HEAD "NOISY"
#define CTD_LAYOUT_CORE_HEAD "CORE"

struct ctd_layout {
	enum ctd_layout_nodes nodes;
	enum ctd_layout_ipc ipc;
	int name_width;
	int title_width; /* of the bottleneck */
	bool path; /* the bottleneck's title has its parents' in front */
	bool share; /* the bottleneck's share as a number: it may have no column of its own */
	int bar_cells;
};

void ctd_layout_make(const struct ctd_report *report, const struct ctd_sink_options *options,
		     struct ctd_layout *ret_layout);
bool ctd_layout_shows(const struct ctd_layout *layout, const struct ctd_report *report, int node);
/* The part of a row's name that is shown: in a tree, what lies above is in the rows above.
 * Elsewhere the root is what its own tasks did. */
const char *ctd_layout_name(const struct ctd_report *report, const struct ctd_report_row *row);
/* Columns that the branches in front of a name take. */
int ctd_layout_indent(const struct ctd_report_row *row);
/* The bottleneck's title, "BackEnd>MemBound" with path. */
void ctd_layout_title(const struct ctd_report *report, int node, bool path, bool unicode,
		      char *ret_text, size_t bytes);

#endif
