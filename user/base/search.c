/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* search.c - finds an address among elements that begin with theirs. */
#include "base/search.h"

#include <string.h>

size_t ctd_search_up_to(const void *elements, size_t count, size_t bytes, uint64_t address)
{
	size_t first = 0, above = count;

	/* Those below `first` are not above the address. */
	while (first < above) {
		size_t middle = first + (above - first) / 2;
		uint64_t start;

		memcpy(&start, (const char *)elements + middle * bytes, sizeof(start));
		if (start <= address)
			first = middle + 1;
		else
			above = middle;
	}
	return first;
}
