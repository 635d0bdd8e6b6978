/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* resolve.c - a thread that looks for names, and the lines in which cgroups wait for it. */
#include "identity/resolve.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/idmap.h"
#include "identity/inquiry.h"
#include "identity/named.h"

#define NS_PER_MS 1000000ull
/* What several cgroups share on disk is read again after that time. */
#define SHARED_NS (100 * NS_PER_MS)
/* How often the other source is asked whether it has news. */
#define SOURCE_NS (1000 * NS_PER_MS)

/*
 * The pause before each look. A runtime writes before it makes the cgroup, so the first look is for
 * nearly all of them; the kubelet makes its links within a second. All in one line have the same
 * pause, so each line is in the order of time.
 */
static const unsigned pauses_ms[] = {0, 100, 200, 400, 800, 1600, 5000, 15000, 60000, 60000, 60000};
#define PAUSES (sizeof(pauses_ms) / sizeof(pauses_ms[0]))

struct ctd_resolver {
	pthread_t thread;
	struct ctd_disk *disk; /* owned; the thread's */
	const struct ctd_name_source *source; /* borrowed; NULL: none */
	void (*begin)(void);
	unsigned generation; /* of the source; the thread's */
	uint64_t shared_since_ns; /* the thread's; 0: nothing shared is kept */

	pthread_mutex_t lock; /* of all that follows; never held while a disk is read */
	pthread_cond_t work; /* something is due, or the end */
	pthread_cond_t looked; /* all were looked for once */
	bool stop;
	struct ctd_idmap by_id; /* owned struct ctd_inquiry */
	struct ctd_idmap by_pod; /* one whose pod's names are on disk, by the hash of the uid */
	struct ctd_inquiries lines[PAUSES + 1]; /* by the pause; in the last one nobody waits */
	struct ctd_inquiries answers;
	size_t unlooked; /* that have not been looked for once */
	uint64_t found, missing;
};

static struct ctd_inquiry *find(const struct ctd_resolver *resolver, uint64_t cgroup_id)
{
	uintptr_t value;

	if (!ctd_idmap_get(&resolver->by_id, cgroup_id, &value))
		return NULL;
	return (struct ctd_inquiry *)value;
}

static void queue(struct ctd_resolver *resolver, struct ctd_inquiry *inquiry, size_t line)
{
	inquiry->line = &resolver->lines[line];
	inquiry->due_ns = ctd_monotonic_ns() + (line < PAUSES ? pauses_ms[line] * NS_PER_MS : 0);
	TAILQ_INSERT_TAIL(inquiry->line, inquiry, place);
}

static void unqueue(struct ctd_inquiry *inquiry)
{
	if (inquiry->line)
		TAILQ_REMOVE(inquiry->line, inquiry, place);
	inquiry->line = NULL;
}

static void count_looked(struct ctd_resolver *resolver)
{
	if (!--resolver->unlooked)
		pthread_cond_broadcast(&resolver->looked);
}

static uint64_t pod_hash(const struct ctd_inquiry *inquiry)
{
	return ctd_hash(inquiry->identity.pod_uid, strlen(inquiry->identity.pod_uid));
}

static struct ctd_inquiry *find_sibling(const struct ctd_resolver *resolver,
					const struct ctd_inquiry *inquiry)
{
	uintptr_t value;

	if (!ctd_idmap_get(&resolver->by_pod, pod_hash(inquiry), &value))
		return NULL;
	return (struct ctd_inquiry *)value;
}

/* Nobody is to hear of it again. The thread frees what it is looking for. */
static void drop(struct ctd_resolver *resolver, struct ctd_inquiry *inquiry)
{
	ctd_idmap_remove(&resolver->by_id, inquiry->identity.cgroup_id);
	if (find_sibling(resolver, inquiry) == inquiry)
		ctd_idmap_remove(&resolver->by_pod, pod_hash(inquiry));
	if (inquiry->answered)
		TAILQ_REMOVE(&resolver->answers, inquiry, answer_place);
	inquiry->answered = false;
	if (!inquiry->looks)
		count_looked(resolver);
	if (!inquiry->line) {
		inquiry->dropped = true;
		return;
	}
	unqueue(inquiry);
	ctd_inquiry_free(inquiry);
}

