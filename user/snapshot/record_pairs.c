/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record_pairs.c - the block of which cgroups waited behind which. */
#include "record_pairs.h"

#include <errno.h>
#include <stdlib.h>

#define IDS 2
#define FIGURES 4

/* @p figures_count figures are in the file. */
static void move_item(struct ctd_record_cursor *cursor, struct ctd_pair *pair,
		      uint32_t figures_count)
{
	uint64_t figures[FIGURES] = {pair->wait_ns, pair->waits, pair->preempted, pair->beside_ns};

	ctd_record_move_u64(cursor, &pair->victim_id);
	ctd_record_move_u64(cursor, &pair->occupier_id);
	ctd_record_move_figures(cursor, figures, FIGURES, figures_count);
	pair->wait_ns = figures[0];
	pair->waits = figures[1];
	pair->preempted = figures[2];
	pair->beside_ns = figures[3];
}

uint64_t ctd_record_pairs_bytes(const struct ctd_snapshot *snapshot)
{
	return CTD_RECORD_LIST_BYTES + ctd_record_item_bytes(IDS, FIGURES) * snapshot->pairs.count;
}

void ctd_record_put_pairs(struct ctd_record_cursor *cursor, const struct ctd_snapshot *snapshot)
{
	struct ctd_record_list head = {.sequence = snapshot->sequence,
				       .items_count = (uint32_t)snapshot->pairs.count,
				       .figures_count = FIGURES};

	ctd_record_move_list(cursor, &head);
	for (size_t i = 0; i < snapshot->pairs.count; i++) {
		struct ctd_pair pair = snapshot->pairs.items[i];

		move_item(cursor, &pair, FIGURES);
	}
}

int ctd_record_take_pairs(struct ctd_record_held *held, struct ctd_snapshot *snapshot)
{
	struct ctd_pairs *pairs = &snapshot->pairs;
	struct ctd_record_items items;
	int r = ctd_record_take_held(held, &items);

	if (r <= 0)
		return r;
	if (!ctd_record_items_are_of(&items, snapshot->sequence, IDS))
		return -EBADMSG;
	pairs->items = calloc((size_t)items.list.items_count + 1, sizeof(*pairs->items));
	if (!pairs->items)
		return -ENOMEM;
	for (; pairs->count < items.list.items_count; pairs->count++) {
		struct ctd_pair *pair = &pairs->items[pairs->count];

		move_item(&items.cursor, pair, items.list.figures_count);
		if (pairs->count && ctd_pair_compare(pair - 1, pair) >= 0)
			return -EBADMSG;
	}
	return 0;
}
