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

/* The first allocation; blocks of names and plans fit. */
#define BLOCK_BYTES ((size_t)64 << 10)
/* Behind damage, blocks are looked for whose type is at most this: also those of newer versions, as
 * what they mark as required is not damaged. Others than known ones cost time in what is none. */
#define TYPES_MAX 63

int ctd_record_bad(char why[CTD_RECORD_WHY_BYTES], const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(why, CTD_RECORD_WHY_BYTES, format, arguments);
	va_end(arguments);
	return -EBADMSG;
}

static int cut_off(const struct ctd_record_file *file, char why[CTD_RECORD_WHY_BYTES])
{
	return ctd_record_bad(why,
			      "cut off: the block at byte %" PRIu64
			      " goes beyond the end at byte %" PRIu64,
			      file->offset, file->offset + file->held);
}

/* As read(2), of what follows the part of the block that is held. @return 0 at the end. */
static ssize_t read_on(const struct ctd_record_file *file, unsigned char *ret_data, size_t bytes)
{
	uint64_t left = file->bytes - file->offset - file->held;
	ssize_t count;

	if (file->fd < 0) {
		bytes = bytes < left ? bytes : (size_t)left;
		memcpy(ret_data, file->memory + file->offset + file->held, bytes);
		return (ssize_t)bytes;
	}
	count = TEMP_FAILURE_RETRY(read(file->fd, ret_data, bytes));
	return count < 0 ? -errno : count;
}

/* Room for @p bytes, or for twice what is there: a false size makes us allocate no more than that. */
static int reserve(struct ctd_record_file *file, size_t bytes)
{
	size_t capacity = file->capacity < BLOCK_BYTES ? BLOCK_BYTES : 2 * file->capacity;
	unsigned char *block;

	if (bytes <= file->capacity)
		return 0;
	capacity = bytes < capacity ? bytes : capacity;
	block = realloc(file->block, capacity);
	if (!block)
		return -ENOMEM;
	file->block = block;
	file->capacity = capacity;
	return 0;
}

/* Reads until the first @p bytes of the block are held. The size of a pipe is not known before its
 * end. @return 1, or 0 at the end of the file, with nothing of a block. */
static int hold(struct ctd_record_file *file, size_t bytes, char why[CTD_RECORD_WHY_BYTES])
{
	while (file->held < bytes) {
		size_t room;
		ssize_t count = file->held < file->capacity ? 0 : reserve(file, bytes);

		if (count < 0)
			return (int)count;
		room = bytes < file->capacity ? bytes : file->capacity;
		count = read_on(file, file->block + file->held, room - file->held);
		if (count < 0)
			return (int)count;
		if (!count)
			return file->held ? cut_off(file, why) : 0;
		file->held += (size_t)count;
	}
	return 1;
}

static void pass(struct ctd_record_file *file, uint64_t bytes)
{
	file->offset += bytes;
	file->held = 0;
}

int ctd_record_read_prologue(struct ctd_record_file *file, char why[CTD_RECORD_WHY_BYTES])
{
	struct ctd_record_cursor cursor = {0};
	uint32_t version;
	int result = hold(file, CTD_RECORD_PROLOGUE_BYTES, why);

	if (result == 0 || result == -EBADMSG)
		return ctd_record_bad(why, "not a recording: it ends at byte %zu", file->held);
	if (result < 0)
		return result;
	if (memcmp(file->block, CTD_RECORD_MAGIC, CTD_RECORD_MAGIC_BYTES) != 0)
		return ctd_record_bad(why,
				      "not a recording: byte 0 does not begin the mark of one");
	cursor.at = file->block + CTD_RECORD_MAGIC_BYTES;
	ctd_record_move_u32(&cursor, &version);
	if (version != CTD_RECORD_VERSION)
		return ctd_record_bad(why,
				      "format version %" PRIu32
				      " at byte %d, this program reads version %d",
				      version, CTD_RECORD_MAGIC_BYTES, CTD_RECORD_VERSION);
	pass(file, CTD_RECORD_PROLOGUE_BYTES);
	return 0;
}

int ctd_record_read_block(struct ctd_record_file *file, struct ctd_record_block *ret_block,
			  char why[CTD_RECORD_WHY_BYTES])
{
	struct ctd_record_cursor cursor = {0};
	struct ctd_record_head head;
	uint32_t crc;
	size_t bytes;
	int result = hold(file, CTD_RECORD_HEAD_BYTES, why);

	if (result <= 0)
		return result;
	cursor.at = file->block;
	ctd_record_move_head(&cursor, &head);
	if (head.bytes > CTD_RECORD_PAYLOAD_BYTES_MAX)
		return ctd_record_bad_block(file, why, "impossible size");
	bytes = (size_t)CTD_RECORD_HEAD_BYTES + head.bytes + CTD_RECORD_CRC_BYTES;
	result = hold(file, bytes, why);
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
	pass(file, (uint64_t)CTD_RECORD_HEAD_BYTES + block->head.bytes + CTD_RECORD_CRC_BYTES);
}

/* Is there a block of a type that may be at @p offset of the memory, with its checksum? */
static bool is_whole(const struct ctd_record_file *file, uint64_t offset)
{
	unsigned char copy[CTD_RECORD_HEAD_BYTES];
	struct ctd_record_cursor cursor = {.at = copy};
	const unsigned char *block = file->memory + offset;
	uint64_t left = file->bytes - offset, frame = CTD_RECORD_HEAD_BYTES + CTD_RECORD_CRC_BYTES;
	struct ctd_record_head head;
	uint32_t crc;

	if (left < frame)
		return false;
	memcpy(copy, block, CTD_RECORD_HEAD_BYTES);
	ctd_record_move_head(&cursor, &head);
	if (!head.type || head.type > TYPES_MAX || head.flags > CTD_RECORD_REQUIRED ||
	    head.bytes > left - frame)
		return false;
	memcpy(copy, block + CTD_RECORD_HEAD_BYTES + head.bytes, CTD_RECORD_CRC_BYTES);
	cursor.at = copy;
	ctd_record_move_u32(&cursor, &crc);
	return crc == crc32_z(0, block, CTD_RECORD_HEAD_BYTES + head.bytes);
}

bool ctd_record_find_block(struct ctd_record_file *file)
{
	for (uint64_t offset = file->offset + 1; offset < file->bytes; offset++)
		if (is_whole(file, offset)) {
			file->offset = offset;
			file->held = 0;
			return true;
		}
	return false;
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
