/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* history.h - hands intervals to a thread that writes them into a directory. */
#ifndef SERVE_HISTORY_HISTORY_H
#define SERVE_HISTORY_HISTORY_H

#include <cgtopdown/export.h>
#include <cgtopdown/identity.h>
#include <cgtopdown/interval.h>
#include <cgtopdown/record.h>
#include <stdbool.h>
#include <stdint.h>

struct ctd_history_options {
	const char *directory; /* borrowed */
	uint64_t bytes_max;
	uint64_t interval_ns; /* how long intervals are */
};

/* All functions are for the thread of the collector. */
struct ctd_history;
/* Makes the directory, if it is not there: before writing anywhere else is given up. Logs what
 * failed, which the thread tries again. */
void ctd_history_prepare(const char *directory);
/* Starts the thread. Logs. @return 0 or negative errno. */
int ctd_history_new(const struct ctd_history_options *options, struct ctd_history **ret_history);
/* The intervals that follow are of this plan; also due before the first one. @p identities: as of
 * the last interval; NULL: there was none. */
void ctd_history_replan(struct ctd_history *history, const struct ctd_record_header *header,
			const struct ctd_identities *identities);
/*
 * Never waits. An interval for which there is no memory, or no room on the disk, is lost, which is
 * logged. @p looked: it ended for a view that a client asked for; it is added to the next one.
 */
void ctd_history_enter(struct ctd_history *history, const struct ctd_interval *interval,
		       bool looked, const struct ctd_identities *identities);
/* Fills in what `self` says of the history but that there is one. */
void ctd_history_tell(struct ctd_history *history, struct ctd_self *self);
/* Writes what is left; waits for the thread, which may wait for a disk. @p identities: as of the
 * last interval; NULL: there was none. NULL is fine. */
void ctd_history_free(struct ctd_history *history, const struct ctd_identities *identities);

#endif
