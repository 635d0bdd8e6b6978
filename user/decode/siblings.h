/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* siblings.h - the parts of a row of an interval, by what the other hardware thread did. */
#ifndef DECODE_SIBLINGS_H
#define DECODE_SIBLINGS_H

#include <cgtopdown/interval.h>

/* Has no figure of any part shrunk? */
bool ctd_sibling_parts_grew(const struct ctd_sibling_part after[CTD_SIBLINGS],
			    const struct ctd_sibling_part before[CTD_SIBLINGS]);
/* Fills the parts of @p row, whose counts are scaled: theirs come to the same, to the last count. */
void ctd_sibling_parts_subtract(const struct ctd_sibling_part after[CTD_SIBLINGS],
				const struct ctd_sibling_part before[CTD_SIBLINGS],
				uint32_t counters_count, const struct ctd_interval_row *row);

#endif
