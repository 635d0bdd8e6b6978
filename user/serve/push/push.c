/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* push.c - the thread that sends views, and what it shares with the others. */
#include "serve/push/push.h"

#include <curl/curl.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/auto.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "serve/file.h"
#include "serve/push/backoff.h"
#include "serve/push/encode.h"
#include "serve/push/post.h"
#include "serve/push/report.h"

#define SECOND_NS 1000000000ull
#define INTERVAL_NS (10 * SECOND_NS)
#define TIMEOUT_NS (10 * SECOND_NS)
#define QUEUE_REQUESTS 64
#define QUEUE_BYTES (8u << 20)
#define REQUEST_BYTES (1u << 20)
/* Of the second that the end may take: what is on its way, and all of it. */
#define END_SENDING_NS (SECOND_NS * 4 / 10)
#define END_NS (SECOND_NS * 9 / 10)

/* Spreads the clock, by which senders differ, over 32 bits. */
#define SCATTER 2654435761u

struct ctd_push {
	struct ctd_push_options options;
	pthread_t thread;
	/* Held for moments, never while sending. */
	pthread_mutex_t lock;
	pthread_cond_t changed; /* has_view, next_headers, stopped */
	bool has_view; /* the mailbox has one that was not taken */
	struct curl_slist *next_headers; /* owned; to be sent from now on; NULL: as before */
	bool stopped;
	_Atomic uint64_t give_up_ns; /* requests, on the monotonic clock; 0: never */
	_Atomic uint64_t acknowledged, sent, failed, dropped, rejected_points, queued;
	/* The thread's own. */
	struct ctd_post *post; /* owned */
	struct ctd_push_queue queue;
	struct ctd_push_report report;
	uint64_t sequence; /* of the newest view in the queue, or that was */
	uint64_t due_ns; /* when to take the next view */
	uint64_t retry_ns; /* when to send again */
	unsigned int failures; /* in a row */
	/* Of the thread that looks at the file alone. */
	struct ctd_watched_file header_file;
	bool headers_failed; /* the last time that it was read */
};

static void publish_totals(struct ctd_push *push)
{
	atomic_store(&push->dropped, push->queue.dropped);
	atomic_store(&push->queued, push->queue.requests);
	atomic_store(&push->acknowledged, push->queue.acknowledged);
}

static void gather(struct ctd_push *push, struct ctd_self *ret_self)
{
	*ret_self = (struct ctd_self){.version = CTD_VERSION};
	if (push->options.know_self)
		push->options.know_self(ret_self, push->options.context);
	ret_self->otlp = true;
	ret_self->otlp_sent = atomic_load(&push->sent);
	ret_self->otlp_failed = atomic_load(&push->failed);
	ret_self->otlp_dropped = push->queue.dropped;
	ret_self->otlp_queued = push->queue.requests;
}

static bool must_give_up(struct ctd_push *push)
{
	uint64_t end_ns = atomic_load(&push->give_up_ns);

	return end_ns && ctd_monotonic_ns() >= end_ns;
}

/* Puts all parts of a view into the queue. Without memory it is not sent, or not whole; the next
 * one has it all. */
static void enqueue(struct ctd_push *push, const struct ctd_ledger_view *view)
{
	struct ctd_push_request *request;
	struct ctd_self self;
	size_t first = 0;
	unsigned int part = 0;

	gather(push, &self);
	push->sequence = view->sequence;
	do {
		if (ctd_push_encode(view, &self, &push->options.resource,
				    push->options.request_bytes, &first, &request) < 0)
			break;
		request->part = part++;
		ctd_push_queue_add(&push->queue, request);
	} while (first < view->accounts_count && !must_give_up(push));
	ctd_neighbour_verdicts_release(self.neighbours);
	publish_totals(push);
}

