/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor_csv.h - vendors' metrics of a row as fields of CSV. */
#ifndef FORMAT_VENDOR_CSV_H
#define FORMAT_VENDOR_CSV_H

#include <cgtopdown/report.h>

#include "base/strbuf.h"

/* Columns of each metric that was asked for, also of those that are not counted here: they depend
 * on what was asked for, not on what the kernel refuses. Where cores differ, of each metric that
 * some core type has. Then their coverage, and names of those that are worth a look, and with a
 * drill the path of each row. */
void ctd_vendor_csv_add_head(struct ctd_strbuf *out, const struct ctd_report *report);
/* Their figures. @p row NULL: it has none of them. */
void ctd_vendor_csv_add_row(struct ctd_strbuf *out, const struct ctd_report *report,
			    const struct ctd_report_row *row);

#endif
