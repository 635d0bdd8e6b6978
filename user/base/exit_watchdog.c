/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* exit_watchdog.c - exits the process from a timer. */
#include "base/exit_watchdog.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/log.h"

/* Threads that answer end in half a second. */
#define LIMIT_S 3

/* In a thread of the library's. Not exit(): what it would clean up is in use. */
static void cut_short(union sigval status)
{
	ctd_warn(
		"a thread waits for a file on a filesystem that does not answer: exited without it");
	_exit(status.sival_int);
}

void ctd_exit_watchdog_start(int status, struct ctd_exit_watchdog *ret_watchdog)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD,
		.sigev_value.sival_int = status,
		.sigev_notify_function = cut_short,
	};
	const struct itimerspec after = {.it_value.tv_sec = LIMIT_S};

	*ret_watchdog = (struct ctd_exit_watchdog){};
	/* What is written is not lost, whichever way it ends. */
	fflush(stdout);
	/* Without memory for a timer, threads are waited for. */
	ret_watchdog->is_set = !timer_create(CLOCK_MONOTONIC, &event, &ret_watchdog->timer);
	if (ret_watchdog->is_set)
		timer_settime(ret_watchdog->timer, 0, &after, NULL);
}

void ctd_exit_watchdog_stop(struct ctd_exit_watchdog *watchdog)
{
	if (watchdog->is_set)
		timer_delete(watchdog->timer);
	watchdog->is_set = false;
}
