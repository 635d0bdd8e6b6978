/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* bytes.h - reads numbers from foreign bytes, in the encodings of DWARF, never beyond their end. */
#ifndef PROFILE_ELF_BYTES_H
#define PROFILE_ELF_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is read next of some bytes. Reading beyond the end gives 0 and sets `failed`; then all is 0.
 */
struct ctd_bytes {
	const uint8_t *at; /* borrowed, like all up to end */
	const uint8_t *end;
	uint64_t address; /* of `at`, where the process has it */
	bool failed;
};

size_t ctd_bytes_left(const struct ctd_bytes *bytes);
/* A little-endian number of 1, 2, 4 or 8 bytes. */
uint64_t ctd_bytes_number(struct ctd_bytes *bytes, size_t size);
uint64_t ctd_bytes_uleb(struct ctd_bytes *bytes);
int64_t ctd_bytes_sleb(struct ctd_bytes *bytes);
/* The next @p count bytes as bytes of their own; these go on behind them. */
struct ctd_bytes ctd_bytes_take(struct ctd_bytes *bytes, uint64_t count);

/* DW_EH_PE_*: how .eh_frame encodes a pointer. */
enum {
	CTD_POINTER_ABSOLUTE = 0x00,
	CTD_POINTER_ULEB = 0x01,
	CTD_POINTER_U16 = 0x02,
	CTD_POINTER_U32 = 0x03,
	CTD_POINTER_U64 = 0x04,
	CTD_POINTER_SLEB = 0x09,
	CTD_POINTER_S16 = 0x0a,
	CTD_POINTER_S32 = 0x0b,
	CTD_POINTER_S64 = 0x0c,
	CTD_POINTER_FORMAT = 0x0f,
	CTD_POINTER_RELATIVE = 0x10, /* to its own address */
	CTD_POINTER_APPLICATION = 0x70,
	CTD_POINTER_OMITTED = 0xff,
};
/* A pointer; one that is relative to something else than itself sets `failed`. */
uint64_t ctd_bytes_pointer(struct ctd_bytes *bytes, uint8_t encoding);

#endif
