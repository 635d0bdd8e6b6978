/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* exit_watchdog.c - exits the process from a thread that waits meanwhile. */
#include "base/exit_watchdog.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"

/* Counted are waits of this length: however long the process is stopped, that is one. */
#define WAITS_PER_S 10
#define NS_PER_S 1000000000ull

/* With the lock held. @return false: the time is over. */
static bool wait_once(struct ctd_exit_watchdog *watchdog)
{
	uint64_t until_ns = ctd_monotonic_ns() + NS_PER_S / WAITS_PER_S;
	const struct timespec until = {.tv_sec = (time_t)(until_ns / NS_PER_S),
				       .tv_nsec = (long)(until_ns % NS_PER_S)};
	int expired = 0;

	while (!watchdog->stop && !expired)
		expired = pthread_cond_timedwait(&watchdog->changed, &watchdog->lock, &until);
	return --watchdog->waits_left;
}

/* Not exit(): what it would clean up is in use. */
static void *run(void *context)
{
	struct ctd_exit_watchdog *watchdog = context;

	pthread_mutex_lock(&watchdog->lock);
	while (!watchdog->stop && wait_once(watchdog))
		;
	if (!watchdog->stop) {
		ctd_warn("%s", watchdog->sentence);
		_exit(watchdog->status);
	}
	pthread_mutex_unlock(&watchdog->lock);
	return NULL;
}

void ctd_exit_watchdog_start(int status, unsigned int limit_s, const char *sentence,
			     struct ctd_exit_watchdog *ret_watchdog)
{
	*ret_watchdog = (struct ctd_exit_watchdog){
		.status = status, .sentence = sentence, .waits_left = limit_s * WAITS_PER_S};
	/* What is written is not lost, whichever way it ends. */
	fflush(stdout);
	pthread_mutex_init(&ret_watchdog->lock, NULL);
	ctd_cond_init(&ret_watchdog->changed);
	/* Without memory for a thread, the others are waited for. */
	ret_watchdog->has_thread =
		!ctd_thread_start(&ret_watchdog->thread, "ctd-watchdog", run, ret_watchdog);
}

void ctd_exit_watchdog_stop(struct ctd_exit_watchdog *watchdog)
{
	pthread_mutex_lock(&watchdog->lock);
	watchdog->stop = true;
	pthread_cond_signal(&watchdog->changed);
	pthread_mutex_unlock(&watchdog->lock);
	if (watchdog->has_thread)
		pthread_join(watchdog->thread, NULL);
	watchdog->has_thread = false;
	pthread_cond_destroy(&watchdog->changed);
	pthread_mutex_destroy(&watchdog->lock);
}
