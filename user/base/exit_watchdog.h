/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* exit_watchdog.h - exits if threads that were told to end do not. */
#ifndef BASE_EXIT_WATCHDOG_H
#define BASE_EXIT_WATCHDOG_H

#include <stdbool.h>
#include <time.h>

struct ctd_exit_watchdog {
	timer_t timer;
	bool is_set;
};

/*
 * A thread that waits for a file on a filesystem that does not answer cannot be told to end, and
 * what it uses cannot be freed. If ctd_exit_watchdog_stop() is not called within three seconds, a
 * line says so, and the process exits with @p status. Release before that what would outlive it.
 */
void ctd_exit_watchdog_start(int status, struct ctd_exit_watchdog *ret_watchdog);
void ctd_exit_watchdog_stop(struct ctd_exit_watchdog *watchdog);

#endif
