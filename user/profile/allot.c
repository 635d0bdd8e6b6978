/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* allot.c - divides a total among parts by the largest remainder. */
#include "profile/allot.h"

#include <stdlib.h>

static int compare_fractions(const void *left, const void *right)
{
	const struct ctd_fraction *a = left, *b = right;

	if (a->remainder != b->remainder)
		return a->remainder > b->remainder ? -1 : 1;
	return a->part < b->part ? -1 : a->part > b->part;
}

uint64_t ctd_allot(uint64_t total, const uint64_t *weights, size_t count,
		   struct ctd_fraction *fractions, uint64_t *ret_parts)
{
	unsigned __int128 whole = 0;
	uint64_t left = total;

	for (size_t i = 0; i < count; i++)
		whole += weights[i];
	for (size_t i = 0; i < count; i++) {
		unsigned __int128 product = (unsigned __int128)total * weights[i];

		ret_parts[i] = whole ? (uint64_t)(product / whole) : 0;
		fractions[i].remainder = whole ? product % whole : 0;
		fractions[i].part = i;
		left -= ret_parts[i];
	}
	if (!whole)
		return 0;
	/* Those that get one more are fewer than those that have a remainder. */
	qsort(fractions, count, sizeof(*fractions), compare_fractions);
	for (size_t i = 0; i < left; i++)
		ret_parts[fractions[i].part]++;
	return total;
}
