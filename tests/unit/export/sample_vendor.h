/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sample_vendor.h - a view of a small node with a vendor's metrics. */
#ifndef TESTS_UNIT_EXPORT_SAMPLE_VENDOR_H
#define TESTS_UNIT_EXPORT_SAMPLE_VENDOR_H

#include "unit/ledger/beside.h"

#include "unit/export/sample_view.h"

/* Between new_table() and free_table(). */
static inline void sample_fill_vendor(struct beside *beside, struct book *book)
{
	beside_open(beside, book, (struct ctd_ledger_options){.accounts_max = 10});
	table.metrics[find("first")].unit = "%";
	for (int i = 0; i < 2; i++) {
		book_run_cgroup(book, &sample_web, 400);
		beside_count(beside, book, i ? 60 : 10);
		/* Its turn did not come. */
		book_run_cgroup(book, &sample_unit, 30);
		book_run(book, CTD_ROLLUP_IDLE, 1500);
		beside_add(beside, book);
	}
}

#endif
