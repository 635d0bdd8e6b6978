/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* intern.c - an open hash table of indices. */
#include "base/intern.h"

#include <errno.h>
#include <stdlib.h>

#define SLOTS_MIN 64

/* FNV's low bits are its best; these are of all of them. */
static size_t home_of(uint64_t hash, size_t slots_count)
{
	return (size_t)(hash * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (slots_count - 1);
}

size_t ctd_intern_find(const struct ctd_intern *intern, uint64_t hash, ctd_intern_equal *equal,
		       const void *wanted)
{
	if (!intern->slots_count)
		return intern->count;
	for (size_t at = home_of(hash, intern->slots_count);;
	     at = (at + 1) & (intern->slots_count - 1)) {
		uint32_t slot = intern->slots[at];

		if (!slot)
			return intern->count;
		if (intern->hashes[slot - 1] == hash && equal(slot - 1, wanted))
			return slot - 1;
	}
}

static void place(uint32_t *slots, size_t slots_count, uint64_t hash, size_t index)
{
	size_t at = home_of(hash, slots_count);

	while (slots[at])
		at = (at + 1) & (slots_count - 1);
	slots[at] = (uint32_t)index + 1;
}

int ctd_intern_reserve(struct ctd_intern *intern)
{
	size_t slots_count = intern->slots_count ? 2 * intern->slots_count : SLOTS_MIN;
	uint64_t *hashes;
	uint32_t *slots;

	if (2 * intern->count + 2 < intern->slots_count)
		return 0;
	if (slots_count > UINT32_MAX)
		return -ENOMEM;
	hashes = reallocarray(intern->hashes, slots_count / 2, sizeof(*hashes));
	if (!hashes)
		return -ENOMEM;
	intern->hashes = hashes;
	slots = calloc(slots_count, sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	for (size_t i = 0; i < intern->count; i++)
		place(slots, slots_count, hashes[i], i);
	free(intern->slots);
	intern->slots = slots;
	intern->slots_count = slots_count;
	return 0;
}

void ctd_intern_add(struct ctd_intern *intern, uint64_t hash)
{
	place(intern->slots, intern->slots_count, hash, intern->count);
	intern->hashes[intern->count++] = hash;
}

void ctd_intern_free(struct ctd_intern *intern)
{
	free(intern->hashes);
	free(intern->slots);
	*intern = (struct ctd_intern){0};
}
