/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fields.h - what vendors' JSON has in a field: texts, and numbers that are texts. */
#ifndef VENDOR_FIELDS_H
#define VENDOR_FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "vendor/table.h"

/* @return the text of the field @p name, "" if it is not there or no text. */
const char *ctd_field_text(const json_t *entry, const char *name);
/* The same, kept. @return NULL without memory. */
const char *ctd_field_keep(struct ctd_vendor_table *table, const json_t *entry, const char *name);
/*
 * The number in a field, "0xA4", "18", of "0xB7,0xBB" the first; 0 if it is not there, empty or
 * "null". @return 0, or -EINVAL: it is something else.
 */
int ctd_field_number(const json_t *entry, const char *name, uint64_t *ret_number);
/* Is it "1", or true? */
bool ctd_field_is(const json_t *entry, const char *name);
/* The texts of an array, with @p separator between them, kept. @return NULL without memory. */
const char *ctd_field_join(struct ctd_vendor_table *table, const json_t *array, char separator);

/* The whole of @p text as a number of C's. @return 0 or -EINVAL. */
int ctd_vendor_number(const char *text, size_t bytes, uint64_t *ret_number);

#endif
