/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* row_code.h - codes the rows of an interval by what they were in the intervals before. */
#ifndef HISTORY_ROW_CODE_H
#define HISTORY_ROW_CODE_H

#include <cgtopdown/interval.h>

#include "history/bits.h"

/* So many figures at most are known of the rows of a chain, whatever a file says: in 128 MB.
 * 131,072 rows of eight counters, level 2 and metrics beside it in three groups, are fewer. */
#define CTD_ROW_FIGURES_MAX ((size_t)8 << 20)

/*
 * What is known of rows from the intervals of a chain, in the same way to who writes and who reads
 * it. A figure is expected to have the ratio to another figure of its row that it had lately: slots
 * to CPU time, a part of the slots to all of them, and a part of a part to that. Written is how far
 * it is from there: as low bits are noise, that is nearly all there is to say. Which figure
 * predicts a count best is found while coding. Start from a zeroed struct.
 */
struct ctd_row_context {
	uint32_t counters_count, groups_count;
	/* Indices of the level-1 counts of the first group that add up to the first one; 0: none. */
	uint64_t l1[4];
	size_t columns; /* figures of a row; 0: the chain begins */
	struct ctd_known_row *known; /* owned; in the order of rows */
	size_t known_count, known_capacity;
	struct ctd_row_figure *figures; /* owned; `columns` of each known row */
	uint64_t *windows; /* owned; decayed sums of window_ns, of each known row */
	struct ctd_row_column *models; /* owned; of each column */
};

/* Begins a chain. @p l1: four indices. @return 0 or -ENOMEM. */
int ctd_row_context_begin(struct ctd_row_context *context, uint32_t counters_count,
			  uint32_t groups_count, const uint64_t l1[4]);
/* Has a chain room for an interval of so many rows? Else it has to end. */
bool ctd_row_context_has_room(const struct ctd_row_context *context, size_t rows_count);
/*
 * Writes the rows of @p interval, or reads them into it: that has no rows, then. @p core_types: a
 * row's is less. @return 0, -ENOMEM, -EFBIG: there are more of them than a chain may have; or
 * -EBADMSG: there are no such rows. After an error the chain cannot go on.
 */
int ctd_rows_code(struct ctd_row_context *context, struct ctd_bits *bits, uint32_t core_types,
		  struct ctd_interval *interval);
void ctd_row_context_free(struct ctd_row_context *context);

#endif
