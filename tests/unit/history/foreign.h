/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* foreign.h - makes segments of what another version of the program might have written. */
#ifndef TESTS_UNIT_HISTORY_FOREIGN_H
#define TESTS_UNIT_HISTORY_FOREIGN_H

#include <string.h>

#include "../snapshot/recording.h"
#include "base/strbuf.h"

/* Types of required blocks that are not known: of an older version, and of newer ones. */
#define FOREIGN_OLDER 10
#define FOREIGN_NEWER (CTD_RECORD_TYPE_INTERVAL + 1)

/* Gives the blocks of intervals another type, with right checksums. */
static inline void foreign_make(struct ctd_strbuf *segment, uint32_t type)
{
	unsigned char *data = (unsigned char *)segment->text;
	size_t offset = CTD_RECORD_PROLOGUE_BYTES, bytes;

	for (; (bytes = block_bytes(data, segment->bytes, offset)) > 0; offset += bytes) {
		if (get_u32(data + offset) != CTD_RECORD_TYPE_INTERVAL)
			continue;
		put_u32(data + offset, type);
		seal_block(data, segment->bytes, offset);
	}
}

#endif
