/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor_tree.h - vendors' metrics of each row as a tree. */
#ifndef FORMAT_VENDOR_TREE_H
#define FORMAT_VENDOR_TREE_H

#include <cgtopdown/sink.h>

#include "base/strbuf.h"

/* Adds the metrics of each row that did something, and at the end those that were not counted. */
void ctd_vendor_tree_add(struct ctd_strbuf *out, const struct ctd_report *report,
			 const struct ctd_sink_options *options);

#endif
