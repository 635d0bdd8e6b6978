/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* functions.h - functions of the row that has its own screen: a thread that asks serve for them. */
#ifndef APP_TOP_FUNCTIONS_H
#define APP_TOP_FUNCTIONS_H

#include <pthread.h>

#include "app/options/options.h"
#include "app/remote/remote.h"
#include "top/functions.h"

struct ctd_top_asker;

/*
 * All of it is looked at and changed with @p lock held, which is borrowed as the others are.
 * @p wake_fd: as of a feed. Logs. @return 0 or negative errno; *ret_asker is to be ended in any
 * case.
 */
int ctd_top_asker_begin(const struct ctd_options *options, struct ctd_remote_run *run,
			pthread_mutex_t *lock, int wake_fd, struct ctd_top_asker **ret_asker);
/* The row that it asks for from here on, again and again: as of ctd_remote_key(). @p is_wanted:
 * false: nothing is asked for. With the lock. @return what is known of it, for as long as the lock
 * is held. */
const struct ctd_top_functions *ctd_top_asker_want(struct ctd_top_asker *asker, bool is_wanted,
						   const char *path, int core_type);
/* After ctd_stop_request(). Without the lock. NULL is fine. */
void ctd_top_asker_end(struct ctd_top_asker *asker);

#endif
