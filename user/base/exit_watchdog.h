/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* exit_watchdog.h - exits if threads that were told to end do not. */
#ifndef BASE_EXIT_WATCHDOG_H
#define BASE_EXIT_WATCHDOG_H

#include <pthread.h>
#include <stdbool.h>

/* Threads that answer end in half a second. */
#define CTD_EXIT_LIMIT_S 3
#define CTD_EXIT_SENTENCE \
	"a thread waits for a file on a filesystem that does not answer: exited without it"

struct ctd_exit_watchdog {
	int status;
	const char *sentence; /* borrowed */
	pthread_t thread;
	bool has_thread;
	pthread_mutex_t lock; /* of these: */
	pthread_cond_t changed;
	unsigned int waits_left; /* of its thread, until it exits */
	bool stop;
};

/*
 * A thread that waits for a file on a filesystem that does not answer cannot be told to end, and
 * what it uses cannot be freed. If ctd_exit_watchdog_stop() is not called within @p limit_s, a line
 * says @p sentence, and the process exits with @p status. Release before that what would outlive
 * it. Time in which the process was stopped, or the machine, does not count.
 */
void ctd_exit_watchdog_start(int status, unsigned int limit_s, const char *sentence,
			     struct ctd_exit_watchdog *ret_watchdog);
void ctd_exit_watchdog_stop(struct ctd_exit_watchdog *watchdog);

#endif
