/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* functions.c - totals of the functions of each account: a bounded number of them, and all others
 * together. */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/ledger.h"

/* What is worth a place: fewer samples may be chance, and a smaller part is none of the largest. */
#define SAMPLES_MIN 3
#define WORTH_PART 100
/* What a program does as it starts is not to have all places. */
#define WAIT_NS 60000000000ull

/* Where they are; then those with a place, in the order in which they got it. */
enum { OTHER, NOT_SAMPLED, FIXED };

struct box {
	atomic_size_t references;
	struct ctd_account_functions functions;
	struct ctd_function_total items[];
	/* Then the names. */
};

static struct box *box_of(const struct ctd_account_functions *functions)
{
	return (struct box *)((char *)functions - offsetof(struct box, functions));
}

const struct ctd_account_functions *
ctd_account_functions_hold(const struct ctd_account_functions *functions)
{
	/* Relaxed is enough: the caller already holds a reference. */
	if (functions)
		atomic_fetch_add_explicit(&box_of(functions)->references, 1, memory_order_relaxed);
	return functions;
}

void ctd_account_functions_release(const struct ctd_account_functions *functions)
{
	if (functions &&
	    atomic_fetch_sub_explicit(&box_of(functions)->references, 1, memory_order_acq_rel) == 1)
		free(box_of(functions));
}

static void add(struct ctd_function_figures *to, const struct ctd_function_figures *from)
{
	to->cpu_ns += from->cpu_ns;
	for (int i = 0; i < CTD_FUNCTION_CATEGORIES; i++)
		to->slots[i] += from->slots[i];
}

void ctd_account_functions_merge(struct ledger_account *to, const struct ledger_account *from)
{
	const struct ctd_account_functions *functions = from->account.functions;

	add(&to->functions_rest, &from->functions_rest);
	to->functions_rest_known |= from->functions_rest_known;
	for (size_t i = 0; functions && i < functions->count; i++)
		add(&to->functions_rest, &functions->items[i].figures);
	if (functions)
		to->functions_rest_known |= functions->categories_known;
}

/* OTHER: it has none. */
static size_t place_of(const struct ctd_function_total *items, size_t count, const char *name)
{
	for (size_t i = NOT_SAMPLED; i < count; i++)
		if (strcmp(items[i].name, name) == 0)
			return i;
	return OTHER;
}

static bool may_give(const struct ctd_ledger *ledger, const struct ctd_account_functions *before,
		     uint64_t begun_ns)
{
	if (before->count - FIXED >= ledger->options.functions_max)
		return false;
	return before->count == FIXED ||
	       begun_ns - before->items[before->count - 1].begun_ns >= WAIT_NS;
}

/* The function that gets a place; NULL: none does. */
static const struct ctd_function_part *find_next(const struct ctd_account_functions *before,
						 const struct ctd_function_row *row)
{
	const struct ctd_function_part *best = NULL;
	uint64_t whole_ns = 0;

	for (size_t i = 0; i < row->parts_count; i++)
		whole_ns += row->parts[i].figures.cpu_ns;
	for (size_t i = 0; i < row->parts_count; i++) {
		const struct ctd_function_part *part = &row->parts[i];
		uint64_t cpu_ns = part->figures.cpu_ns;

		if (part->samples >= SAMPLES_MIN && cpu_ns && cpu_ns >= whole_ns / WORTH_PART &&
		    (!best || cpu_ns > best->figures.cpu_ns) &&
		    strcmp(part->name, CTD_FUNCTION_OTHER) != 0 &&
		    place_of(before->items, before->count, part->name) == OTHER)
			best = part;
	}
	return best;
}

/* The same figures, with a place for @p next, which may be NULL. @return NULL without memory. */
static struct box *copy(const struct ctd_account_functions *before,
			const struct ctd_function_part *next, uint64_t begun_ns)
{
	size_t count = before->count + (next != NULL), bytes = next ? strlen(next->name) + 1 : 0;
	struct box *box;
	char *text;

	for (size_t i = 0; i < before->count; i++)
		bytes += strlen(before->items[i].name) + 1;
	box = malloc(sizeof(*box) + count * sizeof(*box->items) + bytes);
	if (!box)
		return NULL;
	atomic_init(&box->references, 1);
	box->functions =
		(struct ctd_account_functions){box->items, count, before->categories_known};
	memcpy(box->items, before->items, before->count * sizeof(*box->items));
	if (next)
		box->items[before->count] =
			(struct ctd_function_total){.name = next->name, .begun_ns = begun_ns};
	text = (char *)&box->items[count];
	for (size_t i = 0; i < count; i++) {
		const char *name = box->items[i].name;

		box->items[i].name = text;
		text = stpcpy(text, name) + 1;
	}
	return box;
}

int ctd_account_add_functions(const struct ctd_ledger *ledger, struct ledger_account *account,
			      const struct ctd_function_row *row, uint64_t begun_ns)
{
	const struct ctd_function_total fixed[FIXED] = {
		[OTHER] = {CTD_FUNCTION_OTHER, begun_ns, {0}},
		[NOT_SAMPLED] = {CTD_FUNCTION_NOT_SAMPLED, begun_ns, {0}},
	};
	const struct ctd_account_functions none = {fixed, FIXED, 0};
	const struct ctd_account_functions *before =
		account->account.functions ? account->account.functions : &none;
	struct box *box =
		copy(before, may_give(ledger, before, begun_ns) ? find_next(before, row) : NULL,
		     begun_ns);

	if (!box)
		return -ENOMEM;
	for (size_t i = 0; i < row->parts_count; i++)
		add(&box->items[place_of(box->items, box->functions.count, row->parts[i].name)]
			     .figures,
		    &row->parts[i].figures);
	add(&box->items[OTHER].figures, &account->functions_rest);
	box->functions.categories_known |= row->categories_known | account->functions_rest_known;
	account->functions_rest = (struct ctd_function_figures){0};
	account->functions_rest_known = 0;
	ctd_account_functions_release(account->account.functions);
	account->account.functions = &box->functions;
	/* They are in no view yet. */
	if (account->account.ended)
		account->ended_sequence = ledger->newest.sequence + 1;
	return 0;
}
