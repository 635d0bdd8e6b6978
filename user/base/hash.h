/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* hash.h - a number that stands for bytes. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* FNV-1a, 64 bits: short, and good for names; anybody can find two of one hash. */
uint64_t ctd_hash(const void *bytes, size_t count);

#endif