/* A pod's names are known by those of its containers, where the kubelet's logs are out of sight. */
static void borrow_names(struct ctd_resolver *resolver, const struct ctd_inquiry *inquiry,
			 struct ctd_look *look)
{
	const struct ctd_inquiry *sibling = find_sibling(resolver, inquiry);
	bool nested_pod = look->nested && inquiry->identity.pod_in_outer;

	if (sibling && !look->complete && !nested_pod && inquiry->identity.pod_uid[0])
		ctd_inquiry_borrow(inquiry, sibling, look);
}

/* The first of its pod whose names are on disk: those that wait for the pod's need not any more. */
static void lend_names(struct ctd_resolver *resolver, struct ctd_inquiry *inquiry)
{
	if (!inquiry->identity.pod_uid[0] || !inquiry->whole_on_disk ||
	    find_sibling(resolver, inquiry))
		return;
	/* Without memory the pod's name comes another way, or not. */
	if (ctd_idmap_set(&resolver->by_pod, pod_hash(inquiry), (uintptr_t)inquiry))
		return;
	for (size_t line = 1; line < PAUSES; line++) {
		struct ctd_inquiry *other, *next;

		for (other = TAILQ_FIRST(&resolver->lines[line]); other; other = next) {
			next = TAILQ_NEXT(other, place);
			if (strcmp(other->identity.pod_uid, inquiry->identity.pod_uid) != 0)
				continue;
			unqueue(other);
			queue(resolver, other, 0);
		}
	}
}

static void answer(struct ctd_resolver *resolver, struct ctd_inquiry *inquiry)
{
	if (!inquiry->answered)
		TAILQ_INSERT_TAIL(&resolver->answers, inquiry, answer_place);
	inquiry->answered = true;
}

static void take_look(struct ctd_resolver *resolver, struct ctd_inquiry *inquiry,
		      struct ctd_look *look)
{
	bool complete = inquiry->complete, settled = inquiry->settled, first = !inquiry->looks;
	bool nested = look->nested;
	bool is_container = !ctd_inquiry_is_of_path(inquiry) || look->names.container_id;

	if (inquiry->dropped) {
		ctd_names_free(&look->names);
		ctd_inquiry_free(inquiry);
		return;
	}
	borrow_names(resolver, inquiry, look);
	lend_names(resolver, inquiry);
	if (ctd_inquiry_answer(inquiry, look))
		answer(resolver, inquiry);
	resolver->found += inquiry->complete && !complete && is_container;
	resolver->missing += inquiry->settled && !settled && !inquiry->complete && is_container;
	if (first)
		count_looked(resolver);
	queue(resolver, inquiry,
	      inquiry->complete || nested || inquiry->looks >= PAUSES ? PAUSES : inquiry->looks);
	if (inquiry->leaving && !inquiry->answered)
		drop(resolver, inquiry);
}

/* @return one whose time has come, or NULL and when the next one's will. */
static struct ctd_inquiry *next_due(struct ctd_resolver *resolver, uint64_t *ret_wake_ns)
{
	uint64_t now_ns = ctd_monotonic_ns();
	uint64_t wake_ns = now_ns + (resolver->source ? SOURCE_NS : 3600000 * NS_PER_MS);

	for (size_t i = 0; i < PAUSES; i++) {
		struct ctd_inquiry *inquiry = TAILQ_FIRST(&resolver->lines[i]);

		if (inquiry && inquiry->due_ns <= now_ns)
			return inquiry;
		if (inquiry && inquiry->due_ns < wake_ns)
			wake_ns = inquiry->due_ns;
	}
	*ret_wake_ns = wake_ns;
	return NULL;
}

