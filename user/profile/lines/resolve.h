/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* resolve.h - finds the lines of all places in stacks. */
#ifndef PROFILE_LINES_RESOLVE_H
#define PROFILE_LINES_RESOLVE_H

#include <cgtopdown/stacks.h>

#include "profile/lines/files.h"
#include "profile/lines/helper.h"

struct ctd_line_resolving {
	struct ctd_line_helper *helper; /* borrowed, as these */
	struct ctd_line_files *files; /* of which is known later which could not be read */
	/* For all files. Those of each cgroup have equal parts of it, as far as they need it: what
	 * takes more is tried again when the others are done. */
	uint64_t time_ns;
	bool (*stop)(void *context); /* asked some times a second: give up? */
	/* Before a file is read, and at the end. */
	void (*progress)(size_t done, size_t count, void *context);
	/* A file of which lines are missing: why, half a sentence. */
	void (*lacks)(const char *path, const char *why, void *context);
	void *context;
};

/*
 * The keys of the chains are indices of the stacks' functions; names are as symbols' are, and all
 * is text. What was found before it was given up, or before the time was over, is there.
 * @return 0 or -ENOMEM.
 */
int ctd_lines_resolve(const struct ctd_line_resolving *how, const struct ctd_stacks *stacks,
		      struct ctd_lines *lines);

#endif
