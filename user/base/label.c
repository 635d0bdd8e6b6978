/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* label.c - quotes labels for metrics texts. */
#include "base/label.h"

#include <string.h>

#define ALL(byte) (0x0101010101010101u * (uint64_t)(byte))

static bool is_special(char c)
{
	return c == '\\' || c == '"' || c == '\n';
}

/* True if a byte of the word is @p byte; sometimes if one is not, never the other way round. */
static bool may_have(uint64_t word, char byte)
{
	uint64_t zero = word ^ ALL(byte);

	return (zero - ALL(0x01)) & ~zero & ALL(0x80);
}

/* Copies bytes up to one that may be special, eight at a time. @return how many. */
static size_t copy_plain(char *to, const char *from, size_t bytes)
{
	size_t done = 0;

	for (uint64_t word; done + sizeof(word) <= bytes; done += sizeof(word)) {
		memcpy(&word, from + done, sizeof(word));
		if (may_have(word, '\\') || may_have(word, '"') || may_have(word, '\n'))
			break;
		memcpy(to + done, &word, sizeof(word));
	}
	return done;
}

void ctd_label_add(struct ctd_strbuf *labels, const char *name, const char *value)
{
	size_t bytes = strlen(value);
	char *at;

	/* Every byte of the value may have to be quoted. */
	if (!bytes || !ctd_strbuf_reserve(labels, strlen(name) + 2 * bytes + strlen(",=\"\"")))
		return;
	at = labels->text + labels->bytes;
	if (labels->bytes)
		*at++ = ',';
	at = stpcpy(at, name);
	*at++ = '=';
	*at++ = '"';
	for (size_t i = 0; i < bytes; i++) {
		size_t plain = copy_plain(at, value + i, bytes - i);

		at += plain;
		i += plain;
		if (i == bytes)
			break;
		if (is_special(value[i]))
			*at++ = '\\';
		*at++ = (char)(value[i] == '\n' ? 'n' : value[i]);
	}
	*at++ = '"';
	*at = '\0';
	labels->bytes = (size_t)(at - labels->text);
}
