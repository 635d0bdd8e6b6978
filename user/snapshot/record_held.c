/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record_held.c - payloads that wait for the snapshot behind them, and their lists. */
#include "record_held.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int ctd_record_hold(const struct ctd_record_block *block, struct ctd_record_held *held)
{
	unsigned char *payload = realloc(held->payload, block->head.bytes + 1);

	if (!payload)
		return -ENOMEM;
	memcpy(payload, block->payload, block->head.bytes);
	held->payload = payload;
	held->bytes = block->head.bytes;
	return 0;
}

int ctd_record_take_held(struct ctd_record_held *held, struct ctd_record_items *ret_items)
{
	struct ctd_record_items items = {.cursor = {.at = held->payload}};
	size_t bytes = held->bytes;

	held->bytes = 0;
	if (!bytes)
		return 0;
	if (bytes < CTD_RECORD_LIST_BYTES)
		return -EBADMSG;
	ctd_record_move_list(&items.cursor, &items.list);
	items.bytes = bytes - CTD_RECORD_LIST_BYTES;
	*ret_items = items;
	return 1;
}

bool ctd_record_items_are_of(const struct ctd_record_items *items, uint64_t sequence, uint32_t ids)
{
	uint64_t item_bytes = ctd_record_item_bytes(ids, items->list.figures_count);

	return items->list.sequence == sequence && items->bytes % item_bytes == 0 &&
	       items->bytes / item_bytes == items->list.items_count;
}

void ctd_record_move_figures(struct ctd_record_cursor *cursor, uint64_t *figures, uint32_t known,
			     uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint64_t ignored = 0;

		ctd_record_move_u64(cursor, i < known ? &figures[i] : &ignored);
	}
}
