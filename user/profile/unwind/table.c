/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* table.c - the unwind table of an executable, in the words that profile_abi.h lays out. */
#include "profile/unwind/table.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "profile/unwind/instructions.h"

#define PAGE_BYTES (UINT64_C(1) << CTD_UNWIND_PAGE_BITS)
/* Between two functions there are bytes that nothing runs, so that the second is aligned: no row is
 * spent on them. */
#define PADDING_MAX 15
/* A table of as many rows as there may be has some four of each. */
#define FUNCTIONS_MAX (CTD_UNWIND_WORDS_MAX / 4)

struct function {
	uint64_t start;
	uint32_t bytes;
	uint32_t first_row;
	uint32_t rows_count;
};

/* A row as it is read: functions are in no order. */
struct read_row {
	uint32_t offset; /* from the function's start */
	uint16_t rule;
};

struct maker {
	const struct ctd_unwind_source *source;
	struct ctd_unwind_rules *rules;
	size_t rules_left; /* that may be added */
	struct function *functions; /* owned */
	size_t functions_count, functions_capacity;
	struct read_row *rows; /* owned */
	size_t rows_count, rows_capacity;
	struct ctd_unwind_table table; /* owned */
	size_t words_capacity;
	uint64_t first_page;
	uint64_t page; /* that is written, from first_page on */
	uint16_t rule; /* that holds at the end of what was written */
};

static void maker_free(struct maker *maker)
{
	free(maker->functions);
	free(maker->rows);
	ctd_unwind_table_free(&maker->table);
}

/* Makes room for one more of @p count elements. @return 0 or -ENOMEM. */
static int grow(void *array, size_t count, size_t *capacity, size_t element_bytes)
{
	size_t wanted = *capacity ? 2 * *capacity : 1024;
	void *grown;

	if (count < *capacity)
		return 0;
	grown = reallocarray(*(void **)array, wanted, element_bytes);
	if (!grown)
		return -ENOMEM;
	memcpy(array, &grown, sizeof(grown));
	*capacity = wanted;
	return 0;
}

static uint16_t number_of(struct maker *maker, const struct ctd_unwind_rule *rule)
{
	int number = ctd_unwind_rules_add(maker->rules, rule, &maker->rules_left);

	return number < 0 ? CTD_RULE_UNSUPPORTED : (uint16_t)number;
}

/* A ctd_unwind_row: notes it. */
static int note_row(void *context, uint64_t pc, const struct ctd_unwind_rule *rule,
		    enum ctd_unwind_fixed_rule fixed)
{
	struct maker *maker = context;
	const struct function *function = &maker->functions[maker->functions_count];
	uint16_t number = rule ? number_of(maker, rule) : (uint16_t)fixed;
	int err;

	if (maker->rows_count > function->first_row &&
	    maker->rows[maker->rows_count - 1].rule == number)
		return 0;
	if (maker->rows_count == CTD_UNWIND_WORDS_MAX)
		return -EFBIG;
	err = grow(&maker->rows, maker->rows_count, &maker->rows_capacity, sizeof(*maker->rows));
	if (err)
		return err;
	maker->rows[maker->rows_count++] =
		(struct read_row){(uint32_t)(pc - function->start), number};
	return 0;
}

static int read_function(struct maker *maker, const struct ctd_fde *fde)
{
	const struct ctd_unwind_source *source = maker->source;
	struct function *function;
	int err;

	if (fde->start < source->code_start || fde->end > source->code_end) {
		maker->table.bad_functions++;
		return 0;
	}
	if (maker->functions_count == FUNCTIONS_MAX)
		return -EFBIG;
	err = grow(&maker->functions, maker->functions_count, &maker->functions_capacity,
		   sizeof(*maker->functions));
	if (err)
		return err;
	function = &maker->functions[maker->functions_count];
	function->start = fde->start;
	function->bytes = (uint32_t)(fde->end - fde->start);
	function->first_row = (uint32_t)maker->rows_count;
	err = ctd_unwind_run(fde, source->machine, note_row, maker);
	if (err)
		return err;
	function->rows_count = (uint32_t)maker->rows_count - function->first_row;
	maker->functions_count++;
	return 0;
}

