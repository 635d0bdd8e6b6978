/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* recorded.h - a recording on its way to the detector of neighbours. */
#ifndef APP_NEIGHBOURS_RECORDED_H
#define APP_NEIGHBOURS_RECORDED_H

#include "app/neighbours/feed.h"
#include "app/recording.h"

/* Is it a recording, rather than a trace? Nothing is read of it, also where it is a pipe. */
bool ctd_is_recording(int fd);
/*
 * Adds a recording that was opened up in a ledger, whose views the detector gets; @p judged is
 * called after each sample, and may end it by an error. Logs, but for the callback's. @return 0 or
 * negative errno.
 */
int ctd_neighbours_recorded(struct ctd_recording *recording, struct ctd_neighbours_feed *feed,
			    int (*judged)(void *context, uint64_t time_ns), void *context);

#endif
