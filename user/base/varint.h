/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* varint.h - numbers that take as many bytes as they need: seven bits in each, the lowest first. */
#ifndef BASE_VARINT_H
#define BASE_VARINT_H

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

#define CTD_VARINT_BYTES_MAX 10

/* @return how many bytes were written. */
size_t ctd_varint_encode(uint64_t value, char ret_bytes[CTD_VARINT_BYTES_MAX]);
void ctd_varint_add(struct ctd_strbuf *buffer, uint64_t value);
/* Reads the number at *at, and goes behind it. @return 0, or -EBADMSG: there is none before @p end,
 * or it is too large. */
int ctd_varint_take(const unsigned char **at, const unsigned char *end, uint64_t *ret_value);

#endif
