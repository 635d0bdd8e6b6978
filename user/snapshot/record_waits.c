/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record_waits.c - the block of a snapshot's waits: of each row only what is not 0. */
#include "record_waits.h"

#include <cgtopdown/waits.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(CTD_WAITS_FIGURES <= 32, "a bit for each");

static uint32_t bits_of(const struct ctd_waits *waits)
{
	uint32_t bits = 0;

	for (int i = 0; i < CTD_WAITS_FIGURES; i++)
		bits |= ctd_waits_get(waits, i) ? 1u << i : 0;
	return bits;
}

/* The figures whose bit is set. */
static void move_figures(struct ctd_record_cursor *cursor, struct ctd_waits *waits, uint32_t bits)
{
	for (int i = 0; i < CTD_WAITS_FIGURES; i++) {
		uint64_t figure = ctd_waits_get(waits, i);

		if (!(bits & 1u << i))
			continue;
		ctd_record_move_u64(cursor, &figure);
		ctd_waits_set(waits, i, figure);
	}
}

uint64_t ctd_record_waits_bytes(const struct ctd_snapshot *snapshot)
{
	uint64_t bytes = CTD_RECORD_LIST_BYTES + 4 * (uint64_t)snapshot->rows_count;

	for (size_t i = 0; i < snapshot->rows_count; i++)
		bytes += 8 * (uint64_t)__builtin_popcount(bits_of(&snapshot->waits[i]));
	return bytes;
}

void ctd_record_put_waits(struct ctd_record_cursor *cursor, const struct ctd_snapshot *snapshot)
{
	struct ctd_record_list head = {.sequence = snapshot->sequence,
				       .items_count = (uint32_t)snapshot->rows_count,
				       .figures_count = CTD_WAITS_FIGURES};

	ctd_record_move_list(cursor, &head);
	for (size_t i = 0; i < snapshot->rows_count; i++) {
		struct ctd_waits waits = snapshot->waits[i];
		uint32_t bits = bits_of(&waits);

		ctd_record_move_u32(cursor, &bits);
		move_figures(cursor, &waits, bits);
	}
}

/* @return 0, -ENOMEM or -EBADMSG. */
static int take_rows(struct ctd_record_cursor cursor, size_t bytes, struct ctd_snapshot *snapshot)
{
	struct ctd_waits *waits = calloc(snapshot->rows_count + 1, sizeof(*waits));

	if (!waits)
		return -ENOMEM;
	snapshot->waits = waits;
	for (size_t i = 0; i < snapshot->rows_count; i++) {
		uint32_t bits;
		size_t needed;

		if (bytes < sizeof(bits))
			return -EBADMSG;
		ctd_record_move_u32(&cursor, &bits);
		needed = 8 * (size_t)__builtin_popcount(bits);
		bytes -= sizeof(bits);
		if ((uint64_t)bits >> CTD_WAITS_FIGURES || bytes < needed)
			return -EBADMSG;
		move_figures(&cursor, &waits[i], bits);
		bytes -= needed;
	}
	return bytes ? -EBADMSG : 0;
}

int ctd_record_take_waits(struct ctd_record_held *held, struct ctd_snapshot *snapshot)
{
	struct ctd_record_items items;
	int r = ctd_record_take_held(held, &items);

	if (r <= 0)
		return r;
	/* Of a program that knew more of them, or less: they mean nothing here. */
	if (items.list.figures_count != CTD_WAITS_FIGURES)
		return 0;
	if (items.list.sequence != snapshot->sequence ||
	    items.list.items_count != snapshot->rows_count)
		return -EBADMSG;
	return take_rows(items.cursor, items.bytes, snapshot);
}
