/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* feed.h - where the intervals on the screen come from: a thread that reads them. */
#ifndef APP_TOP_FEED_H
#define APP_TOP_FEED_H

#include "app/options/options.h"
#include "top/history.h"

struct ctd_top_feed;

/*
 * Begins to count, in a process of its own, whose recording is to be read. Waits until it has
 * begun, and logs why not. @p wake_fd, an eventfd, is written to whenever the history has changed.
 * @return 0 or negative errno; *ret_feed is to be ended in any case.
 */
int ctd_top_feed_count(const struct ctd_options *options, struct ctd_top_history *history,
		       int wake_fd, struct ctd_top_feed **ret_feed);
/* The same, of the recording in @p fd, which is taken. @p name: as messages call it. */
int ctd_top_feed_read(int fd, const char *name, struct ctd_top_history *history, int wake_fd,
		      struct ctd_top_feed **ret_feed);
/* Reads from here on, in a thread that is confined as the caller is. Logs. */
int ctd_top_feed_start(struct ctd_top_feed *feed);
/* Ends it at once, wherever it waits. NULL is fine. @return true: it had failed. */
bool ctd_top_feed_end(struct ctd_top_feed *feed);

#endif
