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
	char **names; /* owned, with the names: of each row of the rollup, and of one more */
	char (*comms)[CTD_COMM_BYTES]; /* owned; of each row's pid, "" if not known */
	struct ctd_entry *items; /* owned; with room for all rows and one more */
	size_t count;
	bool cut; /* some rows have no entry */
};

/* sort.c: what rows are sorted by. */
struct ctd_sort {
	enum { CTD_SORT_CPU, CTD_SORT_SLOTS, CTD_SORT_NAME, CTD_SORT_NODE } key;
	int node; /* of the plan's columns */
};
/* @return 0 or -EINVAL. */
int ctd_sort_parse(const char *text, const struct ctd_cpu_model *model, struct ctd_sort *ret_sort);
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

/* vendor.c: memory for @p rows rows; and the metrics of one. @return 0 or -ENOMEM. */
int ctd_report_reserve_vendor(struct ctd_report *report, size_t rows);
void ctd_report_take_vendor(struct ctd_report *report, const struct ctd_rollup_plan *plan,
			    const struct ctd_rollup_part *part, struct ctd_report_row *row);

/* rows.c: makes the report's rows of the entries. @return 0 or -ENOMEM. */
int ctd_entries_take(const struct ctd_entries *entries, struct ctd_report *report);

#endif
