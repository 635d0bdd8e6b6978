/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* kubelet.c - keeps the kubelet's list of pods, and knows when to ask again. */
#include "identity/kubelet/kubelet.h"

#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/idmap.h"
#include "base/thread.h"
#include "identity/kubelet/request.h"

#define NS_PER_MS 1000000ull
#define REFRESH_MS 30000
/* The shortest time between an answer and the next request. */
#define PAUSE_NS 1000000000ull
/* With a long list it is longer: so many times the CPU time that the answer took. */
#define PAUSE_PER_CPU_TIME 100
#define BACKOFF_MS_MAX 30000
/* A container that is not in so many lists in turn will not be in the next: a pod's sandbox, or
 * what is not Kubernetes' at all. */
#define TRIES_MAX 5
#define TRIES_BITS 8
#define MISSING_MAX 4096
#define KIND_NO_LIST 3000

struct ctd_kubelet {
	struct ctd_kubelet_options options;
	struct ctd_name_source source;
	struct ctd_kubelet_request *request; /* owned; the thread's, but for waking it */
	pthread_t thread;
	_Atomic uint64_t end_ns; /* 0: it goes on */
	atomic_bool asked; /* the next request is due now: see ctd_kubelet_ask() */
	atomic_bool wanted; /* something is not in the list */
	atomic_uint generation;
	/* Of the thread alone. */
	uint64_t text_hash; /* of what the list was made from */
	size_t text_bytes; /* 0: there is no list */
	int failure_kind; /* of the last request; -1: it went well; -2: there was none */
	uint32_t backoff_ms;

	pthread_mutex_t lock; /* for what follows */
	struct ctd_podlist list; /* owned */
	struct ctd_kubelet_counts counts;
	struct ctd_idmap missing; /* hash of id and uid -> generation and tries */
};

/* Tells people only what is new. */
static void say(struct ctd_kubelet *kubelet, int kind, const char *what)
{
	autofree char *line = NULL;

	if (kind == kubelet->failure_kind)
		return;
	kubelet->failure_kind = kind;
	if (!kubelet->options.say)
		return;
	if (asprintf(&line, "the kubelet at %s: %s", kubelet->options.url, what) < 0)
		line = NULL;
	kubelet->options.say(kind == -1, line ? line : what, kubelet->options.say_context);
}

static void fail(struct ctd_kubelet *kubelet, const struct ctd_kubelet_failure *failure)
{
	uint32_t backoff_ms = kubelet->backoff_ms ? 2 * kubelet->backoff_ms : 1000;

	kubelet->backoff_ms = backoff_ms < BACKOFF_MS_MAX ? backoff_ms : BACKOFF_MS_MAX;
	pthread_mutex_lock(&kubelet->lock);
	kubelet->counts.requests++;
	kubelet->counts.errors++;
	kubelet->counts.up = false;
	pthread_mutex_unlock(&kubelet->lock);
	say(kubelet, failure->kind, failure->why);
}

/* @p list: NULL if it is the one that there is. */
static void take_list(struct ctd_kubelet *kubelet, const struct ctd_podlist *list)
{
	struct ctd_podlist old = {0};
	char what[128];

	pthread_mutex_lock(&kubelet->lock);
	if (list) {
		old = kubelet->list;
		kubelet->list = *list;
	}
	kubelet->counts.requests++;
	kubelet->counts.up = true;
	/* 0 is for no list. */
	if (atomic_fetch_add(&kubelet->generation, 1) + 1 == 0)
		atomic_store(&kubelet->generation, 1);
	snprintf(what, sizeof(what), "lists %zu pods with %zu containers", kubelet->list.pods_count,
		 kubelet->list.containers_count);
	pthread_mutex_unlock(&kubelet->lock);
	ctd_podlist_free(&old);
	kubelet->backoff_ms = 0;
	say(kubelet, -1, what);
}

