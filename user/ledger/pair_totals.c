/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pair_totals.c - pairs whose victims wait long have totals of their own, a bounded number of them;
 * all others have one together. */
#include <stdlib.h>
#include <string.h>

#include "ledger/ledger.h"

/* A pair is worth a place if its victim waited for this part of an interval. */
#define WORTH_PART 100
/* So many are given in an interval, each with a pass over the pairs: a node may have tens of
 * thousands. */
#define GIVEN 8

static void add(struct ctd_pair *to, const struct ctd_pair *from)
{
	to->wait_ns += from->wait_ns;
	to->waits += from->waits;
	to->preempted += from->preempted;
}

/* The pair is the first member of its total. */
static struct ctd_pair_total *find(const struct ctd_ledger *ledger, const struct ctd_pair *pair)
{
	return bsearch(pair, ledger->pair_totals, ledger->pair_totals_count,
		       sizeof(*ledger->pair_totals), ctd_pair_compare);
}

static const struct ctd_account_who *who_of(const struct ctd_ledger *ledger, uint64_t id)
{
	const struct ctd_account *account = ctd_accounts_get(ledger, id);

	return account ? account->who : NULL;
}

void ctd_pair_totals_name(const struct ctd_ledger *ledger, struct ctd_pair_total *totals,
			  size_t count)
{
	for (size_t i = 0; i < count; i++) {
		totals[i].victim = who_of(ledger, totals[i].pair.victim_id);
		totals[i].occupier = who_of(ledger, totals[i].pair.occupier_id);
	}
}

static bool is_shown(const struct ctd_ledger *ledger, const struct ctd_pair *pair)
{
	return ctd_accounts_get(ledger, pair->victim_id) &&
	       ctd_accounts_get(ledger, pair->occupier_id);
}

/* Those of which an account is gone make room. */
static void end_totals(struct ctd_ledger *ledger)
{
	struct ctd_pair_total *totals = ledger->pair_totals;
	size_t kept = 0;

	ctd_pair_totals_name(ledger, totals, ledger->pair_totals_count);
	for (size_t i = 0; i < ledger->pair_totals_count; i++) {
		if (totals[i].victim && totals[i].occupier)
			totals[kept++] = totals[i];
		else
			add(&ledger->ended_pairs, &totals[i].pair);
	}
	ledger->pair_totals_count = kept;
}

/* The pair without a place that waited longest, of those of which both accounts are in views; NULL:
 * none is worth one. */
static const struct ctd_pair *find_next(const struct ctd_ledger *ledger)
{
	const struct ctd_pairs *newest = &ledger->newest.pairs;
	uint64_t least_ns = ledger->newest.window_ns / WORTH_PART;
	const struct ctd_pair *best = NULL;

	for (size_t i = 0; i < newest->count; i++) {
		const struct ctd_pair *pair = &newest->items[i];

		if (pair->wait_ns && pair->wait_ns >= least_ns &&
		    (!best || pair->wait_ns > best->wait_ns) && !find(ledger, pair) &&
		    is_shown(ledger, pair))
			best = pair;
	}
	return best;
}

static void open_total(struct ctd_ledger *ledger, const struct ctd_pair *pair)
{
	size_t at = ledger->pair_totals_count++;

	for (; at && ctd_pair_compare(&ledger->pair_totals[at - 1].pair, pair) > 0; at--)
		ledger->pair_totals[at] = ledger->pair_totals[at - 1];
	ledger->pair_totals[at] = (struct ctd_pair_total){
		.pair = {.victim_id = pair->victim_id, .occupier_id = pair->occupier_id},
		.begun_ns = ledger->newest.realtime_ns - ledger->newest.window_ns,
		.what = "shown"};
}

static void give_places(struct ctd_ledger *ledger)
{
	for (int i = 0; i < GIVEN && ledger->pair_totals_count < ledger->options.pairs_max; i++) {
		const struct ctd_pair *pair = find_next(ledger);

		if (!pair)
			return;
		open_total(ledger, pair);
	}
}

void ctd_pair_totals_add(struct ctd_ledger *ledger, const struct ctd_pair *evicted)
{
	const struct ctd_pairs *newest = &ledger->newest.pairs;

	if (!ledger->options.pairs_max)
		return;
	end_totals(ledger);
	give_places(ledger);
	for (size_t i = 0; i < newest->count; i++) {
		struct ctd_pair_total *total = find(ledger, &newest->items[i]);

		add(total ? &total->pair : &ledger->other_pairs, &newest->items[i]);
	}
	add(&ledger->other_pairs, evicted);
}

static bool are_told(const struct ctd_ledger *ledger)
{
	return ledger->options.pairs_max && ledger->pairs_known;
}

size_t ctd_pair_totals_count(const struct ctd_ledger *ledger)
{
	return are_told(ledger) ? ledger->pair_totals_count + 2 : 0;
}

static struct ctd_pair_total sum_of(const struct ctd_ledger *ledger, const struct ctd_pair *pairs,
				    const char *what)
{
	return (struct ctd_pair_total){
		.pair = *pairs, .begun_ns = ledger->newest.begun_ns, .what = what};
}

void ctd_pair_totals_copy(const struct ctd_ledger *ledger, struct ctd_pair_total *to)
{
	size_t count = ledger->pair_totals_count;

	if (!are_told(ledger))
		return;
	memcpy(to, ledger->pair_totals, count * sizeof(*to));
	ctd_pair_totals_name(ledger, to, count);
	to[count] = sum_of(ledger, &ledger->other_pairs, "other");
	to[count + 1] = sum_of(ledger, &ledger->ended_pairs, "ended");
}
