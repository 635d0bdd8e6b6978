/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* order.c - which rows come first where there is no place for all. */
#include "ledger/add.h"

#include <stdlib.h>

static int compare(const void *first, const void *second)
{
	const struct ctd_addition *a = first, *b = second;

	if (a->placement.rank != b->placement.rank)
		return a->placement.rank > b->placement.rank ? -1 : 1;
	if (a->part->cpu_ns != b->part->cpu_ns)
		return a->part->cpu_ns > b->part->cpu_ns ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

void ctd_additions_order(struct ctd_addition *additions, size_t count)
{
	qsort(additions, count, sizeof(*additions), compare);
}
