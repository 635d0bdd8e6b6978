/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* neighbours.h - tags as people read them. */
#ifndef APP_NEIGHBOURS_H
#define APP_NEIGHBOURS_H

#include <cgtopdown/neighbour.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/strbuf.h"

struct ctd_tags_style {
	bool colour, unicode;
};

/* A table of all tags. @p time_ns: when they were judged. */
void ctd_tags_table(struct ctd_strbuf *out, const struct ctd_neighbours *neighbours,
		    uint64_t time_ns, const struct ctd_tags_style *style);
/* The tags of one victim with their evidence; @p name: its key, container, container id or pod.
 * @return how many. */
size_t ctd_tags_explain(struct ctd_strbuf *out, const struct ctd_neighbours *neighbours,
			const char *name, const struct ctd_tags_style *style);

#endif
