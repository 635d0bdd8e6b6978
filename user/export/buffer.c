/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* buffer.c - lets a text or message grow. */
#include "export/buffer.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

/* Of a text that is drained. The compressor goes on from piece to piece by copying: with 64 KiB it
 * took a third longer, with this one nothing that could be measured. */
#define PIECE_BYTES (512 << 10)

int ctd_export_drain(struct ctd_export *text)
{
	if (!text->failed && text->bytes)
		text->failed = text->drain(text->data, text->bytes, text->drain_context);
	text->bytes = 0;
	return text->failed ? -ENOMEM : 0;
}

bool ctd_export_reserve(struct ctd_export *text, size_t bytes)
{
	size_t capacity = text->capacity ? text->capacity : text->drain ? PIECE_BYTES : 4096;
	char *grown;

	if (text->failed)
		return false;
	if (bytes <= text->capacity - text->bytes)
		return true;
	if (text->drain && text->bytes && ctd_export_drain(text))
		return false;
	if (bytes <= text->capacity - text->bytes)
		return true;
	while (capacity - text->bytes < bytes && capacity <= SIZE_MAX / 2)
		capacity *= 2;
	grown = capacity - text->bytes >= bytes ? realloc(text->data, capacity) : NULL;
	if (!grown) {
		text->failed = true;
		return false;
	}
	text->data = grown;
	text->capacity = capacity;
	return true;
}

void ctd_export_free(struct ctd_export *text)
{
	if (!text)
		return;
	free(text->data);
	*text = (struct ctd_export){0};
}
