/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* thread.c - starts threads with all signals blocked, and conditions for them. */
#include "base/thread.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct beginning {
	char name[16];
	void *(*run)(void *);
	void *context;
};

/* A thread may name itself; to name another one takes writing to a file. */
static void *begin(void *context)
{
	struct beginning beginning = *(struct beginning *)context;

	free(context);
	pthread_setname_np(pthread_self(), beginning.name);
	return beginning.run(beginning.context);
}

int ctd_thread_start(pthread_t *ret_thread, const char *name, void *(*run)(void *), void *context)
{
	struct beginning *beginning = malloc(sizeof(*beginning));
	sigset_t all, before;
	int error;

	if (!beginning)
		return -ENOMEM;
	*beginning = (struct beginning){.run = run, .context = context};
	snprintf(beginning->name, sizeof(beginning->name), "%s", name);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(ret_thread, NULL, begin, beginning);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error)
		free(beginning);
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
