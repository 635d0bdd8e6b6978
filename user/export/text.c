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

/* Two digits at a time: a figure has ten or so, and there are many. */
static char *write_digits(char *end, uint64_t count)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";

	for (; count >= 100; count /= 100) {
		end -= 2;
		memcpy(end, &pairs[2 * (count % 100)], 2);
	}
	if (count >= 10) {
		end -= 2;
		memcpy(end, &pairs[2 * count], 2);
	} else {
		*--end = (char)('0' + count);
	}
	return end;
}

size_t ctd_figure_count(char figure[CTD_FIGURE_BYTES], uint64_t count)
{
	char digits[20];
	const char *first = write_digits(digits + sizeof(digits), count);
	size_t bytes = (size_t)(digits + sizeof(digits) - first);

	memcpy(figure, first, bytes);
	return bytes;
}

size_t ctd_figure_seconds(char figure[CTD_FIGURE_BYTES], uint64_t ns)
{
	char *end = figure + ctd_figure_count(figure, ns / NS_PER_S);
	uint64_t rest = ns % NS_PER_S;

	if (!rest)
		return (size_t)(end - figure);
	memcpy(end, ".00000000", 9);
	end += 10;
	write_digits(end, rest);
	while (end[-1] == '0')
		end--;
	return (size_t)(end - figure);
}

void ctd_export_add_count(struct ctd_export *text, uint64_t count)
{
	char figure[CTD_FIGURE_BYTES];
	size_t bytes = ctd_figure_count(figure, count);

	ctd_export_add_bytes(text, figure, bytes);
}

void ctd_export_add_signed(struct ctd_export *text, int64_t count)
{
	if (count < 0)
		ctd_export_add_bytes(text, "-", 1);
	ctd_export_add_count(text, count < 0 ? -(uint64_t)count : (uint64_t)count);
}

void ctd_export_add_seconds(struct ctd_export *text, uint64_t ns)
{
	char figure[CTD_FIGURE_BYTES];
	size_t bytes = ctd_figure_seconds(figure, ns);

	ctd_export_add_bytes(text, figure, bytes);
}