static int read_functions(struct maker *maker)
{
	const struct ctd_unwind_source *source = maker->source;
	struct ctd_eh_frame frame;
	struct ctd_bytes cursor;
	struct ctd_fde fde;
	int got, err;

	ctd_eh_frame_begin(&frame, source->eh_frame, source->eh_frame_bytes,
			   source->eh_frame_address);
	cursor = frame.section;
	while ((got = ctd_eh_frame_next(&frame, &cursor, &fde))) {
		if (got < 0) {
			maker->table.bad_functions++;
			continue;
		}
		err = read_function(maker, &fde);
		if (err)
			return err;
	}
	return maker->functions_count ? 0 : -ENODATA;
}

static int compare_functions(const void *left, const void *right)
{
	const struct function *a = left, *b = right;

	return a->start < b->start ? -1 : a->start > b->start;
}

static int add_word(struct maker *maker, uint32_t word)
{
	struct ctd_unwind_table *table = &maker->table;
	int err;

	if (table->words_count == CTD_UNWIND_WORDS_MAX)
		return -EFBIG;
	err = grow(&table->words, table->words_count, &maker->words_capacity,
		   sizeof(*table->words));
	if (err)
		return err;
	table->words[table->words_count++] = word;
	return 0;
}

static uint32_t *page_word(const struct maker *maker, uint64_t page)
{
	return &maker->table.words[CTD_UNWIND_HEADER_WORDS + page - maker->first_page];
}

/* Begins pages up to that one, each with the rule that holds there. */
static int turn_to(struct maker *maker, uint64_t page)
{
	int err = 0;

	while (!err && maker->page < page) {
		*page_word(maker, ++maker->page) = (uint32_t)maker->table.words_count;
		if (maker->rule != CTD_RULE_NONE)
			err = add_word(maker, CTD_UNWIND_ROW(0, maker->rule));
	}
	return err;
}

/* From @p pc on, which never decreases, the rule holds. */
static int put(struct maker *maker, uint64_t pc, uint16_t rule)
{
	uint32_t low_pc = (uint32_t)(pc % PAGE_BYTES);
	size_t first, count;
	int err;

	err = turn_to(maker, pc / PAGE_BYTES);
	if (err || rule == maker->rule)
		return err;
	maker->rule = rule;
	first = *page_word(maker, maker->page);
	count = maker->table.words_count;
	if (count > first && CTD_UNWIND_ROW_LOW_PC(maker->table.words[count - 1]) == low_pc) {
		maker->table.words[count - 1] = CTD_UNWIND_ROW(low_pc, rule);
		return 0;
	}
	if (count == first && low_pc)
		err = add_word(maker, CTD_UNWIND_ROW(0, CTD_RULE_NONE));
	return err ? err : add_word(maker, CTD_UNWIND_ROW(low_pc, rule));
}

/* Up to @p function's start nothing is known, or it is padding. @return 0 or an error. */
static int put_gap(struct maker *maker, uint64_t end, const struct function *function)
{
	if (function->start - end <= PADDING_MAX)
		return 0;
	return put(maker, end, CTD_RULE_NONE);
}

static int put_functions(struct maker *maker)
{
	uint64_t end = maker->source->code_start;
	int err;

	for (size_t i = 0; i < maker->functions_count; i++) {
		const struct function *function = &maker->functions[i];
		const struct read_row *rows = maker->rows + function->first_row;

		if (function->start < end) {
			maker->table.bad_functions++;
			continue;
		}
		maker->table.functions++;
		err = put_gap(maker, end, function);
		for (uint32_t j = 0; !err && j < function->rows_count; j++)
			err = put(maker, function->start + rows[j].offset, rows[j].rule);
		if (err)
			return err;
		end = function->start + function->bytes;
	}
	err = put(maker, end, CTD_RULE_NONE);
	return err;
}

static int make_words(struct maker *maker)
{
	const struct ctd_unwind_source *source = maker->source;
	uint64_t pages = (source->code_end - 1) / PAGE_BYTES + 1 - maker->first_page;
	int err = 0;

	if (pages > CTD_UNWIND_PAGES_MAX)
		return -EFBIG;
	/* The header, and the places where the pages begin: the first behind it. */
	for (uint64_t i = 0; !err && i <= CTD_UNWIND_HEADER_WORDS + pages; i++)
		err = add_word(maker, 0);
	if (err)
		return err;
	maker->table.words[0] = (uint32_t)maker->first_page;
	maker->table.words[1] = (uint32_t)pages;
	maker->page = maker->first_page;
	*page_word(maker, maker->page) = (uint32_t)maker->table.words_count;
	err = put_functions(maker);
	return err ? err : turn_to(maker, maker->first_page + pages);
}

