/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* events.c - the thread that sends events, and what it shares with the others. */
#include "serve/events/events.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/auto.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "base/thread.h"
#include "serve/events/describe.h"
#include "serve/events/request.h"
#include "serve/events/server.h"
#include "serve/events/told.h"
#include "serve/push/backoff.h"

#define SECOND_NS 1000000000ull
/* Spreads the clock, by which nodes differ, over 32 bits. */
#define SCATTER 2654435761u
#define UNTRIED (-1)

/* What was judged together; both are held. */
struct judged {
	const struct ctd_neighbour_verdicts *verdicts; /* NULL: nothing */
	const struct ctd_ledger_view *view;
};

struct ctd_events {
	struct ctd_events_options options;
	char url[512]; /* of the API server that the environment names */
	pthread_t thread;
	/* Held for moments, never while sending. */
	pthread_mutex_t lock;
	pthread_cond_t changed; /* next, end_ns */
	struct judged next; /* that the thread has not taken */
	_Atomic uint64_t end_ns; /* 0: it goes on */
	_Atomic uint64_t sent, failed, dropped;
	/* The thread's own. */
	struct ctd_k8s_event_request *request; /* owned; but for waking it */
	struct judged now; /* what `told` borrows from */
	struct ctd_told told;
	uint64_t retry_ns; /* when to send again */
	unsigned int failures; /* in a row */
	int kind; /* of the last failure; 0: it went well */
};

static void release(struct judged *judged)
{
	ctd_neighbour_verdicts_release(judged->verdicts);
	ctd_ledger_view_release(judged->view);
	*judged = (struct judged){0};
}

static void publish_dropped(struct ctd_events *events)
{
	if (events->told.dropped && !atomic_load(&events->dropped))
		ctd_warn(
			"kubernetes events: some had to wait until their tags had ended: for the API server, or for others, as ten are sent in a minute, and a victim and mechanism has one in ten minutes; cgtopdown_kubernetes_events_total{result=\"dropped\"} counts them");
	atomic_store(&events->dropped, events->told.dropped);
}

/* The older verdicts are let go only when nothing borrows from them. */
static void take(struct ctd_events *events, struct judged next)
{
	struct judged before = events->now;

	events->now = next;
	if (ctd_told_judge(&events->told, next.verdicts, next.view, ctd_monotonic_ns()))
		ctd_log_error(-ENOMEM, "kubernetes events: follow tags");
	release(&before);
	publish_dropped(events);
}

/* The same event has the same name, also after a restart. */
static void set_name(struct ctd_k8s_event *event, const struct ctd_told_tag *tag)
{
	auto_ctd_strbuf struct ctd_strbuf what = {0};

	ctd_strbuf_addf(&what, "%s %s %s %s %" PRIu64 " %u", tag->key, event->regarding.uid,
			event->action, event->reason, tag->since_ns, tag->count);
	ctd_k8s_event_set_name(event, ctd_hash(what.text ? what.text : "", what.bytes));
}

/* Tells people only what is new. */
static void say(struct ctd_events *events, const struct ctd_k8s_event_result *result)
{
	if (result->kind == events->kind)
		return;
	events->kind = result->kind;
	if (!result->kind)
		ctd_info("kubernetes events: %s takes them", events->options.url);
	else
		ctd_warn("kubernetes events: %s: %s; %s, figures go on being counted",
			 events->options.url, result->why,
			 result->verdict == CTD_PUSH_REFUSED ? "this one is not tried again"
							     : "trying again while tags stand");
}

static void answered(struct ctd_events *events, struct ctd_told_tag *tag,
		     const struct ctd_k8s_event_result *result)
{
	uint64_t now_ns = ctd_monotonic_ns();

	say(events, result);
	ctd_told_answered(&events->told, tag, result->verdict, now_ns);
	publish_dropped(events);
	if (result->verdict == CTD_PUSH_TAKEN) {
		atomic_fetch_add(&events->sent, 1);
		events->failures = 0;
		return;
	}
	atomic_fetch_add(&events->failed, 1);
	events->failures++;
	events->retry_ns = now_ns + ctd_push_backoff_ns(events->failures, result->retry_after_s,
							(uint32_t)now_ns * SCATTER);
}

static void send(struct ctd_events *events, struct ctd_told_tag *tag)
{
	auto_ctd_strbuf struct ctd_strbuf note = {0};
	struct ctd_k8s_event_result result;
	struct ctd_k8s_event event;

	if (tag->tag)
		ctd_k8s_event_stands(tag->tag, tag->victim, events->now.view, events->options.node,
				     &note, &event);
	else
		ctd_k8s_event_ended(tag->mechanism, tag->since_ns, tag->reason, tag->victim, &note,
				    &event);
	event.node = events->options.node;
	event.time_ns = ctd_realtime_ns();
	set_name(&event, tag);
	ctd_told_send(&events->told, ctd_monotonic_ns());
	ctd_k8s_event_request_run(events->request, &event, &events->end_ns, &result);
	if (!result.ended)
		answered(events, tag, &result);
}