static void enqueue_newest(struct ctd_push *push)
{
	uint64_t put_ns;
	const struct ctd_ledger_view *view = ctd_mailbox_newest(push->options.mailbox, &put_ns);

	enqueue(push, view);
	ctd_ledger_view_release(view);
}

/* Sends the first request. @return false if it stays first, to be tried later. */
static bool send_first(struct ctd_push *push)
{
	struct ctd_push_request *request = push->queue.first;
	struct ctd_post_result result;
	bool whole;

	ctd_post_send(push->post, request->data, request->bytes, &push->give_up_ns, &result);
	if (result.verdict == CTD_PUSH_LATER && must_give_up(push))
		return false;
	ctd_push_report(&push->report, ctd_post_url(push->post), &result);
	if (result.verdict == CTD_PUSH_LATER) {
		push->failures++;
		push->retry_ns = ctd_monotonic_ns() +
				 ctd_push_backoff_ns(push->failures, result.retry_after_s,
						     (uint32_t)ctd_monotonic_ns() * SCATTER);
		return false;
	}
	push->failures = 0;
	if (result.verdict == CTD_PUSH_TAKEN)
		atomic_fetch_add(&push->sent, 1);
	else
		atomic_fetch_add(&push->failed, 1);
	atomic_fetch_add(&push->rejected_points, result.answer.rejected_points);
	whole = result.verdict == CTD_PUSH_TAKEN && !result.answer.rejected_points;
	ctd_push_queue_done(&push->queue, whole);
	publish_totals(push);
	return true;
}

/* With the lock held. */
static void wait_until(struct ctd_push *push, uint64_t until_ns)
{
	struct timespec until = {.tv_sec = (time_t)(until_ns / SECOND_NS),
				 .tv_nsec = (long)(until_ns % SECOND_NS)};

	if (until_ns == UINT64_MAX)
		pthread_cond_wait(&push->changed, &push->lock);
	else
		pthread_cond_timedwait(&push->changed, &push->lock, &until);
}

/* With the lock held. A receiver that wanted other ones is not kept waiting. */
static void take_headers(struct ctd_push *push)
{
	if (!push->next_headers)
		return;
	ctd_post_take_headers(push->post, take_ptr(push->next_headers));
	push->retry_ns = 0;
}

/* One step of the thread, with the lock held at begin and end. */
static void step(struct ctd_push *push)
{
	uint64_t now_ns = ctd_monotonic_ns(), next_ns = UINT64_MAX;

	take_headers(push);
	if (push->has_view && now_ns >= push->due_ns) {
		push->has_view = false;
		push->due_ns += push->options.interval_ns;
		if (push->due_ns <= now_ns)
			push->due_ns = now_ns + push->options.interval_ns;
		pthread_mutex_unlock(&push->lock);
		enqueue_newest(push);
		pthread_mutex_lock(&push->lock);
		return;
	}
	if (push->queue.first && now_ns >= push->retry_ns) {
		pthread_mutex_unlock(&push->lock);
		send_first(push);
		pthread_mutex_lock(&push->lock);
		return;
	}
	if (push->has_view)
		next_ns = push->due_ns;
	if (push->queue.first && push->retry_ns < next_ns)
		next_ns = push->retry_ns;
	wait_until(push, next_ns);
}

/* The newest view once more: totals of all that was before. */
static void finish(struct ctd_push *push, uint64_t end_ns)
{
	atomic_store(&push->give_up_ns, end_ns);
	if (push->has_view)
		enqueue_newest(push);
	ctd_push_queue_drop_before(&push->queue, push->sequence);
	while (push->queue.first && !must_give_up(push) && send_first(push))
		;
	ctd_push_queue_drop_before(&push->queue, UINT64_MAX);
	publish_totals(push);
}

static void *run(void *argument)
{
	struct ctd_push *push = argument;

	pthread_mutex_lock(&push->lock);
	while (!push->stopped)
		step(push);
	pthread_mutex_unlock(&push->lock);
	finish(push, atomic_load(&push->give_up_ns) - END_SENDING_NS + END_NS);
	return NULL;
}

