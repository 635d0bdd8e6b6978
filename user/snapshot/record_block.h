/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record_block.h - a record file as a sequence of blocks, whatever is in them. */
#ifndef SNAPSHOT_RECORD_BLOCK_H
#define SNAPSHOT_RECORD_BLOCK_H

#include "record_fields.h"

#define CTD_RECORD_WHY_BYTES 160

struct ctd_record_file {
	int fd; /* owned; -1: reads memory */
	const unsigned char *memory; /* borrowed */
	uint64_t bytes; /* of memory */
	uint64_t offset; /* of the next block */
	unsigned char *block; /* owned; what was read of it */
	size_t held, capacity;
};

struct ctd_record_block {
	struct ctd_record_head head;
	unsigned char *payload; /* within file->block, followed by the CRC; until the next block */
};

/* All that return int: 0 or more, -EBADMSG with a sentence in @p why, or other negative errno. */

/* Reads magic and version, and goes to the first block. */
int ctd_record_read_prologue(struct ctd_record_file *file, char why[CTD_RECORD_WHY_BYTES]);
/* Reads the block at file->offset, without passing it. @return 1, or 0 at the end of the file. */
int ctd_record_read_block(struct ctd_record_file *file, struct ctd_record_block *ret_block,
			  char why[CTD_RECORD_WHY_BYTES]);
void ctd_record_pass_block(struct ctd_record_file *file, const struct ctd_record_block *block);

/* Of memory: goes to the first whole block behind the one at file->offset, whose own size is not
 * believed. @return false: there is none. */
bool ctd_record_find_block(struct ctd_record_file *file);

/* Both write the sentence and return -EBADMSG. The second is of the block at file->offset. */
__attribute__((format(printf, 2, 3))) int ctd_record_bad(char why[CTD_RECORD_WHY_BYTES],
							 const char *format, ...);
int ctd_record_bad_block(const struct ctd_record_file *file, char why[CTD_RECORD_WHY_BYTES],
			 const char *what);

void ctd_record_file_close(struct ctd_record_file *file);

#endif
