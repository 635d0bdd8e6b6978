/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* divide.h - a whole among parts by their weights, in integers that come to it. */
#ifndef BASE_DIVIDE_H
#define BASE_DIVIDE_H

#include <stddef.h>
#include <stdint.h>

/*
 * The last part with a weight has what is left by rounding. Without any weight the first has all. A
 * part of no more than the sum of weights is no more than its weight. @p count: at least 1.
 */
void ctd_divide(uint64_t whole, const uint64_t *weights, size_t count, uint64_t *ret_parts);

#endif
