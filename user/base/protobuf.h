/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* protobuf.h - fields of a message in protobuf's wire format, appended one by one. */
#ifndef BASE_PROTOBUF_H
#define BASE_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/* https://protobuf.dev/programming-guides/encoding/ : a field is its number and the kind of what
 * follows, then that. Fields are written even where they hold the default. */

/* A message within: all that is written until its end belongs to it. @return its mark. */
size_t ctd_protobuf_begin(struct ctd_strbuf *message, int field);
void ctd_protobuf_end(struct ctd_strbuf *message, size_t mark);

/* uint64, bool, enum, and int64 where it is not negative. */
void ctd_protobuf_varint(struct ctd_strbuf *message, int field, uint64_t value);
/* fixed64, sfixed64. */
void ctd_protobuf_fixed64(struct ctd_strbuf *message, int field, uint64_t value);
void ctd_protobuf_double(struct ctd_strbuf *message, int field, double value);
/* Repeated ones, packed. */
void ctd_protobuf_fixed64s(struct ctd_strbuf *message, int field, const uint64_t *values,
			   size_t count);
void ctd_protobuf_doubles(struct ctd_strbuf *message, int field, const double *values,
			  size_t count);
/* A string is UTF-8, or receivers refuse the whole message: U+FFFD stands for each other byte. */
void ctd_protobuf_text(struct ctd_strbuf *message, int field, const char *text);

#endif
