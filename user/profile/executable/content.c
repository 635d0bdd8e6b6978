/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* content.c - a number that stands for all that is read of an executable. */
#include "profile/executable/content.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

/*
 * The bytes are coefficients of a polynomial, whose value at a secret point modulo the prime 2^61 -
 * 1 is the hash: two polynomials of degree n agree at no more than n of all points (Carter and
 * Wegman, "Universal classes of hash functions", 1979).
 */
#define PRIME ((UINT64_C(1) << 61) - 1)
/* A coefficient: less than the prime, whatever they are. */
#define COEFFICIENT_BYTES 7
/* Read at once. */
#define PIECE_BYTES (1024 * COEFFICIENT_BYTES)

struct hash {
	uint64_t point, value;
};

void ctd_content_secret_make(struct ctd_content_secret *secret)
{
	uint64_t random = 0;

	/* Also without: what must be guessed is only less. */
	if (getrandom(&random, sizeof(random), GRND_NONBLOCK) < 0)
		random = (uint64_t)time(NULL) * UINT64_C(0x9e3779b97f4a7c15);
	secret->point = random % PRIME;
}

static void add_coefficient(struct hash *hash, uint64_t coefficient)
{
	unsigned __int128 product = (unsigned __int128)hash->value * hash->point + coefficient;
	uint64_t value = (uint64_t)(product & PRIME) + (uint64_t)(product >> 61);

	hash->value = value >= PRIME ? value - PRIME : value;
}

/* Whole coefficients, but for the last ones of a content. */
static void add_piece(struct hash *hash, const void *bytes, size_t count)
{
	const char *at = bytes;

	while (count) {
		size_t some = count < COEFFICIENT_BYTES ? count : COEFFICIENT_BYTES;
		uint64_t coefficient = 0;

		memcpy(&coefficient, at, some);
		add_coefficient(hash, coefficient);
		at += some;
		count -= some;
	}
}

static void add_bytes(struct hash *hash, const void *bytes, size_t count)
{
	/* One content cannot be another with a shorter part, and a longer one behind it. */
	add_coefficient(hash, count);
	add_piece(hash, bytes, count);
}

/* Of one that is missing the count tells. @return 0 or -ENODATA. */
static int add_section(struct hash *hash, const struct ctd_elf *file,
		       const struct ctd_elf_section *section)
{
	char piece[PIECE_BYTES];
	size_t some;

	add_coefficient(hash, section->count);
	for (size_t at = 0; at < section->count; at += some) {
		some = section->count - at < sizeof(piece) ? section->count - at : sizeof(piece);
		if (ctd_elf_section_read(file, section, at, piece, some))
			return -ENODATA;
		add_piece(hash, piece, some);
	}
	return 0;
}

static int add_names(struct hash *hash, const struct ctd_elf_names *names)
{
	int error = add_section(hash, names->file, &names->symbols);

	return error ? error : add_section(hash, names->file, &names->strings);
}

int ctd_content_of(const struct ctd_elf_parts *parts, const struct ctd_content_secret *secret,
		   uint64_t *ret_content)
{
	const struct ctd_elf *file = parts->file;
	struct hash hash = {.point = secret->point, .value = 1};
	/* What lies outside of it is left out when functions are read. */
	const uint64_t code[] = {file->code_start, file->code_end};
	int error;

	add_coefficient(&hash, file->machine);
	add_bytes(&hash, code, sizeof(code));
	add_bytes(&hash, file->build_id.bytes, file->build_id.count);
	add_bytes(&hash, file->segments.segments,
		  file->segments.count * sizeof(*file->segments.segments));
	add_bytes(&hash, &parts->frame.address, sizeof(parts->frame.address));
	error = add_section(&hash, file, &parts->frame);
	if (!error)
		error = add_names(&hash, &parts->exported);
	if (!error)
		error = add_names(&hash, &parts->own);
	if (!error)
		error = add_names(&hash, &parts->debug);
	if (!error)
		*ret_content = hash.value;
	return error;
}
