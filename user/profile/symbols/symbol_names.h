/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* symbol_names.h - many names in little memory: compressed, in blocks that are read one by one. */
#ifndef PROFILE_SYMBOLS_SYMBOL_NAMES_H
#define PROFILE_SYMBOLS_SYMBOL_NAMES_H

#include <stddef.h>
#include <stdint.h>

/* Longer names are cut. */
#define CTD_SYMBOL_NAME_MAX 2048
/* A block ends with the name that reaches so far. Of 2 kB, names of C++ take 27 % of their text,
 * and one is read in 11 us; of 8 kB 22 %, and 33 us. */
#define CTD_SYMBOL_BLOCK_BYTES 2048

struct ctd_symbol_names {
	uint64_t serial; /* tells them from all others of this process; 0: there are none */
	unsigned char *data; /* owned; raw DEFLATE (RFC 1951), a stream for each block */
	/* Owned; where each block begins, in the text and in the data, and where the last one ends.
	 */
	struct ctd_symbol_block {
		uint64_t text;
		uint32_t data;
	} * blocks;
	size_t blocks_count; /* without the end */
};

/* The block that was read last; begin with {0}. */
struct ctd_symbol_text {
	uint64_t serial; /* of the names that it is of */
	size_t block;
	char text[CTD_SYMBOL_BLOCK_BYTES + CTD_SYMBOL_NAME_MAX + 1];
};

/* @p text: names of up to CTD_SYMBOL_NAME_MAX bytes, each ended by NUL. @return 0 or -ENOMEM. */
int ctd_symbol_names_pack(const char *text, size_t bytes, struct ctd_symbol_names *ret_names);
/* @return the name that began at @p at, in @p text; "" without memory. */
const char *ctd_symbol_names_at(const struct ctd_symbol_names *names, uint32_t at,
				struct ctd_symbol_text *text);
/* Memory that they take. */
size_t ctd_symbol_names_bytes(const struct ctd_symbol_names *names);
void ctd_symbol_names_free(struct ctd_symbol_names *names);

#endif
