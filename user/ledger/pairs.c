/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pairs.c - pairs of a rollup's rows become pairs of accounts. */
#include <errno.h>
#include <stdlib.h>

#include "base/divide.h"
#include "ledger/add.h"

/* Of what a pair has each core type is given as much as the victim's row has there of this. */
enum figure { WAITED_NS, PREEMPTED, BESIDE_NS, FIGURES };

/* A row on one core type. */
struct ctd_pair_side {
	struct ctd_account *account; /* NULL: it did not run there */
	uint64_t figures[FIGURES];
	/* What it added to the account's waits, and is not moved there: others' doing, and what it
	 * did to others. */
	uint64_t other_ns, preempted_by_other, preempted_others;
};

int ctd_account_pairs_make(const struct ctd_rollup *rollup, struct ctd_account_pairs *ret_pairs)
{
	size_t types = (size_t)rollup->plan->core_types_count;
	struct ctd_account_pairs pairs = {.rows = &rollup->pairs, .types = types};

	*ret_pairs = pairs;
	if (!rollup->pairs.count)
		return 0;
	pairs.sides = calloc(rollup->rows_count * types, sizeof(*pairs.sides));
	pairs.made.items = calloc(rollup->pairs.count * types, sizeof(*pairs.made.items));
	if (!pairs.sides || !pairs.made.items) {
		ctd_account_pairs_free(&pairs);
		return -ENOMEM;
	}
	*ret_pairs = pairs;
	return 0;
}

void ctd_account_pairs_note(struct ctd_account_pairs *pairs, size_t row,
			    const struct ctd_addition *addition, struct ctd_account *account)
{
	const struct ctd_beside_part *beside = addition->part->smt.parts;
	const struct ctd_waits *waits = addition->part->waits;
	struct ctd_pair_side *side;

	if (!pairs->sides)
		return;
	side = &pairs->sides[row * pairs->types + (size_t)addition->type];
	side->account = account;
	side->figures[BESIDE_NS] =
		beside[CTD_SIBLING_OTHER].cpu_ns + beside[CTD_SIBLING_MIXED].cpu_ns;
	if (!waits)
		return;
	side->figures[WAITED_NS] = side->other_ns = waits->ns[CTD_WAIT_OTHER];
	side->figures[PREEMPTED] = side->preempted_by_other = waits->preempted_by_other;
	side->preempted_others = waits->preempted_others;
}

/* What a row did on the core types on which it ran. @return how many. */
static size_t sides_of(const struct ctd_account_pairs *pairs, uint64_t row,
		       struct ctd_pair_side **ret_sides)
{
	size_t count = 0;

	for (size_t type = 0; type < pairs->types; type++) {
		struct ctd_pair_side *side = &pairs->sides[row * pairs->types + type];

		if (side->account)
			ret_sides[count++] = side;
	}
	return count;
}

/* Who waited on a core type waited for what ran there. @p victim: of any row. */
static struct ctd_pair_side *occupier_of(const struct ctd_account_pairs *pairs, uint64_t row,
					 const struct ctd_pair_side *victim)
{
	struct ctd_pair_side *sides[CTD_CORE_TYPES_MAX];
	size_t type = (size_t)(victim - pairs->sides) % pairs->types;
	struct ctd_pair_side *same = &pairs->sides[row * pairs->types + type];

	return same->account ? same : sides_of(pairs, row, sides) ? sides[0] : NULL;
}

static void divide(uint64_t whole, struct ctd_pair_side *const *sides, size_t count, enum figure by,
		   uint64_t *ret_parts)
{
	uint64_t weights[CTD_CORE_TYPES_MAX] = {0};

	for (size_t i = 0; i < count; i++)
		weights[i] = sides[i]->figures[by];
	ctd_divide(whole, weights, count, ret_parts);
}

/* @return how much of @p amount there was in *left, which then has so much less. */
static uint64_t take_of(uint64_t *left, uint64_t amount)
{
	uint64_t taken = amount < *left ? amount : *left;

	*left -= taken;
	return taken;
}

/* What rows of one account waited for each other, as those of a unit, is its own doing. Those that
 * have none of their own have nothing to do with each other. */
static void add_own(struct ctd_pair_side *victim, struct ctd_pair_side *occupier, uint64_t wait_ns,
		    uint64_t preempted)
{
	struct ctd_waits *waits = &victim->account->waits;
	uint64_t own_ns;

	if (victim->account->who->kind == CTD_ACCOUNT_OTHER)
		return;
	own_ns = take_of(&victim->other_ns, wait_ns);
	waits->ns[CTD_WAIT_OTHER] -= own_ns;
	waits->ns[CTD_WAIT_OWN] += own_ns;
	waits->preempted_by_other -= take_of(&victim->preempted_by_other, preempted);
	waits->preempted_others -= take_of(&occupier->preempted_others, preempted);
}

/* Where core types differ, a row has an account of each, and a pair does not say on which it was. */
static void add_pair(struct ctd_account_pairs *pairs, const struct ctd_pair *pair)
{
	uint64_t wait_ns[CTD_CORE_TYPES_MAX], waits[CTD_CORE_TYPES_MAX];
	uint64_t preempted[CTD_CORE_TYPES_MAX], beside_ns[CTD_CORE_TYPES_MAX];
	struct ctd_pair_side *sides[CTD_CORE_TYPES_MAX];
	size_t count = sides_of(pairs, pair->victim_id, sides);

	divide(pair->wait_ns, sides, count, WAITED_NS, wait_ns);
	divide(pair->waits, sides, count, WAITED_NS, waits);
	divide(pair->preempted, sides, count, PREEMPTED, preempted);
	divide(pair->beside_ns, sides, count, BESIDE_NS, beside_ns);
	for (size_t i = 0; i < count; i++) {
		struct ctd_pair_side *occupier = occupier_of(pairs, pair->occupier_id, sides[i]);

		if (!occupier || !(wait_ns[i] | waits[i] | preempted[i] | beside_ns[i]))
			continue;
		if (occupier->account == sides[i]->account) {
			add_own(sides[i], occupier, wait_ns[i], preempted[i]);
			continue;
		}
		pairs->made.items[pairs->made.count++] = (struct ctd_pair){
			.victim_id = sides[i]->account->id,
			.occupier_id = occupier->account->id,
			.wait_ns = wait_ns[i],
			.waits = waits[i],
			.preempted = preempted[i],
			.sequence = pair->sequence,
			.beside_ns = beside_ns[i],
		};
	}
}

void ctd_account_pairs_take(struct ctd_account_pairs *pairs, struct ctd_pairs *newest)
{
	for (size_t i = 0; i < pairs->rows->count; i++)
		add_pair(pairs, &pairs->rows->items[i]);
	ctd_pairs_sort(&pairs->made);
	ctd_pairs_free(newest);
	*newest = pairs->made;
	pairs->made = (struct ctd_pairs){0};
}

void ctd_account_pairs_free(struct ctd_account_pairs *pairs)
{
	ctd_pairs_free(&pairs->made);
	free(pairs->sides);
}
