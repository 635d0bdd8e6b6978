/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* unwind_ranges.c - which places of the kernel's array of mappings are free. */
#include "app/profile/unwind_ranges.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

/* What a place is. A drain is over that may have begun before, when it is called for the first
 * time. */
enum { FREE, GIVEN_BACK_BEFORE, GIVEN_BACK, TAKEN };

/* @return CTD_MAPPINGS_MAX: there are none from @p from on, below @p end. */
static uint32_t find(const struct ctd_unwind_ranges *ranges, uint32_t from, uint32_t end,
		     uint32_t count)
{
	uint32_t run = 0;

	for (uint32_t i = from; i < end; i++) {
		run = ranges->places[i] == FREE ? run + 1 : 0;
		if (run == count)
			return i + 1 - count;
	}
	return CTD_MAPPINGS_MAX;
}

int ctd_unwind_ranges_take(struct ctd_unwind_ranges *ranges, uint32_t count, uint32_t *ret_first)
{
	uint32_t first;

	if (ranges->lacking && count >= ranges->lacking)
		return -ENOSPC;
	first = find(ranges, ranges->next, CTD_MAPPINGS_MAX, count);
	/* Not where it went on the last time, so from the beginning. */
	if (first == CTD_MAPPINGS_MAX)
		first = find(ranges, 0, CTD_MAPPINGS_MAX, count);
	if (first == CTD_MAPPINGS_MAX) {
		ranges->lacking = count;
		return -ENOSPC;
	}
	memset(ranges->places + first, TAKEN, count);
	ranges->next = first + count;
	*ret_first = first;
	return 0;
}

void ctd_unwind_ranges_give_back(struct ctd_unwind_ranges *ranges, uint32_t first, uint32_t count)
{
	bool none = ranges->given_back_first == ranges->given_back_end;

	if (!count)
		return;
	memset(ranges->places + first, GIVEN_BACK, count);
	if (none || first < ranges->given_back_first)
		ranges->given_back_first = first;
	if (none || first + count > ranges->given_back_end)
		ranges->given_back_end = first + count;
}

void ctd_unwind_ranges_drained(struct ctd_unwind_ranges *ranges)
{
	uint32_t first = 0, end = 0;

	for (uint32_t i = ranges->given_back_first; i < ranges->given_back_end; i++) {
		unsigned char *place = &ranges->places[i];

		if (*place != GIVEN_BACK && *place != GIVEN_BACK_BEFORE)
			continue;
		if (--*place == FREE) {
			ranges->lacking = 0;
			continue;
		}
		first = end ? first : i;
		end = i + 1;
	}
	ranges->given_back_first = first;
	ranges->given_back_end = end;
}
