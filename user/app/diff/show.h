/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* show.h - a comparison, as it is written. */
#ifndef APP_DIFF_SHOW_H
#define APP_DIFF_SHOW_H

#include <cgtopdown/sink.h>

#include "app/diff/diff.h"
#include "base/strbuf.h"

struct ctd_diff_showing {
	const struct ctd_options *options;
	const struct ctd_diff_side *sides[2]; /* before, after */
	const struct ctd_difference *difference;
	struct ctd_sink_options outlet;
	bool simulated, has_cores;
	size_t rows_count; /* that are shown: the first ones */
	struct ctd_strbuf out; /* owned */
};

static inline double ctd_diff_size(const struct ctd_change *change)
{
	return change->after - change->before;
}

/* diff/table.c: @return 0 or -ENOMEM. */
int ctd_diff_add_table(struct ctd_diff_showing *showing);

#endif
