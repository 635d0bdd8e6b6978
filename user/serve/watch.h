/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* watch.h - a thread that looks at files which may change, so that no file holds up others. */
#ifndef SERVE_WATCH_H
#define SERVE_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads files that have changed. @p asked: ctd_watch_ask() was called, so what failed is tried
 * again, though its files are as they were. Logs. @return 0, or negative errno: a file is no good,
 * and what was read before stays in use.
 */
typedef int ctd_watch_look(bool asked, void *context);

struct ctd_watched {
	ctd_watch_look *look;
	void *context;
};

struct ctd_watch;
/*
 * Looks every ten seconds. @p watched is copied; its contexts have to outlive the watch. @return 0
 * or negative errno.
 */
int ctd_watch_new(const struct ctd_watched *watched, size_t count, struct ctd_watch **ret_watch);
/* Looks at once. Does not wait for it. */
void ctd_watch_ask(struct ctd_watch *watch);
/* How many looks found files that are no good. From any thread. */
uint64_t ctd_watch_errors(const struct ctd_watch *watch);
/* Waits for a look that has begun. NULL is fine. */
void ctd_watch_free(struct ctd_watch *watch);

#endif
