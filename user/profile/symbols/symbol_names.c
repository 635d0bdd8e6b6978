/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* symbol_names.c - many names in little memory: compressed, in blocks that are read one by one. */
#include "profile/symbols/symbol_names.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/search.h"

/* Raw, and of no larger window than a block and the longest name. */
#define WINDOW_BITS (-12)
#define MEMORY_LEVEL 6

/* The first NUL from @p at + CTD_SYMBOL_BLOCK_BYTES - 1 on ends the block. */
static size_t block_end(const char *text, size_t bytes, size_t at)
{
	const char *nul;

	if (bytes - at <= CTD_SYMBOL_BLOCK_BYTES)
		return bytes;
	at += CTD_SYMBOL_BLOCK_BYTES - 1;
	nul = memchr(text + at, '\0', bytes - at);
	return nul ? (size_t)(nul - text) + 1 : bytes;
}

/* Appends a block to the data. @return 0 or -ENOMEM. */
static int pack_block(z_stream *stream, const char *text, size_t bytes, size_t *data_bytes,
		      struct ctd_symbol_names *names)
{
	size_t bound = deflateBound(stream, bytes);
	void *grown = realloc(names->data, *data_bytes + bound);

	if (!grown)
		return -ENOMEM;
	names->data = grown;
	stream->next_in = (Bytef *)text;
	stream->avail_in = (uInt)bytes;
	stream->next_out = names->data + *data_bytes;
	stream->avail_out = (uInt)bound;
	if (deflate(stream, Z_FINISH) != Z_STREAM_END)
		return -ENOMEM;
	*data_bytes += bound - stream->avail_out;
	return deflateReset(stream) == Z_OK ? 0 : -ENOMEM;
}

static int pack_all(z_stream *stream, const char *text, size_t bytes,
		    struct ctd_symbol_names *names)
{
	size_t blocks_max = bytes / CTD_SYMBOL_BLOCK_BYTES + 1, data_bytes = 0, end;
	void *shrunk;

	names->blocks = calloc(blocks_max + 1, sizeof(*names->blocks));
	if (!names->blocks)
		return -ENOMEM;
	for (size_t at = 0; at < bytes; at = end) {
		struct ctd_symbol_block *block = &names->blocks[names->blocks_count++];

		end = block_end(text, bytes, at);
		block->text = at;
		block->data = (uint32_t)data_bytes;
		if (pack_block(stream, text + at, end - at, &data_bytes, names))
			return -ENOMEM;
	}
	names->blocks[names->blocks_count] = (struct ctd_symbol_block){bytes, (uint32_t)data_bytes};
	shrunk = realloc(names->data, data_bytes + !data_bytes);
	if (shrunk)
		names->data = shrunk;
	return 0;
}

int ctd_symbol_names_pack(const char *text, size_t bytes, struct ctd_symbol_names *ret_names)
{
	static uint64_t serials;
	struct ctd_symbol_names names = {.serial =
						 __atomic_add_fetch(&serials, 1, __ATOMIC_RELAXED)};
	z_stream stream = {0};
	int error;

	if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	error = pack_all(&stream, text, bytes, &names);
	deflateEnd(&stream);
	if (error) {
		ctd_symbol_names_free(&names);
		return error;
	}
	*ret_names = names;
	return 0;
}

/* @return false without memory. */
static bool read_block(const struct ctd_symbol_names *names, size_t block,
		       struct ctd_symbol_text *text)
{
	const struct ctd_symbol_block *from = &names->blocks[block];
	z_stream stream = {.next_in = names->data + from->data,
			   .avail_in = from[1].data - from->data,
			   .next_out = (Bytef *)text->text,
			   .avail_out = sizeof(text->text) - 1};
	int result;

	if (inflateInit2(&stream, WINDOW_BITS) != Z_OK)
		return false;
	result = inflate(&stream, Z_FINISH);
	inflateEnd(&stream);
	return result == Z_STREAM_END;
}

const char *ctd_symbol_names_at(const struct ctd_symbol_names *names, uint32_t at,
				struct ctd_symbol_text *text)
{
	size_t block;

	if (!names->blocks_count || at >= names->blocks[names->blocks_count].text)
		return "";
	block = ctd_search_up_to(names->blocks, names->blocks_count, sizeof(*names->blocks), at) -
		1;
	if (text->serial != names->serial || text->block != block) {
		text->serial = 0;
		if (!read_block(names, block, text))
			return "";
		text->serial = names->serial;
		text->block = block;
	}
	return text->text + (at - names->blocks[block].text);
}

size_t ctd_symbol_names_bytes(const struct ctd_symbol_names *names)
{
	if (!names->blocks)
		return 0;
	return names->blocks[names->blocks_count].data +
	       (names->blocks_count + 1) * sizeof(*names->blocks);
}

void ctd_symbol_names_free(struct ctd_symbol_names *names)
{
	if (!names)
		return;
	free(names->data);
	free(names->blocks);
	*names = (struct ctd_symbol_names){0};
}
