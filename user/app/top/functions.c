/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* functions.c - asks a running serve for the functions of one row, so that nothing else waits. */
#include "app/top/functions.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>

#include "app/sandbox/sandbox.h"
#include "app/stop.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"

/* What is a minute long changes slowly, and costs serve some milliseconds. */
#define AGAIN_NS 10000000000ull

struct ctd_top_asker {
	const struct ctd_options *options; /* borrowed, as these */
	struct ctd_remote_run *run;
	pthread_mutex_t *lock;
	int wake_fd;
	pthread_t thread;
	bool has_thread, ends;
	pthread_cond_t changed; /* what is wanted */
	bool is_wanted;
	char *path; /* owned; NULL: the kernel's row, if any is wanted */
	int core_type;
	uint64_t number; /* grows with each row that is wanted */
	uint64_t next_ns; /* not to be asked before */
	struct ctd_top_functions functions; /* owned; of the row that is wanted */
	char broken[CTD_REMOTE_WHY_BYTES]; /* not "": why none can be asked for */
};

/* Of no row anything can be asked. Logs. */
static void give_up(struct ctd_top_asker *asker, int error)
{
	ctd_log_error(error, "ask serve for functions");
	pthread_mutex_lock(asker->lock);
	snprintf(asker->broken, sizeof(asker->broken), "they cannot be asked for: %s",
		 ctd_log_reason(error));
	memcpy(asker->functions.why, asker->broken, sizeof(asker->broken));
	pthread_mutex_unlock(asker->lock);
	eventfd_write(asker->wake_fd, 1);
}

static void forget(struct ctd_top_functions *functions)
{
	ctd_remote_functions_free(&functions->of_row);
	*functions = (struct ctd_top_functions){0};
}

static void ask(struct ctd_top_asker *asker, struct ctd_remote_client *client, const char *path,
		int core_type, struct ctd_top_functions *ret)
{
	autofree char *key = ctd_remote_key(asker->run, path, core_type);

	/* A row that is gone from the view has no functions of late. */
	ret->known = !key || !ctd_remote_client_get_functions(client, key, &ret->of_row, ret->why);
}

/* With the lock, which is given up meanwhile. */
static void ask_once(struct ctd_top_asker *asker, struct ctd_remote_client *client)
{
	autofree char *path = asker->path ? strdup(asker->path) : NULL;
	bool has_path = path || !asker->path;
	struct ctd_top_functions functions = {0};
	uint64_t number = asker->number;
	int core_type = asker->core_type;

	pthread_mutex_unlock(asker->lock);
	if (has_path)
		ask(asker, client, path, core_type, &functions);
	pthread_mutex_lock(asker->lock);
	if (number != asker->number) {
		forget(&functions);
		return;
	}
	forget(&asker->functions);
	asker->functions = functions;
	asker->next_ns = ctd_monotonic_ns() + AGAIN_NS;
	eventfd_write(asker->wake_fd, 1);
}

/* With the lock. */
static void wait_for_more(struct ctd_top_asker *asker)
{
	struct timespec until = {.tv_sec = (time_t)(asker->next_ns / 1000000000),
				 .tv_nsec = (long)(asker->next_ns % 1000000000)};

	if (asker->is_wanted)
		pthread_cond_timedwait(&asker->changed, asker->lock, &until);
	else
		pthread_cond_wait(&asker->changed, asker->lock);
}

static void *ask_on(void *context)
{
	struct ctd_top_asker *asker = context;
	struct ctd_remote_place place = ctd_remote_place_of(asker->options, CTD_REMOTE_FUNCTIONS);
	struct ctd_remote_client *client = NULL;
	int error;

	/* As the thread that asks for intervals. */
	if (!asker->options->screen.urls.count)
		ctd_sandbox_confine(asker->options, CTD_PRIVILEGES_TO_ASK);
	error = ctd_remote_client_new(&place, ctd_stop_came, &client);
	if (error) {
		give_up(asker, error);
		return NULL;
	}
	pthread_mutex_lock(asker->lock);
	while (!asker->ends) {
		if (asker->is_wanted && ctd_monotonic_ns() >= asker->next_ns)
			ask_once(asker, client);
		else
			wait_for_more(asker);
	}
	pthread_mutex_unlock(asker->lock);
	ctd_remote_client_free(client);
	return NULL;
}

int ctd_top_asker_begin(const struct ctd_options *options, struct ctd_remote_run *run,
			pthread_mutex_t *lock, int wake_fd, struct ctd_top_asker **ret_asker)
{
	struct ctd_top_asker *asker = *ret_asker = calloc(1, sizeof(*asker));
	int error;

	if (!asker)
		return ctd_log_error(-ENOMEM, "ask serve for functions");
	*asker = (struct ctd_top_asker){
		.options = options, .run = run, .lock = lock, .wake_fd = wake_fd};
	ctd_cond_init(&asker->changed);
	error = ctd_thread_start(&asker->thread, "ctd-functions", ask_on, asker);
	asker->has_thread = !error;
	return error ? ctd_log_error(error, "start a thread") : 0;
}

static bool is_same(const char *path, const char *other)
{
	return path && other ? strcmp(path, other) == 0 : path == other;
}

const struct ctd_top_functions *ctd_top_asker_want(struct ctd_top_asker *asker, bool is_wanted,
						   const char *path, int core_type)
{
	if (is_wanted == asker->is_wanted &&
	    (!is_wanted || (is_same(path, asker->path) && core_type == asker->core_type)))
		return &asker->functions;
	free(asker->path);
	asker->path = is_wanted && path ? strdup(path) : NULL;
	asker->is_wanted = is_wanted && !path == !asker->path;
	asker->core_type = core_type;
	asker->number++;
	asker->next_ns = 0;
	forget(&asker->functions);
	memcpy(asker->functions.why, asker->broken, sizeof(asker->broken));
	pthread_cond_signal(&asker->changed);
	return &asker->functions;
}

void ctd_top_asker_end(struct ctd_top_asker *asker)
{
	if (!asker)
		return;
	pthread_mutex_lock(asker->lock);
	asker->ends = true;
	pthread_cond_signal(&asker->changed);
	pthread_mutex_unlock(asker->lock);
	if (asker->has_thread)
		pthread_join(asker->thread, NULL);
	pthread_cond_destroy(&asker->changed);
	forget(&asker->functions);
	free(asker->path);
	free(asker);
}
