/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* allot.h - divides a total among parts, in integers. Private to user/profile/. */
#ifndef PROFILE_ALLOT_H
#define PROFILE_ALLOT_H

#include <stddef.h>
#include <stdint.h>

struct ctd_fraction {
	unsigned __int128 remainder;
	size_t part;
};

/*
 * Divides @p total among @p count parts in proportion to their weights, so that their sum is the
 * total: each gets its share rounded down, and the largest remainders, of equal ones the first, get
 * one more each (Hamilton's method). Where all weights are 0, all parts are 0.
 * @p fractions: memory for @p count of them. @return what was divided: the total, or 0.
 */
uint64_t ctd_allot(uint64_t total, const uint64_t *weights, size_t count,
		   struct ctd_fraction *fractions, uint64_t *ret_parts);

#endif
