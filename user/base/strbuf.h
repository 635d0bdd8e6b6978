/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* strbuf.h - a growing text. An allocation failure is remembered and reported once, at the end. */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Takes a text piece by piece, so that the whole is never in memory. */
struct ctd_drain {
	/* @return 0 or -ENOMEM. */
	int (*take)(void *context, const char *text, size_t bytes);
	/* A part begins; see ctd_strbuf_begin_part(). @return 1: it has that part, which is not to
	 * come; 0, or -ENOMEM. */
	int (*begin_part)(void *context, uint64_t version);
	/* All of the part was taken. @return 0 or -ENOMEM. */
	int (*end_part)(void *context);
};

struct ctd_strbuf {
	char *text; /* owned; NUL-terminated once anything was added; NULL while empty */
	size_t bytes;
	size_t capacity;
	bool failed; /* out of memory: text is incomplete */
	/* Gets what is there whenever there is much, and the last piece by ctd_strbuf_drain().
	 * NULL: the text grows. */
	const struct ctd_drain *drain;
	void *drain_context;
};

/* Room for @p bytes more and a NUL, for a caller that writes them itself. @return false: none. */
bool ctd_strbuf_reserve(struct ctd_strbuf *buffer, size_t bytes);
void ctd_strbuf_add(struct ctd_strbuf *buffer, const char *text);
void ctd_strbuf_add_bytes(struct ctd_strbuf *buffer, const char *text, size_t bytes);
void ctd_strbuf_addf(struct ctd_strbuf *buffer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void ctd_strbuf_add_count(struct ctd_strbuf *buffer, uint64_t count);
/*
 * Begins a part that is the same text as in an earlier text of the same kind, at the same place
 * among its parts, if that had the same @p version. @return true: it is to be written, up to
 * ctd_strbuf_end_part(); false: the drain has it, or the text has failed.
 */
bool ctd_strbuf_begin_part(struct ctd_strbuf *buffer, uint64_t version);
void ctd_strbuf_end_part(struct ctd_strbuf *buffer);
/* Gives `drain` what is left. @return 0 or -ENOMEM, also where any piece before failed. */
int ctd_strbuf_drain(struct ctd_strbuf *buffer);
void ctd_strbuf_free(struct ctd_strbuf *buffer);
#define auto_ctd_strbuf __attribute__((cleanup(ctd_strbuf_free)))

#endif
