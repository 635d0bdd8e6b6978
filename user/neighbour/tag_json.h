/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* tag_json.h - a tag as programs read it. */
#ifndef NEIGHBOUR_TAG_JSON_H
#define NEIGHBOUR_TAG_JSON_H

#include <cgtopdown/neighbour.h>

#include "base/json.h"

/* Adds the tag as an object, an element of an array or the whole: what is not known is left out. */
void ctd_tag_add_json(struct ctd_json *json, const struct ctd_neighbour_tag *tag, uint64_t time_ns);
/* "2026-08-30T12:00:01.250Z". */
#define CTD_TAG_TIME_BYTES 40
void ctd_tag_time(uint64_t time_ns, char ret_text[CTD_TAG_TIME_BYTES]);

#endif
