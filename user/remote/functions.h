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
	double nodes[CTD_NODES_MAX]; /* parts of its own slots, as nodes of the profile */
};

/* Start from a zeroed struct. */
struct ctd_remote_functions {
	bool by_slots; /* false: by CPU time: slots are not known, or of several core types */
	double seconds;
	double samples;
	char *nodes[CTD_NODES_MAX]; /* owned; names of those that are known */
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
void ctd_remote_functions_free(struct ctd_remote_functions *functions);

#endif