/* The source's news are of all pods: what is not new in it is not answered again. */
static void follow_source(struct ctd_resolver *resolver)
{
	unsigned generation = resolver->source->generation(resolver->source->context);
	uintptr_t value;
	size_t cursor = 0;
	uint64_t id;

	if (generation == resolver->generation)
		return;
	resolver->generation = generation;
	while (ctd_idmap_next(&resolver->by_id, &cursor, &id, &value)) {
		struct ctd_inquiry *inquiry = (struct ctd_inquiry *)value;

		if (!inquiry->line || !inquiry->identity.pod_uid[0])
			continue;
		unqueue(inquiry);
		queue(resolver, inquiry, 0);
	}
}

/* What is shared is read again for each bunch of cgroups, and not kept beyond it. */
static void refresh(struct ctd_resolver *resolver, bool idle)
{
	uint64_t now_ns = ctd_monotonic_ns();

	if (idle || now_ns - resolver->shared_since_ns > SHARED_NS) {
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

	if (resolver->begin)
		resolver->begin();
	pthread_mutex_lock(&resolver->lock);
	while (!resolver->stop) {
		struct ctd_inquiry *inquiry;
		struct ctd_look look;
		uint64_t wake_ns;

		if (resolver->source)
			follow_source(resolver);
		inquiry = next_due(resolver, &wake_ns);
		if (!inquiry && !resolver->shared_since_ns) {
			sleep_until(resolver, wake_ns);
			continue;
		}
		if (inquiry)
			unqueue(inquiry);
		pthread_mutex_unlock(&resolver->lock);
		refresh(resolver, !inquiry);
		if (inquiry)
			ctd_inquiry_look(inquiry, resolver->disk, resolver->source, &look);
		pthread_mutex_lock(&resolver->lock);
		if (inquiry)
			take_look(resolver, inquiry, &look);
	}
	pthread_mutex_unlock(&resolver->lock);
	return NULL;
}

/* Signals are the main thread's: they end its waiting. */
static int start_thread(struct ctd_resolver *resolver)
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = -pthread_create(&resolver->thread, NULL, run, resolver);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

static void prepare(struct ctd_resolver *resolver)
{
	pthread_condattr_t monotonic;

	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_mutex_init(&resolver->lock, NULL);
	pthread_cond_init(&resolver->work, &monotonic);
	pthread_cond_init(&resolver->looked, &monotonic);
	pthread_condattr_destroy(&monotonic);
	for (size_t i = 0; i <= PAUSES; i++)
		TAILQ_INIT(&resolver->lines[i]);
	TAILQ_INIT(&resolver->answers);
}

static void release(struct ctd_resolver *resolver)
{
	uintptr_t value;
	size_t cursor = 0;
	uint64_t id;

	while (ctd_idmap_next(&resolver->by_id, &cursor, &id, &value))
		ctd_inquiry_free((struct ctd_inquiry *)value);
	ctd_idmap_free(&resolver->by_id);
	ctd_idmap_free(&resolver->by_pod);
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
	error = ctd_disk_new(options->root && *options->root ? options->root : "/",
			     &resolver->disk);
	if (error) {
		free(resolver);
		return error;
	}
	ctd_disk_want_labels(resolver->disk, &options->labels);
	prepare(resolver);
	error = start_thread(resolver);
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

static int add(struct ctd_resolver *resolver, const struct ctd_identity *identity)
{
	struct ctd_inquiry *inquiry = find(resolver, identity->cgroup_id);
	int error;

	if (inquiry && !strcmp(inquiry->identity.path, identity->path)) {
		inquiry->leaving = false;
		return 0;
	}
	if (inquiry)
		drop(resolver, inquiry);
	if (resolver->by_id.count >= CTD_RESOLVER_CGROUPS_MAX)
		return -ENOSPC;
	inquiry = ctd_inquiry_new(identity);
	if (!inquiry)
		return -ENOMEM;
	error = ctd_idmap_set(&resolver->by_id, identity->cgroup_id, (uintptr_t)inquiry);
	if (error) {
		ctd_inquiry_free(inquiry);
		return error;
	}
	resolver->unlooked++;
	queue(resolver, inquiry, 0);
	pthread_cond_signal(&resolver->work);
	return 0;
}

int ctd_resolver_ask(struct ctd_resolver *resolver, const struct ctd_identity *identity)
{
	struct ctd_named_path ignored;
	int error;

	if (!identity->container_id[0] && !identity->pod_uid[0] &&
	    !ctd_named_path_parse(identity->path, &ignored))
		return 0;
	pthread_mutex_lock(&resolver->lock);
	error = add(resolver, identity);
	pthread_mutex_unlock(&resolver->lock);
	return error;
}

/* Nothing is to come any more, once it was looked for: whoever waits for it is told. */
static void leave(struct ctd_resolver *resolver, struct ctd_inquiry *inquiry)
{
	inquiry->leaving = true;
	if (!inquiry->line || !inquiry->looks || inquiry->answered)
		return;
	if (inquiry->settled) {
		drop(resolver, inquiry);
		return;
	}
	inquiry->settled = true;
	resolver->missing += !ctd_inquiry_is_of_path(inquiry);
	answer(resolver, inquiry);
}

void ctd_resolver_leave(struct ctd_resolver *resolver, uint64_t cgroup_id)
{
	struct ctd_inquiry *inquiry;

	pthread_mutex_lock(&resolver->lock);
	inquiry = find(resolver, cgroup_id);
	if (inquiry)
		leave(resolver, inquiry);
	pthread_mutex_unlock(&resolver->lock);
}

void ctd_resolver_wait(struct ctd_resolver *resolver, uint64_t timeout_ns)
{
	uint64_t end_ns = ctd_monotonic_ns() + timeout_ns;
	struct timespec end = {.tv_sec = (time_t)(end_ns / 1000000000),
			       .tv_nsec = (long)(end_ns % 1000000000)};
	int error = 0;

	pthread_mutex_lock(&resolver->lock);
	while (resolver->unlooked && !error)
		error = pthread_cond_timedwait(&resolver->looked, &resolver->lock, &end);
	pthread_mutex_unlock(&resolver->lock);
}

void ctd_resolver_apply(struct ctd_resolver *resolver, struct ctd_identities *identities,
			void (*notice)(const struct ctd_identity *identity, void *context),
			void *context)
{
	struct ctd_inquiry *inquiry;

	pthread_mutex_lock(&resolver->lock);
	while ((inquiry = TAILQ_FIRST(&resolver->answers))) {
		const struct ctd_identity *identity;
		bool news = inquiry->news;

		TAILQ_REMOVE(&resolver->answers, inquiry, answer_place);
		inquiry->answered = false;
		inquiry->news = false;
		identity = ctd_identities_set_names(identities, inquiry->identity.cgroup_id,
						    news ? &inquiry->names : NULL, inquiry->qos,
						    inquiry->settled);
		if (identity && news && notice)
			notice(identity, context);
		if (inquiry->leaving)
			drop(resolver, inquiry);
	}
	pthread_mutex_unlock(&resolver->lock);
}

void ctd_resolver_counts(struct ctd_resolver *resolver, struct ctd_resolver_counts *ret_counts)
{
	struct ctd_resolver_counts counts = {0};
	uintptr_t value;
	size_t cursor = 0;
	uint64_t id;

	pthread_mutex_lock(&resolver->lock);
	counts.found = resolver->found;
	counts.missing = resolver->missing;
	while (ctd_idmap_next(&resolver->by_id, &cursor, &id, &value))
		counts.waiting += !((const struct ctd_inquiry *)value)->settled;
	pthread_mutex_unlock(&resolver->lock);
	*ret_counts = counts;
}
