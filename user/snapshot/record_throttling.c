/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record_throttling.c - the block of what limits of CPU time did to cgroups. */
#include "record_throttling.h"

#include <errno.h>
#include <stdlib.h>

#define IDS 1

_Static_assert(sizeof(struct ctd_throttling) == 8 * (IDS + CTD_THROTTLING_FIGURES),
	       "figures of 64 bits behind the id");

/* The first @p count figures are in the file. */
static void move_item(struct ctd_record_cursor *cursor, struct ctd_throttling *item, uint32_t count)
{
	ctd_record_move_u64(cursor, &item->cgroup_id);
	ctd_record_move_figures(cursor, (uint64_t *)item + IDS, CTD_THROTTLING_FIGURES, count);
}

uint64_t ctd_record_throttling_bytes(const struct ctd_snapshot *snapshot)
{
	return CTD_RECORD_LIST_BYTES +
	       ctd_record_item_bytes(IDS, CTD_THROTTLING_FIGURES) * snapshot->throttlings.count;
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
	struct ctd_record_items items;
	int r = ctd_record_take_held(held, &items);

	if (r <= 0)
		return r;
	if (!ctd_record_items_are_of(&items, snapshot->sequence, IDS))
		return -EBADMSG;
	list->items = calloc((size_t)items.list.items_count + 1, sizeof(*list->items));
	if (!list->items)
		return -ENOMEM;
	list->known = true;
	for (uint32_t i = 0; i < items.list.items_count; i++)
		move_item(&items.cursor, &list->items[list->count++], items.list.figures_count);
	return ctd_throttlings_are_ordered(list) ? 0 : -EBADMSG;
}
