/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record_pairs.c - the block of which cgroups waited behind which. */
#include "record_pairs.h"

#include <errno.h>
#include <stdlib.h>

#define FIGURES 3
/* Two ids, and figures. */
#define ITEM_BYTES(figures) (8 * (2 + (uint64_t)(figures)))

/* @p figures_count figures are in the file. */
static void move_item(struct ctd_record_cursor *cursor, struct ctd_pair *pair,
		      uint32_t figures_count)
{
	uint64_t *const figures[FIGURES] = {&pair->wait_ns, &pair->waits, &pair->preempted};

	ctd_record_move_u64(cursor, &pair->victim_id);
	ctd_record_move_u64(cursor, &pair->occupier_id);
	for (uint32_t i = 0; i < figures_count; i++) {
		uint64_t ignored = 0;

		ctd_record_move_u64(cursor, i < FIGURES ? figures[i] : &ignored);
	}
}

uint64_t ctd_record_pairs_bytes(const struct ctd_snapshot *snapshot)
{
	return CTD_RECORD_LIST_BYTES + ITEM_BYTES(FIGURES) * snapshot->pairs.count;
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
	struct ctd_record_cursor cursor = {.at = held->payload};
	struct ctd_pairs *pairs = &snapshot->pairs;
	struct ctd_record_list head;
	uint64_t bytes = held->bytes;

	held->bytes = 0;
	if (!bytes)
		return 0;
	if (bytes < CTD_RECORD_LIST_BYTES)
		return -EBADMSG;
	ctd_record_move_list(&cursor, &head);
	bytes -= CTD_RECORD_LIST_BYTES;
	if (head.sequence != snapshot->sequence || bytes % ITEM_BYTES(head.figures_count) ||
	    bytes / ITEM_BYTES(head.figures_count) != head.items_count)
		return -EBADMSG;
	pairs->items = calloc((size_t)head.items_count + 1, sizeof(*pairs->items));
	if (!pairs->items)
		return -ENOMEM;
	for (; pairs->count < head.items_count; pairs->count++) {
		struct ctd_pair *pair = &pairs->items[pairs->count];

		move_item(&cursor, pair, head.figures_count);
		if (pairs->count && ctd_pair_compare(pair - 1, pair) >= 0)
			return -EBADMSG;
	}
	return 0;
}