/* With the lock held. */
static void wait_until(struct ctd_events *events, uint64_t until_ns)
{
	struct timespec until = {.tv_sec = (time_t)(until_ns / SECOND_NS),
				 .tv_nsec = (long)(until_ns % SECOND_NS)};

	if (until_ns == UINT64_MAX)
		pthread_cond_wait(&events->changed, &events->lock);
	else
		pthread_cond_timedwait(&events->changed, &events->lock, &until);
}

/* When what is due may be sent. */
static uint64_t ready_ns(const struct ctd_events *events)
{
	uint64_t ready_ns = ctd_told_ready_ns(&events->told);

	return ready_ns > events->retry_ns ? ready_ns : events->retry_ns;
}

/* One step of the thread, with the lock held at begin and end. */
static void step(struct ctd_events *events)
{
	struct judged next = events->next;
	uint64_t now_ns = ctd_monotonic_ns();
	struct ctd_told_tag *tag;

	events->next = (struct judged){0};
	if (next.verdicts) {
		pthread_mutex_unlock(&events->lock);
		take(events, next);
		pthread_mutex_lock(&events->lock);
		return;
	}
	tag = ctd_told_next(&events->told, now_ns);
	if (!tag || now_ns < ready_ns(events)) {
		wait_until(events, tag ? ready_ns(events) : UINT64_MAX);
		return;
	}
	pthread_mutex_unlock(&events->lock);
	send(events, tag);
	pthread_mutex_lock(&events->lock);
}

static void *run(void *argument)
{
	struct ctd_events *events = argument;

	pthread_mutex_lock(&events->lock);
	while (!atomic_load(&events->end_ns))
		step(events);
	pthread_mutex_unlock(&events->lock);
	return NULL;
}

static void free_parts(struct ctd_events *events)
{
	ctd_k8s_event_request_free(events->request);
	ctd_told_free(&events->told);
	release(&events->now);
	release(&events->next);
	pthread_cond_destroy(&events->changed);
	pthread_mutex_destroy(&events->lock);
	free(events);
}

static int find_server(struct ctd_events *events)
{
	struct ctd_events_options *options = &events->options;

	if (options->url)
		return 0;
	if (!ctd_api_server_url(events->url, sizeof(events->url))) {
		ctd_log(CTD_LOG_ERROR,
			"kubernetes events: this is no pod, as KUBERNETES_SERVICE_HOST is not in the environment; name the API server with --kubernetes-api, and see --kubernetes-ca and --kubernetes-token-file.");
		return -EINVAL;
	}
	options->url = events->url;
	if (!options->ca_file)
		options->ca_file = CTD_SERVICE_ACCOUNT_CA;
	if (!options->token_file)
		options->token_file = CTD_SERVICE_ACCOUNT_TOKEN;
	return 0;
}

static int make_request(struct ctd_events *events)
{
	int error = ctd_k8s_event_request_new(&events->options, &events->request);

	if (error == -EINVAL) {
		ctd_log(CTD_LOG_ERROR,
			"kubernetes events: '%s' is no URL of http or https, or libcurl is too old, or lacks TLS.",
			events->options.url);
		return error;
	}
	return error ? ctd_log_error(error, "kubernetes events: libcurl") : 0;
}

int ctd_events_new(const struct ctd_events_options *options, struct ctd_events **ret_events)
{
	struct ctd_events *events = calloc(1, sizeof(*events));
	int error;

	if (!events)
		return ctd_log_error(-ENOMEM, "kubernetes events");
	events->options = *options;
	events->kind = UNTRIED;
	pthread_mutex_init(&events->lock, NULL);
	ctd_cond_init(&events->changed);
	error = find_server(events);
	if (!error)
		error = make_request(events);
	if (!error) {
		error = ctd_thread_start(&events->thread, "ctd-events", run, events);
		if (error)
			ctd_log_error(error, "kubernetes events: start a thread");
	}
	if (error) {
		free_parts(events);
		return error;
	}
	*ret_events = events;
	return 0;
}

void ctd_events_free(struct ctd_events *events)
{
	if (!events)
		return;
	pthread_mutex_lock(&events->lock);
	atomic_store(&events->end_ns, ctd_monotonic_ns());
	pthread_cond_signal(&events->changed);
	pthread_mutex_unlock(&events->lock);
	ctd_k8s_event_request_wake(events->request);
	pthread_join(events->thread, NULL);
	free_parts(events);
}

void ctd_events_judge(struct ctd_events *events, const struct ctd_neighbour_verdicts *verdicts,
		      const struct ctd_ledger_view *view)
{
	const struct judged next = {ctd_neighbour_verdicts_hold(verdicts),
				    ctd_ledger_view_hold(view)};
	struct judged before;

	pthread_mutex_lock(&events->lock);
	before = events->next;
	events->next = next;
	pthread_cond_signal(&events->changed);
	pthread_mutex_unlock(&events->lock);
	release(&before);
}

void ctd_events_totals(const struct ctd_events *events, struct ctd_events_totals *ret_totals)
{
	*ret_totals = (struct ctd_events_totals){
		.sent = atomic_load(&events->sent),
		.failed = atomic_load(&events->failed),
		.dropped = atomic_load(&events->dropped),
	};
}