/* Most of the time nothing has changed, and parsing takes ten times as long as a look. */
static int parse(struct ctd_kubelet *kubelet, const char *text, size_t bytes,
		 struct ctd_kubelet_failure *ret_failure)
{
	uint64_t hash = ctd_hash(text, bytes);
	char why[CTD_PODLIST_WHY_BYTES] = "";
	struct ctd_podlist list;
	int error;

	if (bytes && bytes == kubelet->text_bytes && hash == kubelet->text_hash) {
		take_list(kubelet, NULL);
		return 0;
	}
	error = ctd_podlist_parse(text, bytes, &kubelet->options.labels, &list, why);
	if (error) {
		ret_failure->kind = KIND_NO_LIST;
		snprintf(ret_failure->why, sizeof(ret_failure->why),
			 "what it answers cannot be used: %s",
			 error == -ENOMEM ? "no memory" : why);
		return error;
	}
	kubelet->text_bytes = bytes;
	kubelet->text_hash = hash;
	take_list(kubelet, &list);
	return 0;
}

static void ask(struct ctd_kubelet *kubelet)
{
	struct ctd_kubelet_failure failure = {0};
	autofree char *text = NULL;
	size_t bytes;
	int error;

	atomic_store(&kubelet->wanted, false);
	atomic_store(&kubelet->asked, false);
	error = ctd_kubelet_request_run(kubelet->request, &kubelet->end_ns, &text, &bytes,
					&failure);
	if (error == -ECANCELED)
		return;
	if (!error)
		error = parse(kubelet, text, bytes, &failure);
	if (error)
		fail(kubelet, &failure);
}

/* When to ask next. */
static uint64_t due_ns(struct ctd_kubelet *kubelet, uint64_t answer_ns, uint64_t pause_ns)
{
	uint32_t refresh_ms =
		kubelet->options.refresh_ms ? kubelet->options.refresh_ms : REFRESH_MS;
	uint64_t wait_ns = refresh_ms * NS_PER_MS;

	if (kubelet->backoff_ms)
		wait_ns = kubelet->backoff_ms * NS_PER_MS;
	else if (atomic_load(&kubelet->wanted) && pause_ns < wait_ns)
		wait_ns = pause_ns;
	return answer_ns + wait_ns;
}

static void *run(void *context)
{
	struct ctd_kubelet *kubelet = context;

	if (kubelet->options.begin)
		kubelet->options.begin(kubelet->options.begin_context);
	while (!atomic_load(&kubelet->end_ns)) {
		uint64_t began_ns = ctd_thread_cpu_ns(), pause_ns, answer_ns, now_ns;

		ask(kubelet);
		/* The text and the last list are gone, and may be several MB. */
		malloc_trim(0);
		answer_ns = now_ns = ctd_monotonic_ns();
		pause_ns = (ctd_thread_cpu_ns() - began_ns) * PAUSE_PER_CPU_TIME;
		if (pause_ns < PAUSE_NS)
			pause_ns = PAUSE_NS;
		while (!atomic_load(&kubelet->end_ns) && !atomic_load(&kubelet->asked) &&
		       now_ns < due_ns(kubelet, answer_ns, pause_ns)) {
			uint64_t left_ns = due_ns(kubelet, answer_ns, pause_ns) - now_ns;

			ctd_kubelet_request_wait(kubelet->request, (int)(left_ns / NS_PER_MS + 1));
			now_ns = ctd_monotonic_ns();
		}
	}
	return NULL;
}

/* With the lock. @return true if another list may have what this one has not. */
static bool may_come(struct ctd_kubelet *kubelet, const char *container_id, const char *pod_uid)
{
	uint64_t key = ctd_hash(container_id, strlen(container_id)) * 31 +
		       ctd_hash(pod_uid, strlen(pod_uid));
	unsigned int generation = atomic_load(&kubelet->generation);
	uintptr_t noted = 0;

	if (kubelet->missing.count >= MISSING_MAX) {
		ctd_idmap_free(&kubelet->missing);
		kubelet->missing = (struct ctd_idmap){0};
	}
	if (ctd_idmap_get(&kubelet->missing, key, &noted) &&
	    (noted >> TRIES_BITS == generation || (noted & ((1 << TRIES_BITS) - 1)) >= TRIES_MAX))
		return false;
	noted = (uintptr_t)generation << TRIES_BITS | ((noted & ((1 << TRIES_BITS) - 1)) + 1);
	return ctd_idmap_set(&kubelet->missing, key, noted) == 0;
}

