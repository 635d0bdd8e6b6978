/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* columns.h - numbers that are alike, each in about as many bits as it has. */
#ifndef HISTORY_COLUMNS_H
#define HISTORY_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/*
 * A column is the shortest length in bits that a number of it has (7 bits), how many bits say how
 * much longer one is (3 bits); and for each number these, and its bits below the highest. 0 has the
 * length 0. Low bits of counts are noise, which nothing can predict: nearly all that can be saved
 * is what says how long they are.
 */
struct ctd_column_writer {
	struct ctd_strbuf *out; /* borrowed */
	unsigned __int128 bits; /* not in `out` yet, the first one lowest */
	unsigned int bits_count;
};

void ctd_column_write(struct ctd_column_writer *writer, const uint64_t *values, size_t count);
/* Fills the last byte up with zeros. */
void ctd_column_end(struct ctd_column_writer *writer);

/* The first error stays, and all that follows is 0. */
struct ctd_column_reader {
	const unsigned char *at, *end; /* borrowed */
	unsigned __int128 bits;
	unsigned int bits_count;
	int error; /* -EBADMSG: there is no such column */
};

void ctd_column_read(struct ctd_column_reader *reader, uint64_t *ret_values, size_t count);

#endif
