/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record_held.h - the payload of a block that belongs to the snapshot behind it. */
#ifndef SNAPSHOT_RECORD_HELD_H
#define SNAPSHOT_RECORD_HELD_H

#include "record_block.h"

/* Held until that snapshot is read: it says what there can be. */
struct ctd_record_held {
	unsigned char *payload; /* owned */
	size_t bytes; /* 0: none */
};
/* @return 0 or -ENOMEM. */
int ctd_record_hold(const struct ctd_record_block *block, struct ctd_record_held *held);

/* A list that was held, and where its items begin. */
struct ctd_record_items {
	struct ctd_record_list list;
	struct ctd_record_cursor cursor;
	size_t bytes;
};
/* It is not held any more, whatever becomes of it. @return 1; 0: nothing was; -EBADMSG: damaged. */
int ctd_record_take_held(struct ctd_record_held *held, struct ctd_record_items *ret_items);
/* The size of an item: @p ids, and figures of 64 bits. */
static inline uint64_t ctd_record_item_bytes(uint32_t ids, uint32_t figures_count)
{
	return 8 * ((uint64_t)ids + figures_count);
}
/* Are they of the snapshot with that @p sequence, and the bytes those of so many items? */
bool ctd_record_items_are_of(const struct ctd_record_items *items, uint64_t sequence, uint32_t ids);
/* Of @p count figures in the file those that are known here; the others are passed over, and what
 * the file lacks stays as it is. */
void ctd_record_move_figures(struct ctd_record_cursor *cursor, uint64_t *figures, uint32_t known,
			     uint32_t count);

#endif
