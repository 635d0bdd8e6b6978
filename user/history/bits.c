/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* bits.c - a stream of bits that is written and read by the same calls. */
#include "history/bits.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

#define LENGTH_BITS 7
/* A number that takes so many bits beside the low ones is written by its length. */
#define RICE_MAX 16

void ctd_bits_write(struct ctd_bits *bits, struct ctd_strbuf *out)
{
	*bits = (struct ctd_bits){.out = out};
}

void ctd_bits_read(struct ctd_bits *bits, const unsigned char *at, const unsigned char *end)
{
	*bits = (struct ctd_bits){.reads = true, .at = at, .end = end};
}

static void put(struct ctd_bits *bits, uint64_t value, unsigned int count)
{
	bits->bits |= (unsigned __int128)value << bits->count;
	bits->count += count;
	if (bits->count < 64)
		return;
	if (ctd_strbuf_reserve(bits->out, sizeof(uint64_t))) {
		uint64_t low = htole64((uint64_t)bits->bits);

		memcpy(bits->out->text + bits->out->bytes, &low, sizeof(low));
		bits->out->bytes += sizeof(low);
	}
	bits->bits >>= 64;
	bits->count -= 64;
}

static void fill(struct ctd_bits *bits)
{
	size_t left = (size_t)(bits->end - bits->at);
	uint64_t low = 0;

	if (left > sizeof(low))
		left = sizeof(low);
	memcpy(&low, bits->at, left);
	bits->bits |= (unsigned __int128)le64toh(low) << bits->count;
	bits->count += 8 * (unsigned int)left;
	bits->at += left;
}

static uint64_t take(struct ctd_bits *bits, unsigned int count)
{
	uint64_t value;

	if (bits->count < count)
		fill(bits);
	if (bits->count < count)
		bits->error = -EBADMSG;
	if (bits->error || !count)
		return 0;
	value = (uint64_t)bits->bits << (64 - count) >> (64 - count);
	bits->bits >>= count;
	bits->count -= count;
	return value;
}

uint64_t ctd_bits_plain(struct ctd_bits *bits, uint64_t value, unsigned int count)
{
	if (bits->reads)
		return take(bits, count);
	value = count ? value << (64 - count) >> (64 - count) : 0;
	put(bits, value, count);
	return value;
}

uint64_t ctd_bits_number(struct ctd_bits *bits, uint64_t value)
{
	unsigned int length =
		(unsigned int)ctd_bits_plain(bits, ctd_bits_length(value), LENGTH_BITS);

	if (length > 64)
		bits->error = -EBADMSG;
	return bits->error ? 0 : ctd_bits_plain(bits, value, length);
}

static void put_rice(struct ctd_bits *bits, uint64_t value, unsigned int low_bits)
{
	uint64_t high = low_bits < 64 ? value >> low_bits : 0;

	if (high >= RICE_MAX) {
		put(bits, 0, RICE_MAX);
		ctd_bits_number(bits, value);
		return;
	}
	put(bits, 1ull << high, (unsigned int)high + 1);
	ctd_bits_plain(bits, value, low_bits);
}

static uint64_t take_rice(struct ctd_bits *bits, unsigned int low_bits)
{
	unsigned int high;

	if (bits->count < RICE_MAX)
		fill(bits);
	high = (uint64_t)bits->bits ? (unsigned int)__builtin_ctzll((uint64_t)bits->bits) : 64;
	if (high >= RICE_MAX) {
		take(bits, RICE_MAX);
		return ctd_bits_number(bits, 0);
	}
	take(bits, high + 1);
	return (low_bits < 64 ? (uint64_t)high << low_bits : 0) | take(bits, low_bits);
}

uint64_t ctd_bits_rice(struct ctd_bits *bits, uint64_t value, unsigned int low_bits)
{
	if (bits->reads)
		return take_rice(bits, low_bits);
	put_rice(bits, value, low_bits);
	return value;
}

uint64_t ctd_bits_left(const struct ctd_bits *bits)
{
	return 8 * (uint64_t)(bits->end - bits->at) + bits->count;
}

int ctd_bits_end(struct ctd_bits *bits)
{
	uint64_t low = htole64((uint64_t)bits->bits);

	if (bits->reads)
		return bits->error || bits->at != bits->end || bits->count >= 8 ? -EBADMSG : 0;
	ctd_strbuf_add_bytes(bits->out, (const char *)&low, (bits->count + 7) / 8);
	return bits->out->failed ? -ENOMEM : 0;
}
