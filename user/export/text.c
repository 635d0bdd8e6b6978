/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* text.c - grows a text by pieces and figures. */
#include "export/text.h"

#include <string.h>

#include "export/buffer.h"

#define NS_PER_S 1000000000u

void ctd_export_add_bytes(struct ctd_export *text, const char *bytes, size_t count)
{
	if (!count || !ctd_export_reserve(text, count))
		return;
	memcpy(text->data + text->bytes, bytes, count);
	text->bytes += count;
}

void ctd_export_add(struct ctd_export *text, const char *piece)
{
	ctd_export_add_bytes(text, piece, strlen(piece));
}

void ctd_export_add_count(struct ctd_export *text, uint64_t count)
{
	char digits[20];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + count % 10);
		count /= 10;
	} while (count);
	ctd_export_add_bytes(text, digits + at, sizeof(digits) - at);
}

void ctd_export_add_signed(struct ctd_export *text, int64_t count)
{
	if (count < 0)
		ctd_export_add_bytes(text, "-", 1);
	ctd_export_add_count(text, count < 0 ? -(uint64_t)count : (uint64_t)count);
}

void ctd_export_add_seconds(struct ctd_export *text, uint64_t ns)
{
	uint64_t rest = ns % NS_PER_S;
	char fraction[] = ".000000000";
	size_t bytes = sizeof(fraction) - 1;

	ctd_export_add_count(text, ns / NS_PER_S);
	if (!rest)
		return;
	for (size_t i = bytes; rest; rest /= 10)
		fraction[--i] = (char)('0' + rest % 10);
	while (fraction[bytes - 1] == '0')
		bytes--;
	ctd_export_add_bytes(text, fraction, bytes);
}
