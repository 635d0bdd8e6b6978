/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pairs.c - pairs of a rollup's rows become pairs of accounts. */
#include <errno.h>
#include <stdlib.h>

#include "ledger/add.h"

int ctd_account_pairs_make(const struct ctd_rollup *rollup, struct ctd_account_pairs *ret_pairs)
{
	struct ctd_account_pairs pairs = {0};

	*ret_pairs = pairs;
	if (!rollup->pairs.count)
		return 0;
	pairs.ids = calloc(rollup->rows_count, sizeof(*pairs.ids));
	if (!pairs.ids || ctd_pairs_copy(&rollup->pairs, &pairs.pairs)) {
		free(pairs.ids);
		return -ENOMEM;
	}
	*ret_pairs = pairs;
	return 0;
}

/* Where core types differ, a row has an account of each: which of them waited is not known, and the
 * first stands for all. */
void ctd_account_pairs_note(struct ctd_account_pairs *pairs, size_t row,
			    const struct ctd_account *account)
{
	if (pairs->ids && !pairs->ids[row])
		pairs->ids[row] = account->id;
}

void ctd_account_pairs_take(struct ctd_account_pairs *pairs, struct ctd_pairs *newest)
{
	size_t count = 0;

	for (size_t i = 0; i < pairs->pairs.count; i++) {
		struct ctd_pair pair = pairs->pairs.items[i];

		pair.victim_id = pairs->ids[pair.victim_id];
		pair.occupier_id = pairs->ids[pair.occupier_id];
		if (pair.victim_id && pair.occupier_id && pair.victim_id != pair.occupier_id)
			pairs->pairs.items[count++] = pair;
	}
	pairs->pairs.count = count;
	ctd_pairs_sort(&pairs->pairs);
	ctd_pairs_free(newest);
	*newest = pairs->pairs;
	pairs->pairs = (struct ctd_pairs){0};
}

void ctd_account_pairs_free(struct ctd_account_pairs *pairs)
{
	ctd_pairs_free(&pairs->pairs);
	free(pairs->ids);
}
