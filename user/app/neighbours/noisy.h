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
/* Asks serve for its tags. After a failure, or where serve judges nothing, it is not asked for some
 * time. Free @p ret_tags with ctd_noisy_tags_free(). */
void ctd_noisy_ask(struct ctd_noisy *noisy, struct ctd_noisy_tags *ret_tags);
/* Takes the tags over, and sorts those that mark rows. Without memory no tag is known. */
void ctd_noisy_take(struct ctd_remote_tags *tags, struct ctd_noisy_tags *ret_tags);
/* Marks the rows of the tags' victims. */
void ctd_noisy_mark(const struct ctd_noisy_tags *tags, struct ctd_report *report);
void ctd_noisy_tags_free(struct ctd_noisy_tags *tags);
void ctd_noisy_free(struct ctd_noisy *noisy);

#endif
