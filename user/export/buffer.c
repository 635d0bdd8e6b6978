/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* buffer.c - lets a text or message grow. */
#include "export/buffer.h"

#include <stdint.h>
#include <stdlib.h>

bool ctd_export_reserve(struct ctd_export *text, size_t bytes)
{
	size_t capacity = text->capacity ? text->capacity : 4096;
	char *grown;

	if (text->failed)
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
