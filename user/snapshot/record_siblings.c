/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record_siblings.c - the block of a snapshot's parts of rows: of each row those that are not 0. */
#include "record_siblings.h"

#include <errno.h>
#include <stdlib.h>

/* oncpu_ns, running_ns, counts. */
static uint32_t figures_count(const struct ctd_snapshot *snapshot)
{
	return 2 + snapshot->counters_count;
}

static bool is_there(const struct ctd_sibling_part *part, uint32_t counters_count)
{
	uint64_t any = part->oncpu_ns | part->running_ns;

	for (uint32_t i = 0; i < counters_count; i++)
		any |= part->count[i];
	return any;
}

static uint32_t bits_of(const struct ctd_snapshot *snapshot, size_t row)
{
	uint32_t bits = 0;

	for (int i = 0; i < CTD_SIBLINGS; i++)
		if (is_there(&snapshot->siblings[row * CTD_SIBLINGS + (size_t)i],
			     snapshot->counters_count))
			bits |= 1u << i;
	return bits;
}

static void move_part(struct ctd_record_cursor *cursor, struct ctd_sibling_part *part,
		      uint32_t counters_count)
{
	ctd_record_move_u64(cursor, &part->oncpu_ns);
	ctd_record_move_u64(cursor, &part->running_ns);
	for (uint32_t i = 0; i < counters_count; i++)
		ctd_record_move_u64(cursor, &part->count[i]);
}

uint64_t ctd_record_siblings_bytes(const struct ctd_snapshot *snapshot)
{
	uint64_t bytes = CTD_RECORD_LIST_BYTES + 4 * (uint64_t)snapshot->rows_count;

	for (size_t i = 0; i < snapshot->rows_count; i++)
		bytes += 8 * (uint64_t)figures_count(snapshot) *
			 (uint64_t)__builtin_popcount(bits_of(snapshot, i));
	return bytes;
}

void ctd_record_put_siblings(struct ctd_record_cursor *cursor, const struct ctd_snapshot *snapshot)
{
	struct ctd_record_list head = {.sequence = snapshot->sequence,
				       .items_count = (uint32_t)snapshot->rows_count,
				       .figures_count = figures_count(snapshot)};

	ctd_record_move_list(cursor, &head);
	for (size_t row = 0; row < snapshot->rows_count; row++) {
		uint32_t bits = bits_of(snapshot, row);

		ctd_record_move_u32(cursor, &bits);
		for (int i = 0; i < CTD_SIBLINGS; i++) {
			struct ctd_sibling_part part =
				snapshot->siblings[row * CTD_SIBLINGS + (size_t)i];

			if (bits & 1u << i)
				move_part(cursor, &part, snapshot->counters_count);
		}
	}
}

/* The parts are the row. */
static bool are_row(const struct ctd_sibling_part parts[CTD_SIBLINGS],
		    const struct ctd_snapshot_row *row, uint32_t counters_count)
{
	struct ctd_sibling_part sum = {0};
	bool equal;

	for (int i = 0; i < CTD_SIBLINGS; i++) {
		sum.oncpu_ns += parts[i].oncpu_ns;
		sum.running_ns += parts[i].running_ns;
		for (uint32_t at = 0; at < counters_count; at++)
			sum.count[at] += parts[i].count[at];
	}
	equal = sum.oncpu_ns == row->oncpu_ns && sum.running_ns == row->running_ns;
	for (uint32_t at = 0; at < counters_count; at++)
		equal &= sum.count[at] == row->count[at];
	return equal;
}

/* @return 0, -ENOMEM or -EBADMSG. */
static int take_rows(struct ctd_record_cursor cursor, size_t bytes, struct ctd_snapshot *snapshot)
{
	struct ctd_sibling_part *parts =
		calloc(snapshot->rows_count + 1, CTD_SIBLINGS * sizeof(*parts));

	if (!parts)
		return -ENOMEM;
	snapshot->siblings = parts;
	for (size_t row = 0; row < snapshot->rows_count; row++, parts += CTD_SIBLINGS) {
		uint32_t bits;
		size_t needed;

		if (bytes < sizeof(bits))
			return -EBADMSG;
		ctd_record_move_u32(&cursor, &bits);
		needed = 8 * (size_t)figures_count(snapshot) * (size_t)__builtin_popcount(bits);
		bytes -= sizeof(bits);
		if (bits >> CTD_SIBLINGS || bytes < needed)
			return -EBADMSG;
		for (int i = 0; i < CTD_SIBLINGS; i++)
			if (bits & 1u << i)
				move_part(&cursor, &parts[i], snapshot->counters_count);
		if (!are_row(parts, &snapshot->rows[row], snapshot->counters_count))
			return -EBADMSG;
		bytes -= needed;
	}
	return bytes ? -EBADMSG : 0;
}

int ctd_record_take_siblings(struct ctd_record_held *held, struct ctd_snapshot *snapshot)
{
	struct ctd_record_items items;
	int r = ctd_record_take_held(held, &items);

	if (r <= 0)
		return r;
	if (items.list.sequence != snapshot->sequence ||
	    items.list.items_count != snapshot->rows_count ||
	    items.list.figures_count != figures_count(snapshot))
		return -EBADMSG;
	return take_rows(items.cursor, items.bytes, snapshot);
}
