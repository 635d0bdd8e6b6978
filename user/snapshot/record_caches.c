/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record_caches.c - the block of where rows ran: of each row the caches on which it did. */
#include "record_caches.h"

#include <errno.h>
#include <stdlib.h>

_Static_assert(CTD_CACHE_PARTS_MAX <= 64, "a bit for each");

static uint64_t bits_of(const uint64_t *parts, uint32_t count)
{
	uint64_t bits = 0;

	for (uint32_t i = 0; i < count; i++)
		if (parts[i])
			bits |= UINT64_C(1) << i;
	return bits;
}

uint64_t ctd_record_caches_bytes(const struct ctd_snapshot *snapshot)
{
	uint32_t parts = ctd_caches_parts(&snapshot->caches);
	uint64_t bytes = CTD_RECORD_LIST_BYTES + 4 * (uint64_t)snapshot->caches.count +
			 8 * (uint64_t)snapshot->rows_count;

	for (size_t row = 0; row < snapshot->rows_count; row++)
		bytes += 8 * (uint64_t)__builtin_popcountll(
				     bits_of(&snapshot->cache_ns[row * parts], parts));
	return bytes;
}

void ctd_record_put_caches(struct ctd_record_cursor *cursor, const struct ctd_snapshot *snapshot)
{
	uint32_t parts = ctd_caches_parts(&snapshot->caches);
	struct ctd_record_list head = {.sequence = snapshot->sequence,
				       .items_count = (uint32_t)snapshot->rows_count,
				       .figures_count = parts};

	ctd_record_move_list(cursor, &head);
	for (uint32_t i = 0; i < snapshot->caches.count; i++) {
		uint32_t node = snapshot->caches.node[i];

		ctd_record_move_u32(cursor, &node);
	}
	for (size_t row = 0; row < snapshot->rows_count; row++) {
		const uint64_t *of_row = &snapshot->cache_ns[row * parts];
		uint64_t bits = bits_of(of_row, parts);

		ctd_record_move_u64(cursor, &bits);
		for (uint32_t i = 0; i < parts; i++) {
			uint64_t part_ns = of_row[i];

			if (part_ns)
				ctd_record_move_u64(cursor, &part_ns);
		}
	}
}

/* What the row has of all parts is the row's. @return 0 or -EBADMSG. */
static int take_row(struct ctd_record_cursor *cursor, size_t *bytes, uint32_t parts,
		    uint64_t oncpu_ns, uint64_t *ret_parts)
{
	uint64_t bits, left_ns = oncpu_ns;
	size_t needed;

	if (*bytes < sizeof(bits))
		return -EBADMSG;
	ctd_record_move_u64(cursor, &bits);
	*bytes -= sizeof(bits);
	needed = 8 * (size_t)__builtin_popcountll(bits);
	if (bits >> parts || *bytes < needed)
		return -EBADMSG;
	for (uint32_t i = 0; i < parts; i++) {
		if (bits & UINT64_C(1) << i)
			ctd_record_move_u64(cursor, &ret_parts[i]);
		if (ret_parts[i] > left_ns)
			return -EBADMSG;
		left_ns -= ret_parts[i];
	}
	*bytes -= needed;
	return left_ns ? -EBADMSG : 0;
}

/* @return 0, -ENOMEM or -EBADMSG. */
static int take_rows(struct ctd_record_cursor cursor, size_t bytes, uint32_t parts,
		     struct ctd_snapshot *snapshot)
{
	int error = 0;

	snapshot->caches.count = parts - 1;
	if (bytes < 4 * (size_t)snapshot->caches.count)
		return -EBADMSG;
	bytes -= 4 * (size_t)snapshot->caches.count;
	for (uint32_t i = 0; i < snapshot->caches.count; i++)
		ctd_record_move_u32(&cursor, &snapshot->caches.node[i]);
	/* One more, as calloc(0) may be NULL. */
	snapshot->cache_ns = calloc(snapshot->rows_count + 1, parts * sizeof(uint64_t));
	if (!snapshot->cache_ns)
		return -ENOMEM;
	for (size_t row = 0; !error && row < snapshot->rows_count; row++)
		error = take_row(&cursor, &bytes, parts, snapshot->rows[row].oncpu_ns,
				 &snapshot->cache_ns[row * parts]);
	return !error && bytes ? -EBADMSG : error;
}

int ctd_record_take_caches(struct ctd_record_held *held, struct ctd_snapshot *snapshot)
{
	struct ctd_record_items items;
	int r = ctd_record_take_held(held, &items);

	if (r <= 0)
		return r;
	/* Two caches at least, and what is not known. */
	if (items.list.sequence != snapshot->sequence ||
	    items.list.items_count != snapshot->rows_count || items.list.figures_count < 3 ||
	    items.list.figures_count > CTD_CACHE_PARTS_MAX)
		return -EBADMSG;
	return take_rows(items.cursor, items.bytes, items.list.figures_count, snapshot);
}
