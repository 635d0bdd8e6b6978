/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* lines.h - source lines of what was sampled, on demand (--lines). */
#ifndef APP_PROFILE_LINES_H
#define APP_PROFILE_LINES_H

#include "app/profile/profiler.h"
#include "profile/lines/files.h"
#include "profile/lines/helper.h"

/* For all files, when sampling is over. */
#define CTD_PROFILE_LINES_NS 60000000000ull

/* What it takes. CTD_PROFILE_LINES_NONE: lines are not wanted. */
struct ctd_profile_lines {
	struct ctd_line_helper helper; /* owned */
	struct ctd_line_files files; /* owned */
};
#define CTD_PROFILE_LINES_NONE                 \
	{                                      \
		.helper = CTD_LINE_HELPER_NONE \
	}

/* As the first thing of all that a command does: it forks. Stays where it is. Logs. @return 0 or
 * negative errno. */
int ctd_profile_lines_start(struct ctd_profile_lines *ret_lines);
/* Are they wanted? */
bool ctd_profile_lines_are_wanted(const struct ctd_profile_lines *lines);
/* Before anything was sampled. */
void ctd_profile_lines_keep(struct ctd_profile_lines *lines, struct ctd_profiler *profiler);
/* Finds those of all places in the stacks, in some @p time_ns; a signal ends it earlier. Logs.
 * @return 0 or -ENOMEM. */
int ctd_profile_lines_find(struct ctd_profile_lines *lines, const struct ctd_stacks *stacks,
			   uint64_t time_ns, struct ctd_lines *ret_lines);
/* Has stacks have their lines. Logs. @return 0 or -ENOMEM. */
int ctd_profile_lines_add(struct ctd_profile_lines *lines, struct ctd_stacks **stacks);
void ctd_profile_lines_end(struct ctd_profile_lines *lines);

#endif
