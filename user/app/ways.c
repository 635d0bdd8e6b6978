/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ways.c - hands views to those who serve and send them, and knows what has arrived. */
#include "app/ways.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "app/config.h"
#include "app/headers.h"
#include "app/self.h"
#include "base/clock.h"
#include "base/log.h"

/* A sender ends within a second. */
#define ROOM_NS 1500000000ull

static void want_view(void *context)
{
	struct ctd_ways *ways = context;

	eventfd_write(ways->wake_fd, 1);
}

static void add_totals(const struct ctd_push *push, struct ctd_push_totals *sum)
{
	struct ctd_push_totals totals = {};

	if (push)
		ctd_push_totals(push, &totals);
	sum->sent += totals.sent;
	sum->failed += totals.failed;
	sum->dropped += totals.dropped;
	sum->queued += totals.queued;
}

/* With the lock held. */
static void add_push(struct ctd_ways *ways, struct ctd_self *self)
{
	struct ctd_push_totals totals = ways->push_before;

	for (int i = 0; i < CTD_WAYS_ENDING; i++)
		add_totals(ways->ending[i], &totals);
	add_totals(ways->push, &totals);
	self->otlp = ways->push;
	self->otlp_sent = totals.sent;
	self->otlp_failed = totals.failed;
	self->otlp_dropped = totals.dropped;
	self->otlp_queued = totals.queued;
}

/* For each text and page, by the server's thread. */
static void know_self(struct ctd_self *self, void *context)
{
	struct ctd_ways *ways = context;
	struct ctd_http_counts counts;

	pthread_mutex_lock(&ways->lock);
	*self = ways->self;
	add_push(ways, self);
	pthread_mutex_unlock(&ways->lock);
	ctd_self_read(self);
	ctd_http_count(ways->http, &counts);
	self->scrapes = counts.scrapes;
	self->scrape_errors = counts.scrape_errors;
	self->config_errors += counts.file_errors;
}

/* By the sender's thread, while it may be on its way out: what it knows of itself it knows best. */
static void gather(void *context, struct ctd_self *self)
{
	struct ctd_ways *ways = context;

	pthread_mutex_lock(&ways->lock);
	*self = ways->self;
	pthread_mutex_unlock(&ways->lock);
	ctd_self_read(self);
}

/* Kubernetes tells a pod by its environment. NULL: not told. */
static const char *node_name(const struct ctd_options *options)
{
	return options->serve.node_name ? options->serve.node_name : getenv("NODE_NAME");
}

static struct ctd_http_files http_files(const struct ctd_options *options)
{
	return (struct ctd_http_files){
		.certificate = options->serve.tls_cert,
		.key = options->serve.tls_key,
		.token = options->serve.bearer_token_file,
		.users = options->serve.basic_auth_file,
	};
}

int ctd_ways_open(const struct ctd_options *options, uint64_t interval_ns, int wake_fd,
		  struct ctd_ways *ways)
{
	const struct ctd_http_options http = {
		.listen = options->serve.listen,
		.files = http_files(options),
		.interval_ns = interval_ns,
		.want_view = want_view,
		.know_self = know_self,
		.context = ways,
	};

	*ways = (struct ctd_ways){.linger_ns = options->serve.linger_ns,
				  .wake_fd = wake_fd,
				  .lock = PTHREAD_MUTEX_INITIALIZER,
				  .self = {.started_ns = ctd_realtime_ns()}};
	if (node_name(options))
		snprintf(ways->node, sizeof(ways->node), "%s", node_name(options));
	else
		gethostname(ways->node, sizeof(ways->node) - 1);
	ways->self.node = ways->node;
	return strcmp(http.listen, "off") == 0 ? 0 : ctd_http_open(&http, &ways->http);
}

static int start_push(struct ctd_ways *ways, const struct ctd_options *options, bool again,
		      struct ctd_push **ret_push)
{
	const char *headers[CTD_TEXTS_MAX + CTD_HEADERS_MAX + 1] = {NULL};
	struct ctd_headers from_file = {0};
	char host[256] = "";
	const struct ctd_push_options push = {
		.url = options->serve.otlp,
		.headers = headers,
		.ca_file = options->serve.otlp_ca,
		.resource =
			{
				.host_name = host,
				.node_name = node_name(options),
				.cluster_name = options->serve.cluster_name,
			},
		.interval_ns = options->serve.otlp_interval_ns,
		.gather = gather,
		.context = ways,
	};
	size_t given = 0;
	int error = 0;

	if (!push.url) {
		*ret_push = NULL;
		return 0;
	}
	if (options->serve.otlp_header_file)
		error = ctd_headers_read(options->serve.otlp_header_file, again, &from_file);
	if (error)
		return error;
	gethostname(host, sizeof(host) - 1);
	for (size_t i = 0; i < options->serve.otlp_headers.count; i++)
		headers[given++] = options->serve.otlp_headers.text[i];
	for (size_t i = 0; i < from_file.count; i++)
		headers[given++] = from_file.header[i];
	error = ctd_push_new(&push, ret_push);
	ctd_headers_free(&from_file);
	return error;
}

int ctd_ways_run(struct ctd_ways *ways, const struct ctd_options *options, bool as_it_is)
{
	int error = start_push(ways, options, false, &ways->push);

	ways->push_ns = ctd_monotonic_ns();
	if (!error && ways->http)
		error = ctd_http_run(ways->http, as_it_is);
	return error;
}

