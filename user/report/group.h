/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* group.h - groups of interval rows on their way to rows of a report. Private to user/report/. */
#ifndef REPORT_GROUP_H
#define REPORT_GROUP_H

#include "report/sum.h"
#include <cgtopdown/report.h>
#include <stddef.h>

/* A row of the report and what it is evaluated from. */
struct ctd_group {
	struct ctd_report_row row;
	enum ctd_row_kind kind;
	/* Owned, groups.cores_count: of each kind of cores; NULL: not kept. */
	struct ctd_sum *sums;
	/* Owned: where it ran on several kinds of cores, their rows; `row` is then of all. Names
	 * are NULL. */
	struct ctd_report_row *rows;
	int rows_count;
};

/* Start from a zeroed struct. */
struct ctd_groups {
	struct ctd_group *items; /* owned, with the names of their rows */
	size_t count, capacity;
	int cores_count; /* kinds of cores; 0 is 1 */
	/* Groups are added to one another later, as in a tree or behind its top: else their sums,
	 * which are large, are gone when their figures are known. */
	bool keep_sums;
	bool filtered; /* rows were left out */
};

/* @return a new group, all zero but row.parent and row.dominant, or NULL without memory. */
struct ctd_group *ctd_groups_add(struct ctd_groups *groups);
/* Moves what @p from is and owns to @p to, a group that was just added. */
void ctd_group_move(struct ctd_group *from, struct ctd_group *to);
/* Releases what the group owns. */
void ctd_group_clear(struct ctd_group *group);
void ctd_groups_free(struct ctd_groups *groups);
#define auto_ctd_groups __attribute__((cleanup(ctd_groups_free)))

/* group.c: puts the rows that @p options shows in groups, evaluated by what @p report says; in a
 * tree they are yet to be. @return 0 or -ENOMEM. */
int ctd_groups_make(const struct ctd_interval *interval, const struct ctd_identities *identities,
		    const struct ctd_report_options *options, const struct ctd_report *report,
		    struct ctd_groups *groups);

/* filter.c: true if the user asked to see @p row. @p identity may be NULL. */
bool ctd_report_shows(const struct ctd_report_options *options,
		      const struct ctd_identities *identities, const struct ctd_interval_row *row,
		      const struct ctd_identity *identity);

/* name.c: the name people see, the caller's; uses row.comm. @return NULL without memory. */
char *ctd_group_name(const struct ctd_group *group);

/* evaluate.c: fills the figures of the row from the sums of each kind of cores, by what @p report
 * says of the counters, and makes the rows of these. @return 0 or -ENOMEM. */
int ctd_group_evaluate(struct ctd_group *group, const struct ctd_sum *sums,
		       const struct ctd_report *report);

/* cores.c: fills cores[] from the header; the model is there. @return 0 or -EINVAL. */
int ctd_report_take_cores(const struct ctd_record_header *header, struct ctd_report *report);

/* sort.c: what rows are sorted by. */
struct ctd_sort {
	enum { CTD_SORT_CPU, CTD_SORT_SLOTS, CTD_SORT_NAME, CTD_SORT_NODE } key;
	int node;
};
/* @return 0 or -EINVAL. */
int ctd_sort_parse(const char *text, const struct ctd_cpu_model *model, struct ctd_sort *ret_sort);
/* As for qsort(3). A total order; kernel, idle and other rows come last. */
int ctd_sort_compare(const struct ctd_group *a, const struct ctd_group *b,
		     const struct ctd_sort *sort);
void ctd_sort_groups(struct ctd_groups *groups, const struct ctd_sort *sort);

/* top.c: adds the rows after the first @p top up in one. @return 0 or -ENOMEM. */
int ctd_groups_cut(struct ctd_groups *groups, int top);
/* top.c: the row that stands for @p hidden rows of sums @p sums. @return 0 or -ENOMEM. */
int ctd_groups_add_hidden(struct ctd_groups *groups, size_t hidden, const struct ctd_sum *sums);

/* tree.c: adds the ancestors, and to each cgroup those below it. @return 0 or -ENOMEM. */
int ctd_tree_grow(struct ctd_groups *groups, const struct ctd_identities *identities,
		  uint64_t root_id);
/* order.c: brings named and evaluated groups into tree order. @return 0 or -ENOMEM. */
int ctd_tree_order(struct ctd_groups *groups, const struct ctd_sort *sort, int top);

#endif
