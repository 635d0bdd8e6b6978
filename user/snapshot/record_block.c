/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record_block.c - reads a record file block by block, believing nothing that it says of its size. */
#include "record_block.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

int ctd_record_bad(char why[CTD_RECORD_WHY_BYTES], const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(why, CTD_RECORD_WHY_BYTES, format, arguments);
	va_end(arguments);
	return -EBADMSG;
}

/* Reads @p bytes at @p offset, which must lie within file->bytes. */
static int read_at(const struct ctd_record_file *file, uint64_t offset, unsigned char *ret_data,
		   size_t bytes, char why[CTD_RECORD_WHY_BYTES])
{
	if (file->fd < 0) {
		memcpy(ret_data, file->memory + offset, bytes);
		return 0;
	}
	while (bytes > 0) {
		ssize_t count = pread(file->fd, ret_data, bytes, (off_t)offset);

		if (count < 0) {
			if (errno == EINTR)
				continue;
			return -errno;
		}
		if (count == 0)
			return ctd_record_bad(why, "cut off at byte %" PRIu64 " while it was read",
					      offset);
		ret_data += count;
		offset += (uint64_t)count;
		bytes -= (size_t)count;
	}
	return 0;
}

int ctd_record_read_prologue(struct ctd_record_file *file, char why[CTD_RECORD_WHY_BYTES])
{
	unsigned char prologue[CTD_RECORD_PROLOGUE_BYTES];
	struct ctd_record_cursor cursor = {.at = prologue + CTD_RECORD_MAGIC_BYTES};
	uint32_t version;
	int result;

	if (file->bytes < sizeof(prologue))
		return ctd_record_bad(why, "not a recording: it ends at byte %" PRIu64,
				      file->bytes);
	result = read_at(file, 0, prologue, sizeof(prologue), why);
	if (result < 0)
		return result;
	if (memcmp(prologue, CTD_RECORD_MAGIC, CTD_RECORD_MAGIC_BYTES) != 0)
		return ctd_record_bad(why,
				      "not a recording: byte 0 does not begin the mark of one");
	ctd_record_move_u32(&cursor, &version);
	if (version != CTD_RECORD_VERSION)
		return ctd_record_bad(why,
				      "format version %" PRIu32
				      " at byte %d, this program reads version %d",
				      version, CTD_RECORD_MAGIC_BYTES, CTD_RECORD_VERSION);
	file->offset = CTD_RECORD_PROLOGUE_BYTES;
	return 0;
}

/* Makes room for a block of which the file has every byte: a false size cannot make us allocate. */
static int reserve(struct ctd_record_file *file, size_t bytes)
{
	unsigned char *block;

	if (bytes <= file->capacity)
		return 0;
	block = realloc(file->block, bytes);
	if (!block)
		return -ENOMEM;
	file->block = block;
	file->capacity = bytes;
	return 0;
}

static int cut_off(const struct ctd_record_file *file, char why[CTD_RECORD_WHY_BYTES])
{
	return ctd_record_bad(why,
			      "cut off: the block at byte %" PRIu64
			      " goes beyond the end at byte %" PRIu64,
			      file->offset, file->bytes);
}

int ctd_record_read_block(struct ctd_record_file *file, struct ctd_record_block *ret_block,
			  char why[CTD_RECORD_WHY_BYTES])
{
	unsigned char head_bytes[CTD_RECORD_HEAD_BYTES];
	struct ctd_record_cursor cursor = {.at = head_bytes};
	uint64_t left = file->bytes - file->offset;
	struct ctd_record_head head;
	uint32_t crc;
	size_t bytes;
	int result;

	if (left == 0)
		return 0;
	if (left < CTD_RECORD_HEAD_BYTES + CTD_RECORD_CRC_BYTES)
		return cut_off(file, why);
	result = read_at(file, file->offset, head_bytes, sizeof(head_bytes), why);
	if (result < 0)
		return result;
	ctd_record_move_head(&cursor, &head);
	if (head.bytes > CTD_RECORD_PAYLOAD_BYTES_MAX)
		return ctd_record_bad_block(file, why, "impossible size");
	bytes = (size_t)CTD_RECORD_HEAD_BYTES + head.bytes + CTD_RECORD_CRC_BYTES;
	if (left < bytes)
		return cut_off(file, why);

	result = reserve(file, bytes);
	if (!result)
		result = read_at(file, file->offset, file->block, bytes, why);
	if (result < 0)
		return result;
	cursor.at = file->block + CTD_RECORD_HEAD_BYTES + head.bytes;
	ctd_record_move_u32(&cursor, &crc);
	if (crc != crc32_z(0, file->block, bytes - CTD_RECORD_CRC_BYTES))
		return ctd_record_bad_block(file, why, "wrong checksum");
	*ret_block = (struct ctd_record_block){head, file->block + CTD_RECORD_HEAD_BYTES};
	return 1;
}

void ctd_record_pass_block(struct ctd_record_file *file, const struct ctd_record_block *block)
{
	file->offset += (uint64_t)CTD_RECORD_HEAD_BYTES + block->head.bytes + CTD_RECORD_CRC_BYTES;
}

int ctd_record_bad_block(const struct ctd_record_file *file, char why[CTD_RECORD_WHY_BYTES],
			 const char *what)
{
	return ctd_record_bad(why, "damaged: %s in the block at byte %" PRIu64, what, file->offset);
}

void ctd_record_file_close(struct ctd_record_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	free(file->block);
}
