/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* strbuf.c - grows a text piece by piece. */
#include "base/strbuf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"

#define LEAST_BYTES 64
/* Of a text that is drained. The compressor copies its window from piece to piece: pieces of 64 KiB
 * take a tenth longer, larger ones no less. */
#define PIECE_BYTES (256 << 10)

int ctd_strbuf_drain(struct ctd_strbuf *buffer)
{
	if (!buffer->failed && buffer->bytes)
		buffer->failed =
			buffer->drain->take(buffer->drain_context, buffer->text, buffer->bytes);
	buffer->bytes = 0;
	return buffer->failed ? -ENOMEM : 0;
}

bool ctd_strbuf_begin_part(struct ctd_strbuf *buffer, uint64_t version)
{
	int result;

	if (!buffer->drain)
		return !buffer->failed;
	if (ctd_strbuf_drain(buffer))
		return false;
	result = buffer->drain->begin_part(buffer->drain_context, version);
	buffer->failed = result < 0;
	return result == 0;
}

void ctd_strbuf_end_part(struct ctd_strbuf *buffer)
{
	if (buffer->drain && !ctd_strbuf_drain(buffer))
		buffer->failed = buffer->drain->end_part(buffer->drain_context);
}

static bool grow(struct ctd_strbuf *buffer, size_t bytes)
{
	size_t capacity = buffer->capacity;
	char *grown;

	if (!capacity)
		capacity = buffer->drain ? PIECE_BYTES : LEAST_BYTES;
	while (capacity - buffer->bytes <= bytes && capacity <= SIZE_MAX / 2)
		capacity *= 2;
	grown = capacity - buffer->bytes > bytes ? realloc(buffer->text, capacity) : NULL;
	if (!grown) {
		buffer->failed = true;
		return false;
	}
	buffer->text = grown;
	buffer->capacity = capacity;
	return true;
}

bool ctd_strbuf_reserve(struct ctd_strbuf *buffer, size_t bytes)
{
	if (buffer->failed)
		return false;
	if (bytes < buffer->capacity - buffer->bytes)
		return true;
	if (buffer->drain && buffer->bytes) {
		if (ctd_strbuf_drain(buffer))
			return false;
		if (bytes < buffer->capacity)
			return true;
	}
	return grow(buffer, bytes);
}

void ctd_strbuf_add(struct ctd_strbuf *buffer, const char *text)
{
	ctd_strbuf_add_bytes(buffer, text, strlen(text));
}

void ctd_strbuf_add_bytes(struct ctd_strbuf *buffer, const char *text, size_t bytes)
{
	if (!ctd_strbuf_reserve(buffer, bytes))
		return;
	memcpy(buffer->text + buffer->bytes, text, bytes);
	buffer->bytes += bytes;
	buffer->text[buffer->bytes] = '\0';
}

void ctd_strbuf_addf(struct ctd_strbuf *buffer, const char *format, ...)
{
	va_list arguments;
	int bytes;

	va_start(arguments, format);
	bytes = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	if (bytes < 0) {
		buffer->failed = true;
		return;
	}
	if (!ctd_strbuf_reserve(buffer, (size_t)bytes))
		return;
	va_start(arguments, format);
	vsnprintf(buffer->text + buffer->bytes, (size_t)bytes + 1, format, arguments);
	va_end(arguments);
	buffer->bytes += (size_t)bytes;
}

void ctd_strbuf_add_count(struct ctd_strbuf *buffer, uint64_t count)
{
	char digits[CTD_DIGITS_BYTES];
	size_t bytes = ctd_digits_count(digits, count);

	ctd_strbuf_add_bytes(buffer, digits, bytes);
}

void ctd_strbuf_free(struct ctd_strbuf *buffer)
{
	if (!buffer)
		return;
	free(buffer->text);
	*buffer = (struct ctd_strbuf){0};
}
