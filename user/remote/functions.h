/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* functions.h - the top functions of a profile of a running serve, as its JSON has them. */
#ifndef REMOTE_FUNCTIONS_H
#define REMOTE_FUNCTIONS_H

#include <cgtopdown/cpu.h>
#include <stddef.h>
#include <stdint.h>

#include "remote/view.h"

#define CTD_REMOTE_FUNCTIONS_MAX 10

/* By itself, without what it calls. */
struct ctd_remote_function {
	char *name, *file; /* owned; "": not known */
	double share; /* of all slots, or of CPU time */
	double cpus; /* CPU time over time */
	/* Parts of its own slots, as nodes of the profile; NAN: not known, as where one of the
	 * row's cgroups is not counted. */
	double nodes[CTD_NODES_MAX];
};

/* Start from a zeroed struct. */
struct ctd_remote_functions {
	/* False: by CPU time: slots are not known of all that it does, or of several core types. */
	bool by_slots;
	double seconds;
	double samples;
	char *nodes[CTD_NODES_MAX]; /* owned; names of those that are known of any */
	int nodes_count;
	struct ctd_remote_function items[CTD_REMOTE_FUNCTIONS_MAX]; /* the largest first */
	int items_count;
	size_t others; /* functions that are not among them */
	double others_share;
};

/*
 * Reads what /api/v1/profile answers, which need not be well-formed, or have frames. @return 0,
 * -ENOMEM, or -EBADMSG: it is no profile, and @p ret_why says why.
 */
int ctd_remote_functions_parse(const char *text, size_t bytes,
			       struct ctd_remote_functions *ret_functions,
			       char ret_why[CTD_REMOTE_WHY_BYTES]);
/* Instead of a profile: what the answer says, with HTTP status 403, 404 or 503. @return -EACCES,
 * -ENOENT, -EAGAIN. */
int ctd_remote_functions_refused(const char *text, long status, char ret_why[CTD_REMOTE_WHY_BYTES]);
void ctd_remote_functions_free(struct ctd_remote_functions *functions);

#endif
