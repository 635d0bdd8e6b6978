/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* noisy.h - rows that other containers slow down, as a running serve judges. */
#ifndef APP_NEIGHBOURS_NOISY_H
#define APP_NEIGHBOURS_NOISY_H

#include <cgtopdown/report.h>

#include "app/options/options.h"
#include "remote/tags.h"

struct ctd_noisy;

/* The tags of a moment. Start from a zeroed struct: none is known. */
struct ctd_noisy_tags {
	bool judged; /* serve judges neighbours: rows may be marked */
	bool known; /* and these are its tags */
	struct ctd_remote_tags tags; /* owned */
	const struct ctd_neighbour_tag **marks; /* owned; those that mark rows, by cgroup */
	size_t marks_count;
};

/* @return NULL without memory. */
struct ctd_noisy *ctd_noisy_open(const struct ctd_options *options);
/* Asks for the tags of now; after a failure, or where serve judges nothing, for some time not.
 * @p ret_tags is to be freed. */
void ctd_noisy_ask(struct ctd_noisy *noisy, struct ctd_noisy_tags *ret_tags);
/* Puts tags in order, which are taken over. Without memory none is known. */
void ctd_noisy_take(struct ctd_remote_tags *tags, struct ctd_noisy_tags *ret_tags);
/* Marks the rows that tags are of. */
void ctd_noisy_mark(const struct ctd_noisy_tags *tags, struct ctd_report *report);
void ctd_noisy_tags_free(struct ctd_noisy_tags *tags);
void ctd_noisy_free(struct ctd_noisy *noisy);

#endif
