/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* resolve.c - a thread that looks for the names of those that wait for it. */
#include "identity/lookup/resolve.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/thread.h"
#include "identity/lookup/waiting.h"
#include "identity/path/named.h"

#define NS_PER_MS 1000000ull
/* What several cgroups share on disk is read again after that time, or after so many times of what
 * it took: Podman's list of thousands of containers takes as long itself. */
#define SHARED_NS (100 * NS_PER_MS)
#define SHARED_COSTS 10
/* How often the other source is asked whether it has news. */
#define SOURCE_NS (1000 * NS_PER_MS)

struct ctd_resolver {
	pthread_t thread;
	struct ctd_disk *disk; /* owned; the thread's */
	const struct ctd_name_source *source; /* borrowed; NULL: none */
	void (*begin)(void *context);
	void *begin_context;
	unsigned generation; /* of the source; the thread's */
	uint64_t shared_since_ns; /* the thread's; 0: nothing shared is kept */

	pthread_mutex_t lock; /* of all that follows; never held while a disk is read */
	pthread_cond_t work; /* something is due, or the end */
	pthread_cond_t looked; /* all were looked for once */
	bool stop;
	struct ctd_waiting waiting; /* owned */
};

/* The source's news are of all pods: what is not new in it is not answered again. */
static void follow_source(struct ctd_resolver *resolver)
{
	unsigned generation = resolver->source->generation(resolver->source->context);

	if (generation == resolver->generation)
		return;
	resolver->generation = generation;
	ctd_waiting_look_for_pods(&resolver->waiting);
}

/* Under the lock, after any that may have been the last to be looked for. */
static void tell_looked(struct ctd_resolver *resolver)
{
	if (!resolver->waiting.unlooked)
		pthread_cond_broadcast(&resolver->looked);
}

/* What is shared is read again for each bunch of cgroups, and not kept beyond it. */
static void refresh(struct ctd_resolver *resolver, bool idle)
{
	uint64_t now_ns = ctd_monotonic_ns();
	uint64_t age_ns = now_ns - resolver->shared_since_ns;
	uint64_t cost_ns = ctd_disk_kept_cost_ns(resolver->disk);

	if (idle || (age_ns > SHARED_NS && age_ns > SHARED_COSTS * cost_ns)) {
		ctd_disk_refresh(resolver->disk);
		resolver->shared_since_ns = idle ? 0 : now_ns;
	}
}

static void sleep_until(struct ctd_resolver *resolver, uint64_t wake_ns)
{
	struct timespec wake = {.tv_sec = (time_t)(wake_ns / 1000000000),
				.tv_nsec = (long)(wake_ns % 1000000000)};

	pthread_cond_timedwait(&resolver->work, &resolver->lock, &wake);
}

static void *run(void *context)
{
	struct ctd_resolver *resolver = context;
	const struct ctd_name_source *source = resolver->source;

	if (resolver->begin)
		resolver->begin(resolver->begin_context);
	pthread_mutex_lock(&resolver->lock);
	while (!resolver->stop) {
		struct ctd_lookup *lookup;
		struct ctd_look look;
		uint64_t wake_ns = ctd_monotonic_ns() + (source ? SOURCE_NS : 3600000 * NS_PER_MS);

		if (source)
			follow_source(resolver);
		lookup = ctd_waiting_next(&resolver->waiting, &wake_ns);
		if (!lookup && !resolver->shared_since_ns) {
			sleep_until(resolver, wake_ns);
			continue;
		}
		pthread_mutex_unlock(&resolver->lock);
		refresh(resolver, !lookup);
		if (lookup)
			ctd_lookup_run(lookup, resolver->disk, source, &look);
		pthread_mutex_lock(&resolver->lock);
		if (lookup)
			ctd_waiting_take_look(&resolver->waiting, lookup, &look);
		tell_looked(resolver);
	}
	pthread_mutex_unlock(&resolver->lock);
	return NULL;
}

