/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* drill.h - a row's path down a vendor's tree, as text. */
#ifndef FORMAT_DRILL_H
#define FORMAT_DRILL_H

#include <cgtopdown/drill.h>

#include "base/strbuf.h"

/* Adds "backend_bound 62% > memory_bound 48% > l3_bound 21%, dram_bound 20%", or that there is
 * none; safe on a terminal. */
void ctd_drill_add_text(struct ctd_strbuf *out, const struct ctd_vendor_counting *vendor,
			const struct ctd_drill_path *path, bool unicode);
/* Adds what to look at next, "sample with MEM_LOAD_RETIRED.L3_HIT", and why its confidence is low.
 * @return false: there is nothing to add. */
bool ctd_drill_add_note(struct ctd_strbuf *out, const struct ctd_vendor_counting *vendor,
			const struct ctd_drill_path *path, bool unicode);
/* Is the metric at the top, on the path, or a part of what is? @p path NULL: there is none. */
bool ctd_drill_shows(const struct ctd_vendor_counting *vendor, const struct ctd_drill_path *path,
		     size_t index);
/* The metric at its end. NULL: the path is empty. */
const struct ctd_vendor_metric *ctd_drill_deepest(const struct ctd_vendor_counting *vendor,
						  const struct ctd_drill_path *path);

#endif