/* Counts rows, and notes each rule once. */
static int list_rules(struct ctd_unwind_table *table)
{
	size_t first = CTD_UNWIND_HEADER_WORDS + table->words[1] + 1;
	autofree bool *seen = calloc(CTD_RULES_MAX, sizeof(*seen));
	uint32_t count = 0;

	if (!seen)
		return -ENOMEM;
	table->rows = table->words_count - first;
	for (size_t i = first; i < table->words_count; i++) {
		uint32_t rule = CTD_UNWIND_ROW_RULE(table->words[i]);

		table->unsupported_rows += rule == CTD_RULE_UNSUPPORTED;
		count += !seen[rule];
		seen[rule] = true;
	}
	table->rules = calloc(count + 1, sizeof(*table->rules));
	if (!table->rules)
		return -ENOMEM;
	for (uint32_t rule = CTD_RULES_FIXED; rule < CTD_RULES_MAX; rule++)
		if (seen[rule])
			table->rules[table->rules_count++] = (uint16_t)rule;
	return 0;
}

static int make_table(struct maker *maker)
{
	const struct ctd_unwind_source *source = maker->source;
	uint32_t *fitting;
	int err;

	if (source->code_start >= source->code_end ||
	    maker->first_page > UINT32_MAX - CTD_UNWIND_PAGES_MAX)
		return -EFBIG;
	err = read_functions(maker);
	if (err)
		return err;
	qsort(maker->functions, maker->functions_count, sizeof(*maker->functions),
	      compare_functions);
	err = make_words(maker);
	if (err)
		return err;
	err = list_rules(&maker->table);
	if (err)
		return err;
	fitting = realloc(maker->table.words, maker->table.words_count * sizeof(*fitting));
	if (fitting)
		maker->table.words = fitting;
	return 0;
}

static size_t rules_max(const struct ctd_unwind_source *source)
{
	size_t left = source->rules_of_owner < CTD_RULES_OF_OWNER_MAX
			      ? CTD_RULES_OF_OWNER_MAX - source->rules_of_owner
			      : 0;

	return left < CTD_RULES_OF_ONE_MAX ? left : CTD_RULES_OF_ONE_MAX;
}

int ctd_unwind_table_make(const struct ctd_unwind_source *source, struct ctd_unwind_rules *rules,
			  struct ctd_unwind_table *ret_table)
{
	__attribute__((cleanup(maker_free))) struct maker maker = {
		.source = source,
		.rules = rules,
		.rules_left = rules_max(source),
		.first_page = source->code_start / PAGE_BYTES,
	};
	struct ctd_unwind_table *table = &maker.table;
	int err = make_table(&maker);

	if (!err)
		table->rules_added = ctd_unwind_rules_hold(rules, table->rules, table->rules_count);
	/* Those of no table, or of functions that are left out of it, are given back. */
	if (err || table->rules_added < rules_max(source) - maker.rules_left)
		ctd_unwind_rules_release(rules, NULL, 0);
	if (err)
		return err;
	*ret_table = *table;
	*table = (struct ctd_unwind_table){0};
	return 0;
}

uint32_t ctd_unwind_table_find(const struct ctd_unwind_table *table, uint64_t address)
{
	uint64_t page = address / PAGE_BYTES - table->words[0];
	uint32_t low_pc = (uint32_t)(address % PAGE_BYTES);
	const uint32_t *starts = table->words + CTD_UNWIND_HEADER_WORDS;
	uint32_t first, above;

	if (page >= table->words[1] || starts[page] == starts[page + 1])
		return CTD_RULE_NONE;
	/* The row is at first or later, and below above. */
	first = starts[page];
	above = starts[page + 1];
	while (above - first > 1) {
		uint32_t middle = first + (above - first) / 2;

		if (CTD_UNWIND_ROW_LOW_PC(table->words[middle]) <= low_pc)
			first = middle;
		else
			above = middle;
	}
	return CTD_UNWIND_ROW_RULE(table->words[first]);
}

void ctd_unwind_table_free(struct ctd_unwind_table *table)
{
	if (!table)
		return;
	free(table->words);
	free(table->rules);
	*table = (struct ctd_unwind_table){0};
}
