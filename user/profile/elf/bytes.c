/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* bytes.c - reads numbers from foreign bytes, in the encodings of DWARF, never beyond their end. */
#include "profile/elf/bytes.h"

size_t ctd_bytes_left(const struct ctd_bytes *bytes)
{
	return bytes->failed ? 0 : (size_t)(bytes->end - bytes->at);
}

static void skip(struct ctd_bytes *bytes, size_t count)
{
	bytes->at += count;
	bytes->address += count;
}

static uint64_t fail(struct ctd_bytes *bytes)
{
	bytes->failed = true;
	return 0;
}

uint64_t ctd_bytes_number(struct ctd_bytes *bytes, size_t size)
{
	uint64_t number = 0;

	if (ctd_bytes_left(bytes) < size)
		return fail(bytes);
	for (size_t i = 0; i < size; i++)
		number |= (uint64_t)bytes->at[i] << (8 * i);
	skip(bytes, size);
	return number;
}

/* Sets *ret_bits to how many the number was encoded in. Bits beyond 64 are dropped. */
static uint64_t read_leb(struct ctd_bytes *bytes, unsigned int *ret_bits, bool *ret_negative)
{
	uint64_t number = 0;
	unsigned int bits = 0;
	uint8_t byte;

	do {
		if (!ctd_bytes_left(bytes))
			return fail(bytes);
		byte = *bytes->at;
		skip(bytes, 1);
		if (bits < 64)
			number |= (uint64_t)(byte & 0x7f) << bits;
		bits += 7;
	} while (byte & 0x80);
	*ret_bits = bits;
	*ret_negative = byte & 0x40;
	return number;
}

uint64_t ctd_bytes_uleb(struct ctd_bytes *bytes)
{
	unsigned int bits = 0;
	bool negative = false;

	return read_leb(bytes, &bits, &negative);
}

int64_t ctd_bytes_sleb(struct ctd_bytes *bytes)
{
	unsigned int bits = 0;
	bool negative = false;
	uint64_t number = read_leb(bytes, &bits, &negative);

	if (negative && bits < 64)
		number |= UINT64_MAX << bits;
	return (int64_t)number;
}

struct ctd_bytes ctd_bytes_take(struct ctd_bytes *bytes, uint64_t count)
{
	struct ctd_bytes taken = *bytes;

	if (count > ctd_bytes_left(bytes)) {
		fail(bytes);
		fail(&taken);
		return taken;
	}
	taken.end = taken.at + count;
	skip(bytes, (size_t)count);
	return taken;
}

static uint64_t read_format(struct ctd_bytes *bytes, uint8_t format)
{
	switch (format) {
	case CTD_POINTER_ABSOLUTE:
	case CTD_POINTER_U64:
	case CTD_POINTER_S64:
		return ctd_bytes_number(bytes, 8);
	case CTD_POINTER_ULEB:
		return ctd_bytes_uleb(bytes);
	case CTD_POINTER_SLEB:
		return (uint64_t)ctd_bytes_sleb(bytes);
	case CTD_POINTER_U16:
		return ctd_bytes_number(bytes, 2);
	case CTD_POINTER_S16:
		return (uint64_t)(int64_t)(int16_t)ctd_bytes_number(bytes, 2);
	case CTD_POINTER_U32:
		return ctd_bytes_number(bytes, 4);
	case CTD_POINTER_S32:
		return (uint64_t)(int64_t)(int32_t)ctd_bytes_number(bytes, 4);
	default:
		return fail(bytes);
	}
}

uint64_t ctd_bytes_pointer(struct ctd_bytes *bytes, uint8_t encoding)
{
	uint64_t address = bytes->address;
	uint64_t value;

	if (encoding == CTD_POINTER_OMITTED)
		return fail(bytes);
	value = read_format(bytes, encoding & CTD_POINTER_FORMAT);
	switch (encoding & CTD_POINTER_APPLICATION) {
	case 0:
		return value;
	case CTD_POINTER_RELATIVE:
		return bytes->failed ? 0 : value + address;
	default:
		return fail(bytes);
	}
}
