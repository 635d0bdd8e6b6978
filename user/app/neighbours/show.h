/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* show.h - tags as they are written, sample by sample. */
#ifndef APP_NEIGHBOURS_SHOW_H
#define APP_NEIGHBOURS_SHOW_H

#include <cgtopdown/neighbour.h>

#include "app/options/options.h"

/* Start from {.options = ...}. */
struct ctd_tags_show {
	const struct ctd_options *options; /* borrowed */
	struct ctd_neighbour_verdicts *before; /* owned; of the sample before, without evidence */
	uint64_t shown; /* samples */
};

/*
 * Shows what holds now: a line for each tag with jsonl, and one for each that ended; else, if
 * @p whole, the table, or with --explain those of one victim with their plots.
 * @return 0, -ENOMEM, or another negative errno, which was logged.
 */
int ctd_tags_show(struct ctd_tags_show *show, const struct ctd_neighbour_verdicts *now, bool whole);
void ctd_tags_show_free(struct ctd_tags_show *show);

#endif