static uint64_t or_default(uint64_t value, uint64_t if_none)
{
	return value ? value : if_none;
}

static void free_parts(struct ctd_push *push)
{
	ctd_post_free(push->post);
	pthread_cond_destroy(&push->changed);
	pthread_mutex_destroy(&push->lock);
	curl_slist_free_all(push->next_headers);
	free(push);
}

static int start_thread(struct ctd_push *push)
{
	int error = ctd_thread_start(&push->thread, "ctd-push", run, push);

	return error ? ctd_log_error(error, "otlp: start a thread") : 0;
}

int ctd_push_new(const struct ctd_push_options *options, struct ctd_push **ret_push)
{
	struct ctd_push *push = calloc(1, sizeof(*push));
	int error;

	if (!push)
		return ctd_log_error(-ENOMEM, "otlp");
	push->options = *options;
	push->options.interval_ns = or_default(options->interval_ns, INTERVAL_NS);
	push->options.timeout_ns = or_default(options->timeout_ns, TIMEOUT_NS);
	push->options.request_bytes = or_default(options->request_bytes, REQUEST_BYTES);
	push->queue.requests_max = or_default(options->queue_requests, QUEUE_REQUESTS);
	push->queue.bytes_max = or_default(options->queue_bytes, QUEUE_BYTES);
	pthread_mutex_init(&push->lock, NULL);
	ctd_cond_init(&push->changed);
	push->header_file.path = options->header_file;
	ctd_watched_file_changed(&push->header_file);
	error = ctd_post_new(&push->options, &push->post);
	if (!error)
		error = start_thread(push);
	if (error) {
		free_parts(push);
		return error;
	}
	*ret_push = push;
	return 0;
}

void ctd_push_free(struct ctd_push *push)
{
	if (!push)
		return;
	pthread_mutex_lock(&push->lock);
	atomic_store(&push->give_up_ns, ctd_monotonic_ns() + END_SENDING_NS);
	push->stopped = true;
	pthread_cond_signal(&push->changed);
	pthread_mutex_unlock(&push->lock);
	ctd_post_wake(push->post);
	pthread_join(push->thread, NULL);
	free_parts(push);
}

int ctd_push_look(bool asked, void *context)
{
	struct ctd_push *push = context;
	struct curl_slist *headers, *before;
	int error;

	if (!ctd_watched_file_changed(&push->header_file) && !(asked && push->headers_failed))
		return 0;
	error = ctd_post_make_headers(&push->options, true, &headers);
	push->headers_failed = error;
	if (error) {
		ctd_warn("otlp: the headers that were read before stay in use");
		return error;
	}
	pthread_mutex_lock(&push->lock);
	before = push->next_headers;
	push->next_headers = headers;
	pthread_cond_signal(&push->changed);
	pthread_mutex_unlock(&push->lock);
	curl_slist_free_all(before);
	ctd_info("otlp: headers have changed, and are in use");
	return 0;
}

void ctd_push_wake(struct ctd_push *push)
{
	pthread_mutex_lock(&push->lock);
	/* If there was one before, the thread is awake, or waits for its time. */
	if (!push->has_view)
		pthread_cond_signal(&push->changed);
	push->has_view = true;
	pthread_mutex_unlock(&push->lock);
}

uint64_t ctd_push_acknowledged(const struct ctd_push *push)
{
	return atomic_load(&push->acknowledged);
}

void ctd_push_totals(const struct ctd_push *push, struct ctd_push_totals *ret_totals)
{
	*ret_totals = (struct ctd_push_totals){
		.sent = atomic_load(&push->sent),
		.failed = atomic_load(&push->failed),
		.dropped = atomic_load(&push->dropped),
		.rejected_points = atomic_load(&push->rejected_points),
		.queued = atomic_load(&push->queued),
	};
}
