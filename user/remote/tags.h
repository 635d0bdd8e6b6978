/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* tags.h - the tags of neighbours of a running serve, as its JSON has them. */
#ifndef REMOTE_TAGS_H
#define REMOTE_TAGS_H

#include <cgtopdown/neighbour.h>
#include <stdbool.h>
#include <stddef.h>

#include "remote/view.h"

/* Start from a zeroed struct. */
struct ctd_remote_tags {
	bool judged; /* false: serve judges nothing, or has not yet */
	uint64_t sample_period_ns; /* 0: it judges nothing */
	struct ctd_neighbour_verdicts verdicts; /* texts and tags are those of `text` and `items` */
	void *text; /* owned */
	struct ctd_neighbour_tag *items; /* owned */
	struct ctd_neighbour_names *names; /* owned */
	struct ctd_neighbour_series *series; /* owned */
};

/*
 * Reads what /api/v1/neighbours answers, which need not be well-formed. A tag of a mechanism that
 * is not known here is left out. @return 0, -ENOMEM, or -EBADMSG: @p ret_why says why.
 */
int ctd_remote_tags_parse(const char *text, size_t bytes, struct ctd_remote_tags *ret_tags,
			  char ret_why[CTD_REMOTE_WHY_BYTES]);
void ctd_remote_tags_free(struct ctd_remote_tags *tags);

#endif
