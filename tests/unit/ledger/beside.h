/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* beside.h - rollups of a book with what two groups of a vendor's metrics counted of their rows. */
#ifndef TESTS_UNIT_LEDGER_BESIDE_H
#define TESTS_UNIT_LEDGER_BESIDE_H

#include "unit/vendor/counted.h"

#include "unit/ledger/book.h"

#define BESIDE_ROWS 64
#define BESIDE_GROUPS 2
#define BESIDE_COUNTS (BESIDE_GROUPS * CTD_COUNTERS_MAX)

/* Of the rows of the book's next rollup, in their order. */
struct beside {
	struct ctd_rollup_plan plan;
	struct ctd_rollup rollup;
	struct ctd_rollup_row rows[BESIDE_ROWS];
	struct ctd_rollup_part parts[BESIDE_ROWS];
	uint64_t counts[BESIDE_ROWS][BESIDE_COUNTS], ns[BESIDE_ROWS][BESIDE_GROUPS];
};

/* Between new_table() and free_table(), which the book's views do not outlive. */
static inline void beside_open(struct beside *beside, struct book *book,
			       struct ctd_ledger_options options)
{
	add_two_groups();
	*beside = (struct beside){.plan = {.groups_count = BESIDE_GROUPS, .core_types_count = 1}};
	options.vendor = &counting;
	book_open(book, options);
}

/* Of the row that was written last, each group for a quarter of its time: `first` is such a part of
 * the cycles, `second` half of that; in per cent. */
static inline void beside_count(struct beside *beside, const struct book *book, uint64_t first)
{
	size_t row = book->rollup.rows_count - 1;
	uint64_t *count = beside->counts[row];
	uint64_t cycles = book->lines[row]->part.cpu_ns / 1000;
	int events = counting.rotation.events_count;

	assert_true(row < BESIDE_ROWS);
	for (int group = 0; group < BESIDE_GROUPS; group++) {
		count[group * events] = cycles;
		beside->ns[row][group] = book->lines[row]->part.cpu_ns / 4;
	}
	count[place_of(counting.metrics[find("first")].group, "E1")] = cycles * first / 100;
	count[place_of(counting.metrics[find("second")].group, "E5")] = cycles * first / 200;
	beside->parts[row] =
		(struct ctd_rollup_part){.ran = true, .count = count, .group_ns = beside->ns[row]};
}

/* Makes them the book's; begins the next ones. */
static inline const struct ctd_ledger_view *beside_add(struct beside *beside, struct book *book)
{
	const struct ctd_ledger_view *view;

	beside->rollup = (struct ctd_rollup){
		.plan = &beside->plan, .rows = beside->rows, .rows_count = book->rollup.rows_count};
	for (size_t i = 0; i < BESIDE_ROWS; i++)
		beside->rows[i].parts = &beside->parts[i];
	book->rollup.beside = &beside->rollup;
	view = book_add(book);
	book->rollup.beside = NULL;
	memset(beside->parts, 0, sizeof(beside->parts));
	memset(beside->counts, 0, sizeof(beside->counts));
	return view;
}

#endif
