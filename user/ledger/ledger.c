/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ledger.c - opens and closes a ledger. */
#include "ledger/ledger.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/auto.h"

static size_t power_of_two(size_t least)
{
	size_t power = 64;

	while (power < least)
		power *= 2;
	return power;
}

static void free_ledger(struct ctd_ledger **ledger)
{
	ctd_ledger_free(*ledger);
}

int ctd_ledger_new(const struct ctd_ledger_options *options, uint64_t realtime_ns,
		   struct ctd_ledger **ret_ledger)
{
	/* All that tables may ever hold, so that adding to one never fails: eight bytes each. */
	size_t most = options->accounts_max + (size_t)CTD_LEDGER_CORE_TYPES_MAX * CTD_ACCOUNT_KINDS;
	__attribute__((cleanup(free_ledger))) struct ctd_ledger *ledger =
		calloc(1, sizeof(*ledger));

	if (!ledger)
		return -ENOMEM;
	ledger->options = *options;
	ledger->newest.begun_ns = realtime_ns;
	snprintf(ledger->newest.method, sizeof(ledger->newest.method), "none");
	ledger->newest.scope = "thread";
	ledger->newest.accounts_max = options->accounts_max;
	ledger->buckets_count = power_of_two(most);
	ledger->buckets = calloc(ledger->buckets_count, sizeof(*ledger->buckets));
	ledger->sorted = calloc(most, sizeof(*ledger->sorted));
	ledger->by_id = calloc(most, sizeof(*ledger->by_id));
	/* bsearch(3) wants some memory even where nothing is in it. */
	ledger->pair_totals = calloc(options->pairs_max + 1, sizeof(*ledger->pair_totals));
	ledger->pool = ctd_view_pool_new();
	if (!ledger->buckets || !ledger->sorted || !ledger->by_id || !ledger->pair_totals ||
	    !ledger->pool || ctd_ledger_vendor_prepare(ledger))
		return -ENOMEM;
	*ret_ledger = take_ptr(ledger);
	return 0;
}

static void free_held(struct ctd_ledger *ledger)
{
	while (ledger->held) {
		struct ledger_account *account = ledger->held;

		ledger->held = account->next;
		ctd_account_free(account);
	}
}

static void free_members(struct ctd_idmap *members)
{
	uintptr_t value;
	size_t cursor = 0;
	uint64_t id;

	while (ctd_idmap_next(members, &cursor, &id, &value))
		free((struct ledger_member *)value);
	ctd_idmap_free(members);
}

void ctd_ledger_free(struct ctd_ledger *ledger)
{
	if (!ledger)
		return;
	for (size_t i = 0; i < ledger->sorted_count; i++) {
		if (ledger->sorted[i]->account.who->kind < CTD_ACCOUNT_KERNEL)
			ctd_account_free(ledger->sorted[i]);
	}
	free_held(ledger);
	for (int type = 0; type < CTD_LEDGER_CORE_TYPES_MAX; type++) {
		for (int kind = 0; kind < CTD_ACCOUNT_KINDS; kind++)
			ctd_account_free(ledger->fixed[type][kind]);
		free_members(&ledger->members[type]);
	}
	ctd_view_pool_release(ledger->pool);
	ctd_pairs_free(&ledger->newest.pairs);
	free(ledger->pair_totals);
	free(ledger->vendor_fetched);
	free(ledger->vendor_values);
	free(ledger->buckets);
	free(ledger->by_id);
	free(ledger->sorted);
	free(ledger);
}

void ctd_ledger_acknowledge(struct ctd_ledger *ledger, uint64_t sequence)
{
	if (sequence > ledger->acknowledged)
		ledger->acknowledged = sequence;
}
