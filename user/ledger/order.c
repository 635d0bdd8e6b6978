/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* order.c - which rows come first where there is no place for all. */
#include "ledger/ledger.h"

#include <errno.h>
#include <stdlib.h>

static int compare(const void *first, const void *second, void *context)
{
	const struct ctd_report *report = context;
	size_t a = *(const size_t *)first, b = *(const size_t *)second;

	if (report->rows[a].cpu_s != report->rows[b].cpu_s)
		return report->rows[a].cpu_s > report->rows[b].cpu_s ? -1 : 1;
	return a < b ? -1 : a > b;
}

int ctd_rows_by_cpu(const struct ctd_report *report, size_t **ret_order)
{
	size_t *order = calloc(report->rows_count + 1, sizeof(*order));

	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < report->rows_count; i++)
		order[i] = i;
	qsort_r(order, report->rows_count, sizeof(*order), compare, (void *)report);
	*ret_order = order;
	return 0;
}
