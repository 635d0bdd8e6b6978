/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* bits.h - a stream of bits that is written and read by the same calls. */
#ifndef HISTORY_BITS_H
#define HISTORY_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/*
 * Writes or reads. Both directions call the same functions in the same order, so that one function
 * can code a thing both ways: a writer writes the value that it is given, a reader ignores it, and
 * both return what is in the stream.
 */
struct ctd_bits {
	bool reads;
	unsigned __int128 bits; /* not written or taken yet, the first one lowest */
	unsigned int count; /* of them */
	struct ctd_strbuf *out; /* borrowed; of a writer */
	const unsigned char *at, *end; /* borrowed; of a reader */
	int error; /* -EBADMSG: there is no such stream. The first one stays */
};

void ctd_bits_write(struct ctd_bits *bits, struct ctd_strbuf *out);
void ctd_bits_read(struct ctd_bits *bits, const unsigned char *at, const unsigned char *end);

/* The low @p count bits, at most 64; the others are 0. */
uint64_t ctd_bits_plain(struct ctd_bits *bits, uint64_t value, unsigned int count);
/* A whole number, of about as many bits as it has and seven. */
uint64_t ctd_bits_number(struct ctd_bits *bits, uint64_t value);
/* Golomb's code with a power of two (Rice): @p low_bits as they are, and a bit for each time that
 * they are too few; much larger numbers by their length. */
uint64_t ctd_bits_rice(struct ctd_bits *bits, uint64_t value, unsigned int low_bits);

/* How many bits a number has: 0 has none. */
static inline unsigned int ctd_bits_length(uint64_t value)
{
	return value ? 64 - (unsigned int)__builtin_clzll(value) : 0;
}

/* A number that may be negative as one that is small where it is near 0; and back. */
static inline uint64_t ctd_zigzag(uint64_t difference)
{
	return difference << 1 ^ (uint64_t) - (int64_t)(difference >> 63);
}

static inline uint64_t ctd_unzigzag(uint64_t value)
{
	return value >> 1 ^ (uint64_t) - (int64_t)(value & 1);
}

/* Of a reader: how many bits are there still, with those that fill the last byte. */
uint64_t ctd_bits_left(const struct ctd_bits *bits);
/* Fills the last byte with zeros, or looks whether all was read. @return 0, -ENOMEM or -EBADMSG. */
int ctd_bits_end(struct ctd_bits *bits);

#endif
