/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* columns.c - writes numbers of one kind with as few bits as their lengths allow. */
#include "history/columns.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

#define SHORTEST_BITS 7
#define WIDTH_BITS 3

static unsigned int length_of(uint64_t value)
{
	return value ? 64 - (unsigned int)__builtin_clzll(value) : 0;
}

static void put(struct ctd_column_writer *writer, uint64_t value, unsigned int bits)
{
	writer->bits |= (unsigned __int128)value << writer->bits_count;
	writer->bits_count += bits;
	if (writer->bits_count < 64)
		return;
	if (ctd_strbuf_reserve(writer->out, sizeof(uint64_t))) {
		uint64_t low = htole64((uint64_t)writer->bits);

		memcpy(writer->out->text + writer->out->bytes, &low, sizeof(low));
		writer->out->bytes += sizeof(low);
	}
	writer->bits >>= 64;
	writer->bits_count -= 64;
}

void ctd_column_write(struct ctd_column_writer *writer, const uint64_t *values, size_t count)
{
	unsigned int shortest = 64, longest = 0, width;

	for (size_t i = 0; i < count; i++) {
		unsigned int length = length_of(values[i]);

		shortest = length < shortest ? length : shortest;
		longest = length > longest ? length : longest;
	}
	width = longest > shortest ? length_of(longest - shortest) : 0;
	put(writer, shortest, SHORTEST_BITS);
	put(writer, width, WIDTH_BITS);
	for (size_t i = 0; i < count; i++) {
		unsigned int length = length_of(values[i]);

		put(writer, length - shortest, width);
		if (length > 1)
			put(writer, values[i] ^ 1ull << (length - 1), length - 1);
	}
}

void ctd_column_end(struct ctd_column_writer *writer)
{
	unsigned int bytes = (writer->bits_count + 7) / 8;
	uint64_t low = htole64((uint64_t)writer->bits);

	ctd_strbuf_add_bytes(writer->out, (const char *)&low, bytes);
	writer->bits = 0;
	writer->bits_count = 0;
}

static void fill(struct ctd_column_reader *reader)
{
	size_t left = (size_t)(reader->end - reader->at);
	uint64_t low = 0;

	if (left > sizeof(low))
		left = sizeof(low);
	memcpy(&low, reader->at, left);
	reader->bits |= (unsigned __int128)le64toh(low) << reader->bits_count;
	reader->bits_count += 8 * (unsigned int)left;
	reader->at += left;
}

/* At most 64 bits. */
static uint64_t get(struct ctd_column_reader *reader, unsigned int bits)
{
	uint64_t value;

	if (reader->bits_count < bits)
		fill(reader);
	if (reader->bits_count < bits)
		reader->error = -EBADMSG;
	if (reader->error)
		return 0;
	value = bits ? (uint64_t)reader->bits << (64 - bits) >> (64 - bits) : 0;
	reader->bits >>= bits;
	reader->bits_count -= bits;
	return value;
}

void ctd_column_read(struct ctd_column_reader *reader, uint64_t *ret_values, size_t count)
{
	unsigned int shortest = (unsigned int)get(reader, SHORTEST_BITS);
	unsigned int width = (unsigned int)get(reader, WIDTH_BITS);

	for (size_t i = 0; i < count; i++) {
		unsigned int length = shortest + (unsigned int)get(reader, width);

		if (length > 64)
			reader->error = -EBADMSG;
		ret_values[i] = reader->error || !length
					? 0
					: get(reader, length - 1) | 1ull << (length - 1);
	}
}
