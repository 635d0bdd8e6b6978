/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* varint.c - encodes and decodes numbers as LEB128, which is protobuf's varint. */
#include "base/varint.h"

#include <errno.h>

size_t ctd_varint_encode(uint64_t value, char ret_bytes[CTD_VARINT_BYTES_MAX])
{
	size_t bytes = 0;

	for (; value >= 0x80; value >>= 7)
		ret_bytes[bytes++] = (char)(value | 0x80);
	ret_bytes[bytes++] = (char)value;
	return bytes;
}

void ctd_varint_add(struct ctd_strbuf *buffer, uint64_t value)
{
	if (ctd_strbuf_reserve(buffer, CTD_VARINT_BYTES_MAX))
		buffer->bytes += ctd_varint_encode(value, buffer->text + buffer->bytes);
}

int ctd_varint_take(const unsigned char **at, const unsigned char *end, uint64_t *ret_value)
{
	const unsigned char *byte = *at;
	uint64_t value = 0;

	for (unsigned int shift = 0; byte < end && shift < 64; shift += 7, byte++) {
		uint64_t bits = *byte & 0x7f;

		if (bits << shift >> shift != bits)
			return -EBADMSG;
		value |= bits << shift;
		if (*byte & 0x80)
			continue;
		*at = byte + 1;
		*ret_value = value;
		return 0;
	}
	return -EBADMSG;
}
