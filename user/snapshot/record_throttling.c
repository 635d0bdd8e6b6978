/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record_throttling.c - the block of what limits of CPU time did to cgroups. */
#include "record_throttling.h"

#include <errno.h>
#include <stdlib.h>

/* Its id, and its figures. */
#define ITEM_BYTES (8 * (1 + CTD_THROTTLING_FIGURES))

_Static_assert(sizeof(struct ctd_throttling) == ITEM_BYTES, "figures of 64 bits behind the id");

/* The first @p count figures are in the file. */
static void move_item(struct ctd_record_cursor *cursor, struct ctd_throttling *item, uint32_t count)
{
	uint64_t *figures = (uint64_t *)item + 1;

	ctd_record_move_u64(cursor, &item->cgroup_id);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t ignored = 0;

		ctd_record_move_u64(cursor, i < CTD_THROTTLING_FIGURES ? &figures[i] : &ignored);
	}
}

uint64_t ctd_record_throttling_bytes(const struct ctd_snapshot *snapshot)
{
	return CTD_RECORD_LIST_BYTES + ITEM_BYTES * (uint64_t)snapshot->throttlings.count;
}

void ctd_record_put_throttling(struct ctd_record_cursor *cursor,
			       const struct ctd_snapshot *snapshot)
{
	struct ctd_record_list head = {.sequence = snapshot->sequence,
				       .items_count = (uint32_t)snapshot->throttlings.count,
				       .figures_count = CTD_THROTTLING_FIGURES};

	ctd_record_move_list(cursor, &head);
	for (size_t i = 0; i < snapshot->throttlings.count; i++) {
		struct ctd_throttling item = snapshot->throttlings.items[i];

		move_item(cursor, &item, CTD_THROTTLING_FIGURES);
	}
}

int ctd_record_take_throttling(struct ctd_record_held *held, struct ctd_snapshot *snapshot)
{
	struct ctd_throttlings *list = &snapshot->throttlings;
	struct ctd_record_cursor cursor = {.at = held->payload};
	uint64_t bytes = held->bytes, item_bytes;
	struct ctd_record_list head;

	held->bytes = 0;
	if (!bytes)
		return 0;
	if (bytes < CTD_RECORD_LIST_BYTES)
		return -EBADMSG;
	ctd_record_move_list(&cursor, &head);
	bytes -= CTD_RECORD_LIST_BYTES;
	item_bytes = 8 * (1 + (uint64_t)head.figures_count);
	if (head.sequence != snapshot->sequence || bytes % item_bytes ||
	    bytes / item_bytes != head.items_count)
		return -EBADMSG;
	list->items = calloc((size_t)head.items_count + 1, sizeof(*list->items));
	if (!list->items)
		return -ENOMEM;
	list->known = true;
	for (uint32_t i = 0; i < head.items_count; i++)
		move_item(&cursor, &list->items[list->count++], head.figures_count);
	return ctd_throttlings_are_ordered(list) ? 0 : -EBADMSG;
}
