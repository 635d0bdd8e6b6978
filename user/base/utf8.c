/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* utf8.c - reads UTF-8 without trusting it. Path names are bytes; files out must be text. */
#include "base/utf8.h"

#include <string.h>

#include <stdint.h>

#include "base/auto.h"

/* "\x1b" */
#define ESCAPE_BYTES 4

/* Table 3-7 of the Unicode standard: lengths and the bounds of the second byte, by first byte. */
static const struct sequence {
	unsigned char first, last;
	unsigned char bytes;
	unsigned char second_min, second_max;
} sequences[] = {
	{0xc2, 0xdf, 2, 0x80, 0xbf}, {0xe0, 0xe0, 3, 0xa0, 0xbf}, {0xe1, 0xec, 3, 0x80, 0xbf},
	{0xed, 0xed, 3, 0x80, 0x9f}, {0xee, 0xef, 3, 0x80, 0xbf}, {0xf0, 0xf0, 4, 0x90, 0xbf},
	{0xf1, 0xf3, 4, 0x80, 0xbf}, {0xf4, 0xf4, 4, 0x80, 0x8f},
};

static const struct sequence *find_sequence(unsigned char first)
{
	for (size_t i = 0; i < sizeof(sequences) / sizeof(sequences[0]); i++)
		if (first >= sequences[i].first && first <= sequences[i].last)
			return &sequences[i];
	return NULL;
}

size_t ctd_utf8_next(const char *text, int *ret_code)
{
	const unsigned char *bytes = (const unsigned char *)text;
	const struct sequence *sequence = find_sequence(bytes[0]);
	int code;

	if (bytes[0] < 0x80) {
		*ret_code = bytes[0];
		return 1;
	}
	*ret_code = -1;
	/* The final NUL is no continuation byte, so this never reads beyond it. */
	if (!sequence || bytes[1] < sequence->second_min || bytes[1] > sequence->second_max)
		return 1;
	code = (bytes[0] & (0xff >> (sequence->bytes + 1))) << 6 | (bytes[1] & 0x3f);
	for (size_t i = 2; i < sequence->bytes; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 1;
		code = code << 6 | (bytes[i] & 0x3f);
	}
	*ret_code = code;
	return sequence->bytes;
}

size_t ctd_utf8_encode(int code, char ret_text[5])
{
	size_t bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};

	ret_text[bytes] = '\0';
	for (size_t i = bytes - 1; i > 0; i--, code >>= 6)
		ret_text[i] = (char)(0x80 | (code & 0x3f));
	ret_text[0] = (char)(first[bytes] | code);
	return bytes;
}

bool ctd_utf8_is_control(int code)
{
	return (code >= 0 && code < 0x20) || (code >= 0x7f && code < 0xa0);
}

void ctd_utf8_mask_controls(char *text)
{
	char *to = text;
	int code;

	for (size_t bytes; *text; text += bytes) {
		bytes = ctd_utf8_next(text, &code);
		/* The last two begin lines and paragraphs of Unicode. */
		if (ctd_utf8_is_control(code) || code == 0x2028 || code == 0x2029) {
			*to++ = '?';
			continue;
		}
		memmove(to, text, bytes);
		to += bytes;
	}
	*to = '\0';
}

void ctd_utf8_add(struct ctd_strbuf *buffer, const char *text, size_t bytes_max)
{
	size_t end = buffer->bytes + bytes_max;
	int code;

	for (size_t bytes; *text; text += bytes) {
		size_t wanted;

		bytes = ctd_utf8_next(text, &code);
		wanted = code < 0 ? 3 : ctd_utf8_is_control(code) ? ESCAPE_BYTES : bytes;
		if (buffer->failed || buffer->bytes + wanted > end)
			return;
		if (ctd_utf8_is_control(code))
			ctd_strbuf_addf(buffer, "\\x%02x", (unsigned int)code);
		else if (code < 0)
			ctd_strbuf_add(buffer, "\xef\xbf\xbd");
		else
			ctd_strbuf_add_bytes(buffer, text, bytes);
	}
}
