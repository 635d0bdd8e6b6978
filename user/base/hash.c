/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* hash.c - FNV-1a. */
#include "base/hash.h"

uint64_t ctd_hash(const void *bytes, size_t count)
{
	const unsigned char *at = bytes;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < count; i++)
		hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
	return hash;
}
