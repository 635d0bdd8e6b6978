/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* page.h - the parts of the page for people. */
#ifndef EXPORT_PAGE_H
#define EXPORT_PAGE_H

#include <cgtopdown/export.h>

#include "base/strbuf.h"

/* More would make it long; who wants all reads /metrics. */
#define CTD_PAGE_ROWS_MAX 50
#define CTD_PAGE_PARTS_MAX 8

/* The nodes of level 1 that some account has, by name: the columns of the table. */
struct ctd_page_parts {
	const struct ctd_node *node[CTD_PAGE_PARTS_MAX];
	size_t count;
};

/* page_style.c */
extern const char ctd_page_style[];

/* page_facts.c: what runs here, on what, and what it costs. */
void ctd_page_add_facts(struct ctd_strbuf *page, const struct ctd_ledger_view *view,
			const struct ctd_self *self);

/* page_table.c: who uses the CPUs, and where their slots go. @return 0 or -ENOMEM. */
int ctd_page_add_table(struct ctd_strbuf *page, const struct ctd_ledger_view *view,
		       const struct ctd_page_parts *parts);
/* The class that gives a part its colour. */
const char *ctd_page_colour(const struct ctd_node *node);

#endif
