/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* table.h - how readers fill a table of events and metrics. */
#ifndef VENDOR_TABLE_H
#define VENDOR_TABLE_H

#include <cgtopdown/vendor.h>

/* An empty one. @return 0 or -ENOMEM. */
int ctd_vendor_table_new(struct ctd_vendor_table *ret_table);

/* A copy of @p text that lives as long as the table; line ends and tabs become blanks. @return NULL
 * without memory. */
const char *ctd_vendor_keep(struct ctd_vendor_table *table, const char *text);

/*
 * Adds an event or a metric, whose strings must be kept; NULL: out of memory. Of two of one name
 * the first stays, with a note where they differ; but an event of the architecture, or without an
 * encoding, gives way. @return 0, -ENOMEM, or -E2BIG: there are too many.
 */
int ctd_vendor_add_event(struct ctd_vendor_table *table, const char *file,
			 const struct ctd_vendor_event *event);
int ctd_vendor_add_metric(struct ctd_vendor_table *table, const struct ctd_vendor_metric *metric);

/* The same as what users of the table get, to be changed. */
struct ctd_vendor_event *ctd_vendor_change_event(struct ctd_vendor_table *table, const char *name);
struct ctd_vendor_metric *ctd_vendor_change_metric(struct ctd_vendor_table *table,
						   const char *name);

/* Leaves a note; beyond some hundreds only their number grows. */
__attribute__((format(printf, 4, 5))) void ctd_vendor_note(struct ctd_vendor_table *table,
							   const char *file, const char *entry,
							   const char *format, ...);

/* tree.c: sets levels and parents, by groups. */
void ctd_vendor_tree_set(struct ctd_vendor_table *table);

#endif
