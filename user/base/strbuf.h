/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* strbuf.h - a growing text. An allocation failure is remembered and reported once, at the end. */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include <stdbool.h>
#include <stddef.h>

struct ctd_strbuf {
	char *text; /* owned; NUL-terminated once anything was added; NULL while empty */
	size_t bytes;
	size_t capacity;
	bool failed; /* out of memory: text is incomplete */
};

void ctd_strbuf_add(struct ctd_strbuf *buffer, const char *text);
void ctd_strbuf_add_bytes(struct ctd_strbuf *buffer, const char *text, size_t bytes);
void ctd_strbuf_addf(struct ctd_strbuf *buffer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void ctd_strbuf_free(struct ctd_strbuf *buffer);
#define auto_ctd_strbuf __attribute__((cleanup(ctd_strbuf_free)))

#endif
