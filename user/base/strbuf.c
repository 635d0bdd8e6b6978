/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* strbuf.c - grows a text piece by piece. */
#include "base/strbuf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for @p bytes more and the NUL. */
static bool reserve(struct ctd_strbuf *buffer, size_t bytes)
{
	size_t capacity = buffer->capacity ? buffer->capacity : 64;
	char *grown;

	if (buffer->failed)
		return false;
	if (bytes < buffer->capacity - buffer->bytes)
		return true;
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

void ctd_strbuf_add(struct ctd_strbuf *buffer, const char *text)
{
	ctd_strbuf_add_bytes(buffer, text, strlen(text));
}

void ctd_strbuf_add_bytes(struct ctd_strbuf *buffer, const char *text, size_t bytes)
{
	if (!reserve(buffer, bytes))
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
	if (!reserve(buffer, (size_t)bytes))
		return;
	va_start(arguments, format);
	vsnprintf(buffer->text + buffer->bytes, (size_t)bytes + 1, format, arguments);
	va_end(arguments);
	buffer->bytes += (size_t)bytes;
}

void ctd_strbuf_free(struct ctd_strbuf *buffer)
{
	if (!buffer)
		return;
	free(buffer->text);
	*buffer = (struct ctd_strbuf){0};
}
