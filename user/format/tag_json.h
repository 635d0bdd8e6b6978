/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* tag_json.h - a tag as programs read it. */
#ifndef FORMAT_TAG_JSON_H
#define FORMAT_TAG_JSON_H

#include <cgtopdown/neighbour.h>

#include "base/json.h"

enum ctd_tag_detail {
	CTD_TAG_ENDED, /* it holds no more: its last evidence is not repeated */
	CTD_TAG_EVIDENCE,
	CTD_TAG_SERIES, /* and what it was decided by sample by sample, where it has that */
};
/* Adds the tag as an object, an element of an array or the whole: what is not known is left out. */
void ctd_tag_add_json(struct ctd_json *json, const struct ctd_neighbour_tag *tag, uint64_t time_ns,
		      enum ctd_tag_detail detail);

#endif
