/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pairs.c - pairs of a rollup's rows become pairs of a report's. */
#include <errno.h>
#include <stdlib.h>

#include "base/auto.h"
#include "report/entries.h"

#define NO_PLACE SIZE_MAX

static int by_victim_then_time(const void *left, const void *right)
{
	const struct ctd_pair *a = left, *b = right;

	if (a->victim_id != b->victim_id)
		return a->victim_id < b->victim_id ? -1 : 1;
	if (a->wait_ns != b->wait_ns)
		return a->wait_ns > b->wait_ns ? -1 : 1;
	return ctd_pair_compare(a, b);
}

/* The row of the report for each of the rollup's; those cut off are in the sum of them. @return
 * NULL without memory. */
static size_t *place_rows(const struct ctd_entries *entries, const size_t *places,
			  const struct ctd_report *report)
{
	size_t count = entries->rollup->rows_count, hidden = NO_PLACE;
	size_t *place_of = calloc(count + 1, sizeof(*place_of));

	for (size_t i = 0; i < report->rows_count; i++)
		if (report->rows[i].hidden_sum && hidden == NO_PLACE)
			hidden = i;
	for (size_t i = 0; place_of && i < count; i++)
		place_of[i] = hidden;
	for (size_t i = 0; place_of && i < entries->count; i++)
		place_of[entries->items[i].row] = places[i];
	return place_of;
}

int ctd_report_take_pairs(const struct ctd_entries *entries, const size_t *places,
			  struct ctd_report *report)
{
	autofree size_t *place_of = place_rows(entries, places, report);
	struct ctd_pairs *pairs = &report->pairs;
	size_t count = 0;

	if (!place_of || ctd_pairs_copy(&entries->rollup->pairs, pairs))
		return -ENOMEM;
	for (size_t i = 0; i < pairs->count; i++) {
		struct ctd_pair pair = pairs->items[i];

		pair.victim_id = place_of[pair.victim_id];
		pair.occupier_id = place_of[pair.occupier_id];
		if (pair.victim_id != NO_PLACE && pair.occupier_id != NO_PLACE &&
		    pair.victim_id != pair.occupier_id)
			pairs->items[count++] = pair;
	}
	pairs->count = count;
	ctd_pairs_sort(pairs);
	qsort(pairs->items, pairs->count, sizeof(*pairs->items), by_victim_then_time);
	return 0;
}
