/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* told.h - what functions of one row had in ten seconds, as a ledger is told it. */
#ifndef TESTS_UNIT_LEDGER_TOLD_H
#define TESTS_UNIT_LEDGER_TOLD_H

#include "unit/ledger/book.h"

#define TOLD_NS (10 * SECOND_NS)
#define TOLD_MAX 64
#define TOLD_RETIRING 0
#define TOLD_BACKEND (CTD_ROLE_BACKEND_BOUND - CTD_ROLE_RETIRING)

/* It refers to itself: not to be copied. */
struct told {
	struct ctd_functions functions;
	struct ctd_function_row row;
	struct ctd_function_part parts[TOLD_MAX];
};

/* Of a row by its cgroup, or with id 0 by its key; of the ten seconds up to the newest rollup. */
static inline void told_begin(struct told *told, const struct book *book, uint64_t cgroup_id,
			      const char *key)
{
	uint64_t end_ns = book->rollup.realtime_ns;

	*told = (struct told){
		.functions = {.begun_ns = end_ns - TOLD_NS,
			      .end_ns = end_ns,
			      .rows = &told->row,
			      .rows_count = 1},
		.row = {.cgroup_id = cgroup_id, .key = key, .core = "", .parts = told->parts},
	};
}

/* Half of its slots are back-end bound. */
static inline void told_add(struct told *told, const char *name, uint64_t ms, uint64_t samples)
{
	struct ctd_function_part *part = &told->parts[told->row.parts_count++];

	assert_true(told->row.parts_count <= TOLD_MAX);
	*part = (struct ctd_function_part){
		.name = name, .samples = samples, .figures = {.cpu_ns = ms * 1000000}};
	part->figures.slots[TOLD_RETIRING] = ms * SLOTS_PER_MS / 2;
	part->figures.slots[TOLD_BACKEND] = ms * SLOTS_PER_MS / 2;
	told->row.categories_known = 1u << TOLD_RETIRING | 1u << TOLD_BACKEND;
}

static inline void told_take(struct told *told, struct book *book)
{
	assert_int_equal(ctd_ledger_add_functions(book->ledger, &told->functions), 0);
	assert_int_equal(told->functions.rows_taken, told->functions.rows_count);
}

/* NULL: the account has none of that name. */
static inline const struct ctd_function_total *told_find(const struct ctd_account *account,
							 const char *name)
{
	for (size_t i = 0; account->functions && i < account->functions->count; i++)
		if (strcmp(account->functions->items[i].name, name) == 0)
			return &account->functions->items[i];
	return NULL;
}

static inline uint64_t told_ms(const struct ctd_account *account, const char *name)
{
	const struct ctd_function_total *total = told_find(account, name);

	assert_non_null(total);
	return total->figures.cpu_ns / 1000000;
}

#endif
