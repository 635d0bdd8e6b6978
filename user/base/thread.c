/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* thread.c - starts threads with all signals blocked, and conditions for them. */
#include "base/thread.h"

#include <signal.h>

int ctd_thread_start(pthread_t *ret_thread, const char *name, void *(*run)(void *), void *context)
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(ret_thread, NULL, run, context);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!error)
		pthread_setname_np(*ret_thread, name);
	return -error;
}

void ctd_cond_init(pthread_cond_t *cond)
{
	pthread_condattr_t monotonic;

	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(cond, &monotonic);
	pthread_condattr_destroy(&monotonic);
}
