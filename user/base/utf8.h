/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* utf8.h - names are bytes; what is written must be text. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/*
 * Decodes the character at @p text, which is not its end. @return its length in bytes, and the code
 * point, or -1 for a byte that is not UTF-8 (length 1).
 */
size_t ctd_utf8_next(const char *text, int *ret_code);
/* The bytes of a code point of Unicode, with a NUL behind them. @return how many. */
size_t ctd_utf8_encode(int code, char ret_text[5]);
/* C0, DEL, C1: what moves cursors and begins sequences. */
bool ctd_utf8_is_control(int code);
/* Makes each of them '?', and what ends a line in Unicode: for text of others that is to stay in
 * one line. */
void ctd_utf8_mask_controls(char *text);
/* Adds @p text with U+FFFD for each byte that is not UTF-8, and "\x1b" and the like for control
 * characters; whole characters of it, up to @p bytes_max. */
void ctd_utf8_add(struct ctd_strbuf *buffer, const char *text, size_t bytes_max);

#endif
