/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* entries.h - rows of a rollup on their way to rows of a report. Private to user/report/. */
#ifndef REPORT_ENTRIES_H
#define REPORT_ENTRIES_H

#include <cgtopdown/report.h>

/* A row of the rollup, in its place. */
struct ctd_entry {
	size_t row;
	int depth;
	int parent; /* index of an entry before it, -1 */
};

/* Start from a zeroed struct. */
struct ctd_entries {
	struct ctd_rollup *rollup; /* borrowed */
	const struct ctd_report *report; /* borrowed; with the vendors' metrics of the rows */
	char **names; /* owned, with the names: of each row of the rollup, and of one more */
	char (*comms)[CTD_COMM_BYTES]; /* owned; of each row's pid, "" if not known */
	struct ctd_entry *items; /* owned; with room for all rows and one more */
	size_t count;
	bool cut; /* some rows have no entry */
};

/* sort.c: what rows are sorted by. */
struct ctd_sort {
	enum {
		CTD_SORT_CPU,
		CTD_SORT_SLOTS,
		CTD_SORT_NAME,
		CTD_SORT_NODE,
		CTD_SORT_VENDOR,
	} key;
	int index; /* of the plan's columns; of those of vendors' metrics */
};
/* @return 0, or -EINVAL: the plan has no such column, and no such metric of a vendor is counted. */
int ctd_sort_parse(const struct ctd_report_options *options, const struct ctd_rollup_plan *plan,
		   struct ctd_sort *ret_sort);
/* All rows, the largest first; other, kernel and idle last. A total order. *ret_sorted: free(3).
 * @return 0 or -ENOMEM. */
int ctd_sort_rows(const struct ctd_entries *entries, const struct ctd_sort *sort,
		  size_t **ret_sorted);

/* order.c: an entry for each of the first @p top sorted rows (0: all), for what is above them in a
 * tree, and for what is no cgroup; one more for the sum of those cut off. In tree order where the
 * rollup is a tree. @return 0 or -ENOMEM. */
int ctd_entries_order(struct ctd_entries *entries, const size_t *sorted, int top);

/* pairs.c: @p places: of each entry, its row. @return 0 or -ENOMEM. */
int ctd_report_take_pairs(const struct ctd_entries *entries, const size_t *places,
			  struct ctd_report *report);

/* vendor.c: evaluates the vendors' metrics of the rollup's rows from @p from on: of all at first,
 * then of that which was added. @return 0 or -ENOMEM. */
int ctd_report_evaluate_vendor(const struct ctd_rollup *rollup, size_t from,
			       struct ctd_report *report);
/* They become those of a row of the report. */
void ctd_report_take_vendor(const struct ctd_rollup *rollup, size_t row, int core_type,
			    struct ctd_report_row *ret_row);
/* The value in a column, the largest of those of the row's core types; -INFINITY: none is known. */
double ctd_report_vendor_largest(const struct ctd_report *report, const struct ctd_rollup *rollup,
				 size_t row, int column);
/* How many of the groups of @p counting counted of the part, from the first one on. */
int ctd_report_vendor_groups(const struct ctd_rollup_plan *plan, const struct ctd_rollup_part *part,
			     const struct ctd_vendor_counting *counting);
/* drill.c: takes the path of a row into the report. */
void ctd_report_take_drill(struct ctd_report *report, const struct ctd_report_row *row);

/* rows.c: makes the report's rows of the entries. @return 0 or -ENOMEM. */
int ctd_entries_take(const struct ctd_entries *entries, struct ctd_report *report);

#endif