/* Frees a sender that was replaced; what it counted stays. */
static void free_ending(struct ctd_ways *ways, int i)
{
	struct ctd_push *push = ways->ending[i];

	/* Without the lock, which it takes to know what it tells. */
	ctd_push_wait(push);
	pthread_mutex_lock(&ways->lock);
	add_totals(push, &ways->push_before);
	ways->ending[i] = NULL;
	pthread_mutex_unlock(&ways->lock);
	ctd_push_free(push);
}

static void free_ended(struct ctd_ways *ways)
{
	for (int i = 0; i < CTD_WAYS_ENDING; i++)
		if (ways->ending[i] && ctd_push_has_ended(ways->ending[i]))
			free_ending(ways, i);
}

void ctd_ways_publish(struct ctd_ways *ways, const struct ctd_ledger_view *view)
{
	free_ended(ways);
	if (ways->http)
		ctd_http_publish(ways->http, view);
	if (ways->push)
		ctd_push_publish(ways->push, view);
}

uint64_t ctd_ways_acknowledged(struct ctd_ways *ways)
{
	uint64_t now_ns, acknowledged = UINT64_MAX;
	struct ctd_http_counts counts = {};

	if (ways->http)
		ctd_http_count(ways->http, &counts);
	/* Not before: an answer that ends in between would be one of the future. */
	now_ns = ctd_monotonic_ns();
	/* Nobody may ever scrape; a receiver is known from the start. */
	if (counts.sent_sequence && now_ns - counts.sent_ns <= ways->linger_ns)
		acknowledged = counts.sent_sequence;
	if (ways->push) {
		uint64_t sequence = ctd_push_acknowledged(ways->push);

		if (sequence != ways->push_sequence)
			ways->push_ns = now_ns;
		ways->push_sequence = sequence;
		if (now_ns - ways->push_ns <= ways->linger_ns && sequence < acknowledged)
			acknowledged = sequence;
	}
	return acknowledged == UINT64_MAX ? 0 : acknowledged;
}

static bool has_room(struct ctd_ways *ways)
{
	bool room = false;

	pthread_mutex_lock(&ways->lock);
	for (int i = 0; i < CTD_WAYS_ENDING; i++)
		room |= !ways->ending[i] || ctd_push_has_ended(ways->ending[i]);
	pthread_mutex_unlock(&ways->lock);
	return room;
}

/* Who reloads over and over waits for the second in which senders end; but for none that does not,
 * as the file of a CA may not answer. */
static int wait_for_room(struct ctd_ways *ways)
{
	const struct timespec pause = {.tv_nsec = 10000000};
	uint64_t end_ns = ctd_monotonic_ns() + ROOM_NS;

	while (!has_room(ways)) {
		if (ctd_monotonic_ns() >= end_ns) {
			ctd_log(CTD_LOG_ERROR,
				"otlp: earlier senders are still waited for, as the file of a CA does not answer; figures are sent as before");
			return -EBUSY;
		}
		nanosleep(&pause, NULL);
	}
	return 0;
}

/* There is: none has taken it since it was waited for. */
static int make_room(struct ctd_ways *ways)
{
	int place = 0;

	free_ended(ways);
	while (ways->ending[place])
		place++;
	return place;
}

int ctd_ways_prepare(struct ctd_ways *ways, const struct ctd_options *before,
		     const struct ctd_options *after, struct ctd_ways_next *ret_next)
{
	const struct ctd_http_files files = http_files(after);
	int http_error = ways->http ? ctd_http_reload(ways->http, &files) : 0, error = 0;
	struct ctd_ways_next next = {};

	/* What a file of headers says may have changed, though it is the same file. */
	if (ways->push_behind || after->serve.otlp_header_file ||
	    ctd_config_differs(before, after, CTD_OPTIONS_PUSHING)) {
		error = wait_for_room(ways);
		if (!error)
			error = start_push(ways, after, true, &next.push);
		next.replaces_push = !error;
	}
	ways->push_behind = error;
	*ret_next = next;
	return http_error ? http_error : error;
}

/* Another sender takes over, while the old one sends what it can in its last second. */
void ctd_ways_follow(struct ctd_ways *ways, struct ctd_ways_next *next)
{
	struct ctd_push *before = ways->push;
	int place;

	if (!next->replaces_push)
		return;
	place = make_room(ways);
	pthread_mutex_lock(&ways->lock);
	ways->ending[place] = before;
	ways->push = next->push;
	pthread_mutex_unlock(&ways->lock);
	*next = (struct ctd_ways_next){};
	ways->push_sequence = 0;
	ways->push_ns = ctd_monotonic_ns();
	if (before)
		ctd_push_end(before);
}

void ctd_ways_next_free(struct ctd_ways_next *next)
{
	ctd_push_free(next->push);
	*next = (struct ctd_ways_next){};
}

void ctd_ways_free(struct ctd_ways *ways)
{
	/* The server asks for the sender's totals. */
	ctd_http_free(ways->http);
	/* All in the same second. */
	if (ways->push)
		ctd_push_end(ways->push);
	for (int i = 0; i < CTD_WAYS_ENDING; i++)
		if (ways->ending[i])
			free_ending(ways, i);
	ctd_push_free(ways->push);
	ways->http = NULL;
	ways->push = NULL;
}
