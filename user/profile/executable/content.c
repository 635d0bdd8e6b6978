/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* content.c - a number that stands for all that is read of an executable. */
#include "profile/executable/content.h"

#include <elf.h>
#include <stdbool.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "profile/elf/limits.h"

/*
 * The bytes are coefficients of a polynomial, whose value at a secret point modulo the prime 2^61 -
 * 1 is the hash: two polynomials of degree n agree at no more than n of all points (Carter and
 * Wegman, "Universal classes of hash functions", 1979).
 */
#define PRIME ((UINT64_C(1) << 61) - 1)
/* A coefficient: less than the prime, whatever they are. */
#define COEFFICIENT_BYTES 7

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

static void add_bytes(struct hash *hash, const void *bytes, size_t count)
{
	const char *at = bytes;

	/* One content cannot be another with a shorter part, and a longer one behind it. */
	add_coefficient(hash, count);
	for (; count >= COEFFICIENT_BYTES; count -= COEFFICIENT_BYTES, at += COEFFICIENT_BYTES) {
		uint64_t coefficient = 0;

		memcpy(&coefficient, at, COEFFICIENT_BYTES);
		add_coefficient(hash, coefficient);
	}
	if (count) {
		uint64_t coefficient = 0;

		memcpy(&coefficient, at, count);
		add_coefficient(hash, coefficient);
	}
}

/* Each part says whether it is there: where it is missing, what follows is not taken for it. */
static void add_frame(struct hash *hash, const struct ctd_elf *file)
{
	struct ctd_elf_section frame;
	bool has = !ctd_elf_section_named(file, ".eh_frame", CTD_EH_FRAME_BYTES_MAX, &frame);

	add_coefficient(hash, has);
	if (!has)
		return;
	add_bytes(hash, &frame.address, sizeof(frame.address));
	add_bytes(hash, frame.bytes, frame.count);
}

/* @p file: NULL if there is none. */
static void add_symbols(struct hash *hash, const struct ctd_elf *file, uint32_t type)
{
	struct ctd_elf_section symbols, strings;
	bool has = file && !ctd_elf_section_of_type(file, type, CTD_SYMBOLS_BYTES_MAX, &symbols) &&
		   !ctd_elf_section_numbered(file, symbols.link, CTD_STRINGS_BYTES_MAX, &strings);

	add_coefficient(hash, has);
	if (!has)
		return;
	add_bytes(hash, symbols.bytes, symbols.count);
	add_bytes(hash, strings.bytes, strings.count);
}

uint64_t ctd_content_of(const struct ctd_elf *file, const struct ctd_elf *debug,
			const struct ctd_content_secret *secret)
{
	struct hash hash = {.point = secret->point, .value = 1};
	/* What lies outside of it is left out when functions are read. */
	const uint64_t code[] = {file->code_start, file->code_end};

	add_coefficient(&hash, file->machine);
	add_bytes(&hash, code, sizeof(code));
	add_bytes(&hash, file->build_id.bytes, file->build_id.count);
	add_bytes(&hash, file->segments.segments,
		  file->segments.count * sizeof(*file->segments.segments));
	add_frame(&hash, file);
	add_symbols(&hash, file, SHT_SYMTAB);
	add_symbols(&hash, file, SHT_DYNSYM);
	add_symbols(&hash, debug, SHT_SYMTAB);
	return hash.value;
}
