/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* protobuf.c - appends fields in protobuf's wire format. */
#include "base/protobuf.h"

#include <endian.h>
#include <string.h>

#include "base/utf8.h"
#include "base/varint.h"

enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2 };

static void add_bytes(struct ctd_strbuf *message, const void *bytes, size_t count)
{
	if (!ctd_strbuf_reserve(message, count))
		return;
	memcpy(message->text + message->bytes, bytes, count);
	message->bytes += count;
}

static void add_key(struct ctd_strbuf *message, int field, enum wire_type type)
{
	ctd_varint_add(message, (uint64_t)field << 3 | type);
}

size_t ctd_protobuf_begin(struct ctd_strbuf *message, int field)
{
	add_key(message, field, WIRE_BYTES);
	/* Most messages are short: of their length only the first byte has its place yet. */
	add_bytes(message, "", 1);
	return message->bytes;
}

void ctd_protobuf_end(struct ctd_strbuf *message, size_t mark)
{
	char length[CTD_VARINT_BYTES_MAX];
	size_t bytes, more;

	/* Without memory what is there is less than a mark may say. */
	if (message->failed)
		return;
	bytes = message->bytes - mark;
	more = ctd_varint_encode(bytes, length) - 1;
	if (!ctd_strbuf_reserve(message, more))
		return;
	if (more)
		memmove(message->text + mark + more, message->text + mark, bytes);
	memcpy(message->text + mark - 1, length, more + 1);
	message->bytes += more;
}

void ctd_protobuf_varint(struct ctd_strbuf *message, int field, uint64_t value)
{
	add_key(message, field, WIRE_VARINT);
	ctd_varint_add(message, value);
}

void ctd_protobuf_fixed64(struct ctd_strbuf *message, int field, uint64_t value)
{
	uint64_t little = htole64(value);

	add_key(message, field, WIRE_FIXED64);
	add_bytes(message, &little, sizeof(little));
}

static uint64_t bits_of(double value)
{
	uint64_t bits;

	_Static_assert(sizeof(bits) == sizeof(value), "a double has 64 bits");
	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

void ctd_protobuf_double(struct ctd_strbuf *message, int field, double value)
{
	ctd_protobuf_fixed64(message, field, bits_of(value));
}

void ctd_protobuf_fixed64s(struct ctd_strbuf *message, int field, const uint64_t *values,
			   size_t count)
{
	size_t mark = ctd_protobuf_begin(message, field);

	for (size_t i = 0; i < count; i++) {
		uint64_t little = htole64(values[i]);

		add_bytes(message, &little, sizeof(little));
	}
	ctd_protobuf_end(message, mark);
}

void ctd_protobuf_doubles(struct ctd_strbuf *message, int field, const double *values, size_t count)
{
	size_t mark = ctd_protobuf_begin(message, field);

	for (size_t i = 0; i < count; i++) {
		uint64_t little = htole64(bits_of(values[i]));

		add_bytes(message, &little, sizeof(little));
	}
	ctd_protobuf_end(message, mark);
}

void ctd_protobuf_text(struct ctd_strbuf *message, int field, const char *text)
{
	size_t mark = ctd_protobuf_begin(message, field), next;
	const char *good = text, *at;
	int code = 0;

	for (at = text; *at; at += next) {
		/* Nearly all is ASCII, and a request has millions of it. */
		next = (signed char)*at > 0 ? 1 : ctd_utf8_next(at, &code);
		if (code >= 0)
			continue;
		code = 0;
		add_bytes(message, good, (size_t)(at - good));
		add_bytes(message, "\xef\xbf\xbd", 3);
		good = at + next;
	}
	add_bytes(message, good, (size_t)(at - good));
	ctd_protobuf_end(message, mark);
}
