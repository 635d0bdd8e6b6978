/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* machine.h - what is known of one of several machines: two views to subtract, or why there are
 * none.
 */
#ifndef REMOTE_MACHINE_H
#define REMOTE_MACHINE_H

#include "remote/view.h"

/* Start from a zeroed struct. Times are monotonic. */
struct ctd_remote_machine {
	struct ctd_remote_view before, after; /* owned; sequence 0: not there */
	uint64_t came_ns; /* when `after` came */
	bool is_new; /* its newest difference has not been shown: for its user to clear */
	char why[CTD_REMOTE_WHY_BYTES]; /* "": the last request was answered by a view */
};

/* The answer of @p now_ns, which is taken over. Nothing is subtracted from what another run, or
 * other counters, have added up: figures go on with the next one. */
void ctd_remote_machine_take(struct ctd_remote_machine *machine, struct ctd_remote_view *view,
			     uint64_t now_ns);
/* There was none. */
void ctd_remote_machine_fail(struct ctd_remote_machine *machine, const char *why);
/*
 * Has it figures of about now, where one is asked every @p interval_ns? One that has failed, or is
 * late by more than that, has none. @return false: *ret_why says why.
 */
bool ctd_remote_machine_is_fresh(const struct ctd_remote_machine *machine, uint64_t interval_ns,
				 uint64_t now_ns, char ret_why[CTD_REMOTE_WHY_BYTES]);
void ctd_remote_machine_free(struct ctd_remote_machine *machine);

#endif
