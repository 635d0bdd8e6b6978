/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* reading.h - a new configuration is read by a thread of its own: no file holds up intervals. */
#ifndef APP_READING_H
#define APP_READING_H

#include <pthread.h>
#include <stdatomic.h>

#include "app/options.h"
#include "app/ways.h"

struct ctd_reading {
	const struct ctd_options *now; /* borrowed; NULL: nothing is being read */
	struct ctd_ways *ways; /* borrowed */
	int wake_fd; /* an eventfd, borrowed: written when it is over */
	pthread_t thread;
	uint64_t began_ns; /* monotonic; 0: it was said that it takes long */
	atomic_bool is_over;
	/* What came of it, once it is over. */
	int error; /* 0, or the first: of all, or of a part that stays as it was */
	bool has_next; /* the options that follow, and what was made of them: */
	struct ctd_options next; /* owned */
	struct ctd_ways_next ways_next; /* owned */
};

/*
 * Begins to read what @p now was made from, once more; @p now stays until it is over, and what was
 * taken from the reading before is no longer its own. Logs. @return 0 or negative errno.
 */
int ctd_reading_begin(struct ctd_reading *reading, const struct ctd_options *now,
		      struct ctd_ways *ways, int wake_fd);
/* Waits for nobody; says so once if a file takes long. @return true once for each that began. */
bool ctd_reading_is_over(struct ctd_reading *reading);
/* Waits for the thread: see ctd_ending_begin(). What nobody took is gone. */
void ctd_reading_end(struct ctd_reading *reading);

#endif
