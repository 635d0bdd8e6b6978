/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* divide.c - a whole among parts by their weights, in integers that come to it. */
#include "base/divide.h"

/* Sums and products of 64-bit figures, which a recording may make as large as it likes. */
typedef unsigned __int128 wide;

void ctd_divide(uint64_t whole, const uint64_t *weights, size_t count, uint64_t *ret_parts)
{
	uint64_t left = whole;
	wide weight = 0;

	for (size_t i = 0; i < count; i++)
		weight += weights[i];
	for (size_t i = 0; i < count; i++) {
		ret_parts[i] = weight ? (uint64_t)((wide)left * weights[i] / weight) : 0;
		left -= ret_parts[i];
		weight -= weights[i];
	}
	/* None has a weight. */
	ret_parts[0] += left;
}
