/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* diff.h - report --diff: what changed from one time of a history, or recording, to another. */
#ifndef APP_DIFF_DIFF_H
#define APP_DIFF_DIFF_H

#include "app/options/options.h"
#include "history/difference.h"
#include "history/points.h"

/* One of the two that are compared. */
struct ctd_diff_side {
	const char *when; /* static: "before", "after" */
	const char *name; /* borrowed; the file or directory that it is of */
	uint64_t begin_ns, end_ns; /* of what there is; 0: nothing */
	size_t segments; /* in which anything was counted */
	struct ctd_points points; /* owned */
};

/* @return the exit status. */
int ctd_diff_main(const struct ctd_options *options);

/* diff/show.c: writes it as --format says. Logs, but not -EPIPE. @return 0 or negative errno. */
int ctd_diff_show(const struct ctd_options *options, const struct ctd_diff_side *before,
		  const struct ctd_diff_side *after, const struct ctd_difference *difference);

#endif
