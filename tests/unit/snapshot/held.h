/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* held.h - payloads of what belongs to a snapshot, held as the reader of recordings does. */
#ifndef TESTS_UNIT_SNAPSHOT_HELD_H
#define TESTS_UNIT_SNAPSHOT_HELD_H

#include <stdlib.h>

#include "snapshot/record_held.h"

/* What @p put writes of the snapshot, in exactly @p bytes. */
static inline struct ctd_record_held hold(const struct ctd_snapshot *snapshot, uint64_t bytes,
					  void (*put)(struct ctd_record_cursor *cursor,
						      const struct ctd_snapshot *snapshot))
{
	struct ctd_record_held held = {.payload = calloc(1, (size_t)bytes), .bytes = (size_t)bytes};
	struct ctd_record_cursor cursor = {.at = held.payload, .writing = true};

	assert_non_null(held.payload);
	put(&cursor, snapshot);
	assert_int_equal(cursor.at - held.payload, held.bytes);
	return held;
}

#endif
