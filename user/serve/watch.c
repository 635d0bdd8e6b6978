/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* watch.c - the thread that looks at files. */
#include "serve/watch.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/thread.h"

#define LOOK_S 10
#define WATCHED_MAX 5

struct ctd_watch {
	struct ctd_watched watched[WATCHED_MAX];
	size_t count;
	pthread_t thread;
	_Atomic uint64_t errors;

	pthread_mutex_t lock; /* for what follows */
	pthread_cond_t changed;
	bool asked, stop;
};

static void look(struct ctd_watch *watch, bool asked)
{
	for (size_t i = 0; i < watch->count; i++)
		if (watch->watched[i].look(asked, watch->watched[i].context))
			atomic_fetch_add(&watch->errors, 1);
}

static void *run(void *context)
{
	struct ctd_watch *watch = context;
	struct timespec until;

	pthread_mutex_lock(&watch->lock);
	while (!watch->stop) {
		bool asked;
		int error = 0;

		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_sec += LOOK_S;
		while (!watch->stop && !watch->asked && !error)
			error = pthread_cond_timedwait(&watch->changed, &watch->lock, &until);
		asked = watch->asked;
		watch->asked = false;
		if (watch->stop)
			break;
		pthread_mutex_unlock(&watch->lock);
		look(watch, asked);
		pthread_mutex_lock(&watch->lock);
	}
	pthread_mutex_unlock(&watch->lock);
	return NULL;
}

static void release(struct ctd_watch *watch)
{
	pthread_cond_destroy(&watch->changed);
	pthread_mutex_destroy(&watch->lock);
	free(watch);
}

int ctd_watch_new(const struct ctd_watched *watched, size_t count, struct ctd_watch **ret_watch)
{
	struct ctd_watch *watch = count <= WATCHED_MAX ? calloc(1, sizeof(*watch)) : NULL;
	int error;

	if (!watch)
		return -ENOMEM;
	memcpy(watch->watched, watched, count * sizeof(*watched));
	watch->count = count;
	pthread_mutex_init(&watch->lock, NULL);
	ctd_cond_init(&watch->changed);
	error = ctd_thread_start(&watch->thread, "ctd-watch", run, watch);
	if (error) {
		release(watch);
		return error;
	}
	*ret_watch = watch;
	return 0;
}

static void tell(struct ctd_watch *watch, bool *what)
{
	pthread_mutex_lock(&watch->lock);
	*what = true;
	pthread_cond_signal(&watch->changed);
	pthread_mutex_unlock(&watch->lock);
}

void ctd_watch_ask(struct ctd_watch *watch)
{
	tell(watch, &watch->asked);
}

uint64_t ctd_watch_errors(const struct ctd_watch *watch)
{
	return atomic_load(&watch->errors);
}

void ctd_watch_free(struct ctd_watch *watch)
{
	if (!watch)
		return;
	tell(watch, &watch->stop);
	pthread_join(watch->thread, NULL);
	release(watch);
}
