/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* json.h - writes JSON piece by piece, without a tree in memory. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

/* Start from {.out = buffer}; failures are the buffer's. */
struct ctd_json {
	struct ctd_strbuf *out; /* borrowed */
	bool comma; /* a value stands before the next one */
};

/*
 * Each writes one value. @p key: its member's name in an object, which is written as it is: a name
 * of ours, of printable ASCII without quotes and backslashes. NULL for an element of an array, for
 * the whole, and after ctd_json_name().
 */
void ctd_json_begin_object(struct ctd_json *json, const char *key);
void ctd_json_end_object(struct ctd_json *json);
void ctd_json_begin_array(struct ctd_json *json, const char *key);
void ctd_json_end_array(struct ctd_json *json);
/* ASCII only, so that no name can do anything to a terminal; a byte that is not UTF-8 becomes
 * U+FFFD. NULL: null. */
void ctd_json_string(struct ctd_json *json, const char *key, const char *text);
void ctd_json_integer(struct ctd_json *json, const char *key, uint64_t value);
void ctd_json_signed(struct ctd_json *json, const char *key, int64_t value);
/* Rounded to 1 / @p parts, a power of 10, with at most 15 digits; null if that is not finite. */
void ctd_json_real(struct ctd_json *json, const char *key, double value, double parts);
/* With so many significant digits, 15 at most, however small it is; null if it is not finite. */
void ctd_json_figure(struct ctd_json *json, const char *key, double value, int digits);
void ctd_json_bool(struct ctd_json *json, const char *key, bool value);
void ctd_json_null(struct ctd_json *json, const char *key);
/* The name of the next member, which comes from others, escaped as texts are; not NULL. */
void ctd_json_name(struct ctd_json *json, const char *name);
/* Members, at least one, that were written before: they are copied as they are. */
void ctd_json_members(struct ctd_json *json, const char *members, size_t bytes);

/* An integer if @p known, else null. */
static inline void ctd_json_count(struct ctd_json *json, const char *key, uint64_t value,
				  bool known)
{
	known ? ctd_json_integer(json, key, value) : ctd_json_null(json, key);
}

#endif
