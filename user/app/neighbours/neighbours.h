/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* neighbours.h - tags as people read them. */
#ifndef APP_NEIGHBOURS_NEIGHBOURS_H
#define APP_NEIGHBOURS_NEIGHBOURS_H

#include <cgtopdown/neighbour.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/strbuf.h"

struct ctd_tags_style {
	bool colour, unicode;
};

/* A table of all tags. */
void ctd_tags_table(struct ctd_strbuf *out, const struct ctd_neighbour_verdicts *verdicts,
		    const struct ctd_tags_style *style);
/* A row below it, of a tag that holds no more. */
void ctd_tags_add_ended(struct ctd_strbuf *out, const struct ctd_neighbour_tag *tag,
			const struct ctd_tags_style *style);
/* The tags of one victim with their evidence; @p name: its key, container, container id, pod or
 * cgroup. @return how many. */
size_t ctd_tags_explain(struct ctd_strbuf *out, const struct ctd_neighbour_verdicts *verdicts,
			const char *name, const struct ctd_tags_style *style);

#endif