static void prepare(struct ctd_resolver *resolver)
{
	pthread_mutex_init(&resolver->lock, NULL);
	ctd_cond_init(&resolver->work);
	ctd_cond_init(&resolver->looked);
	ctd_waiting_init(&resolver->waiting);
}

static void release(struct ctd_resolver *resolver)
{
	ctd_waiting_free(&resolver->waiting);
	pthread_cond_destroy(&resolver->looked);
	pthread_cond_destroy(&resolver->work);
	pthread_mutex_destroy(&resolver->lock);
	ctd_disk_free(resolver->disk);
	free(resolver);
}

int ctd_resolver_new(const struct ctd_resolver_options *options, struct ctd_resolver **ret_resolver)
{
	struct ctd_resolver *resolver = calloc(1, sizeof(*resolver));
	int error;

	if (!resolver)
		return -ENOMEM;
	resolver->source = options->source;
	resolver->begin = options->begin;
	resolver->begin_context = options->begin_context;
	error = ctd_disk_new(options->root && *options->root ? options->root : "/",
			     &resolver->disk);
	if (error) {
		free(resolver);
		return error;
	}
	prepare(resolver);
	ctd_disk_want_labels(resolver->disk, &options->labels);
	error = ctd_thread_start(&resolver->thread, "ctd-names", run, resolver);
	if (error) {
		release(resolver);
		return error;
	}
	*ret_resolver = resolver;
	return 0;
}

void ctd_resolver_free(struct ctd_resolver *resolver)
{
	if (!resolver)
		return;
	pthread_mutex_lock(&resolver->lock);
	resolver->stop = true;
	pthread_cond_signal(&resolver->work);
	pthread_mutex_unlock(&resolver->lock);
	pthread_join(resolver->thread, NULL);
	release(resolver);
}

int ctd_resolver_ask(struct ctd_resolver *resolver, const struct ctd_identity *identity)
{
	struct ctd_named_path ignored;
	int error;

	if (!identity->container_id[0] && !identity->pod_uid[0] &&
	    !ctd_named_path_parse(identity->path, &ignored))
		return 0;
	pthread_mutex_lock(&resolver->lock);
	error = ctd_waiting_add(&resolver->waiting, identity);
	pthread_cond_signal(&resolver->work);
	pthread_mutex_unlock(&resolver->lock);
	return error;
}

void ctd_resolver_leave(struct ctd_resolver *resolver, uint64_t cgroup_id)
{
	pthread_mutex_lock(&resolver->lock);
	ctd_waiting_leave(&resolver->waiting, cgroup_id);
	pthread_mutex_unlock(&resolver->lock);
}

void ctd_resolver_wait(struct ctd_resolver *resolver, uint64_t timeout_ns)
{
	uint64_t end_ns = ctd_monotonic_ns() + timeout_ns;
	struct timespec end = {.tv_sec = (time_t)(end_ns / 1000000000),
			       .tv_nsec = (long)(end_ns % 1000000000)};
	int error = 0;

	pthread_mutex_lock(&resolver->lock);
	while (resolver->waiting.unlooked && !error)
		error = pthread_cond_timedwait(&resolver->looked, &resolver->lock, &end);
	pthread_mutex_unlock(&resolver->lock);
}

void ctd_resolver_apply(struct ctd_resolver *resolver, struct ctd_identities *identities,
			void (*notice)(const struct ctd_identity *identity, void *context),
			void *context)
{
	pthread_mutex_lock(&resolver->lock);
	ctd_waiting_apply(&resolver->waiting, identities, notice, context);
	pthread_mutex_unlock(&resolver->lock);
}

void ctd_resolver_counts(struct ctd_resolver *resolver, struct ctd_resolver_counts *ret_counts)
{
	pthread_mutex_lock(&resolver->lock);
	ctd_waiting_counts(&resolver->waiting, ret_counts);
	pthread_mutex_unlock(&resolver->lock);
}
