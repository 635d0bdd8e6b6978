/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* search.h - finds an address among elements that begin with theirs. */
#ifndef BASE_SEARCH_H
#define BASE_SEARCH_H

#include <stddef.h>
#include <stdint.h>

/* How many of @p count elements of @p bytes each are not above @p address: their first member is an
 * address of 64 bits, by which they are in order. So the last of them is the one before. */
size_t ctd_search_up_to(const void *elements, size_t count, size_t bytes, uint64_t address);

#endif