int ctd_kubelet_find(struct ctd_kubelet *kubelet, const char *container_id, const char *pod_uid,
		     struct ctd_names *ret_names, enum ctd_qos *ret_qos)
{
	int found = -EAGAIN;
	bool wake = false;

	pthread_mutex_lock(&kubelet->lock);
	if (atomic_load(&kubelet->generation)) {
		found = ctd_podlist_find(&kubelet->list, container_id, pod_uid, ret_names, ret_qos);
		wake = (found == 1 || found == -ENOENT) && may_come(kubelet, container_id, pod_uid);
	}
	pthread_mutex_unlock(&kubelet->lock);
	if (wake) {
		atomic_store(&kubelet->wanted, true);
		ctd_kubelet_request_wake(kubelet->request);
	}
	return found;
}

unsigned int ctd_kubelet_generation(const struct ctd_kubelet *kubelet)
{
	return atomic_load(&kubelet->generation);
}

static int find_name(void *kubelet, const char *container_id, const char *pod_uid,
		     struct ctd_names *ret_names, enum ctd_qos *ret_qos)
{
	return ctd_kubelet_find(kubelet, container_id, pod_uid, ret_names, ret_qos);
}

static unsigned int find_generation(void *kubelet)
{
	return ctd_kubelet_generation(kubelet);
}

const struct ctd_name_source *ctd_kubelet_source(const struct ctd_kubelet *kubelet)
{
	return &kubelet->source;
}

struct ctd_kubelet_counts ctd_kubelet_counts(struct ctd_kubelet *kubelet)
{
	struct ctd_kubelet_counts counts;

	pthread_mutex_lock(&kubelet->lock);
	counts = kubelet->counts;
	pthread_mutex_unlock(&kubelet->lock);
	return counts;
}

static void release(struct ctd_kubelet *kubelet)
{
	ctd_kubelet_request_free(kubelet->request);
	ctd_podlist_free(&kubelet->list);
	ctd_idmap_free(&kubelet->missing);
	pthread_mutex_destroy(&kubelet->lock);
	free(kubelet);
}

int ctd_kubelet_new(const struct ctd_kubelet_options *options, struct ctd_kubelet **ret_kubelet)
{
	struct ctd_kubelet *kubelet = calloc(1, sizeof(*kubelet));
	int error;

	if (!kubelet)
		return -ENOMEM;
	kubelet->options = *options;
	kubelet->source = (struct ctd_name_source){
		.find = find_name, .generation = find_generation, .context = kubelet};
	kubelet->failure_kind = -2;
	pthread_mutex_init(&kubelet->lock, NULL);
	error = ctd_kubelet_request_new(&kubelet->options, &kubelet->request);
	if (!error)
		error = ctd_thread_start(&kubelet->thread, "ctd-kubelet", run, kubelet);
	if (error) {
		release(kubelet);
		return error;
	}
	*ret_kubelet = kubelet;
	return 0;
}

void ctd_kubelet_free(struct ctd_kubelet *kubelet)
{
	if (!kubelet)
		return;
	atomic_store(&kubelet->end_ns, ctd_monotonic_ns());
	ctd_kubelet_request_wake(kubelet->request);
	pthread_join(kubelet->thread, NULL);
	release(kubelet);
}

void ctd_kubelet_ask(struct ctd_kubelet *kubelet)
{
	atomic_store(&kubelet->asked, true);
	ctd_kubelet_request_wake(kubelet->request);
}
