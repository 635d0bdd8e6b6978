/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* outputs.c - hands views and tags to those that give them out, and knows what has arrived. */
#include "serve/outputs.h"

#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/clock.h"
#include "base/log.h"
#include "serve/self.h"

static void want_view(void *context)
{
	struct ctd_outputs *outputs = context;

	eventfd_write(outputs->options.wake_fd, 1);
}

/* As want_view(), for a command on this machine. */
static void want_look(void *context)
{
	struct ctd_outputs *outputs = context;

	eventfd_write(outputs->options.wake_fd, outputs->options.look_count);
}

static void know_events(struct ctd_self *self, const struct ctd_outputs *outputs)
{
	struct ctd_events_totals totals;

	self->kubernetes_events = outputs->events;
	if (!outputs->events)
		return;
	ctd_events_totals(outputs->events, &totals);
	self->kubernetes_events_sent = totals.sent;
	self->kubernetes_events_failed = totals.failed;
	self->kubernetes_events_dropped = totals.dropped;
}

/* For each view that is sent, by the sender's thread. */
static void know_self(struct ctd_self *self, void *context)
{
	struct ctd_outputs *outputs = context;

	pthread_mutex_lock(&outputs->lock);
	*self = outputs->self;
	self->neighbours = ctd_neighbour_verdicts_hold(outputs->verdicts);
	pthread_mutex_unlock(&outputs->lock);
	ctd_self_read(self);
	if (outputs->profiles)
		ctd_profiles_count(outputs->profiles, self);
	know_events(self, outputs);
}

/* For each text, by the server's thread: of the sender, too. */
static void know_all(struct ctd_self *self, void *context)
{
	struct ctd_outputs *outputs = context;
	struct ctd_push_totals totals = {};

	know_self(self, context);
	if (outputs->push)
		ctd_push_totals(outputs->push, &totals);
	self->otlp = outputs->push;
	self->otlp_sent = totals.sent;
	self->otlp_failed = totals.failed;
	self->otlp_dropped = totals.dropped;
	self->otlp_queued = totals.queued;
}

/* "" if it cannot be told. */
static void read_boot_id(char *ret_id, size_t bytes)
{
	autofclose FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");

	if (!file || !fgets(ret_id, (int)bytes, file))
		*ret_id = '\0';
	ret_id[strcspn(ret_id, "\n")] = '\0';
}

static int open_local(const struct ctd_outputs_options *options,
		      const struct ctd_http_options *http, struct ctd_outputs *outputs)
{
	struct ctd_http_options local = *http;
	int error;

	local.listen = options->local;
	local.files = (struct ctd_http_files){};
	local.local = true;
	local.want_view = want_look;
	local.waits = !options->local_needed;
	error = ctd_http_open(&local, &outputs->local);
	if (!error || options->local_needed)
		return error;
	ctd_warn("without a local socket: 'cgtopdown stat' on this machine finds no serve to ask");
	return 0;
}

int ctd_outputs_open(const struct ctd_outputs_options *options, struct ctd_outputs *outputs)
{
	const struct ctd_http_options http = {
		.listen = options->listen,
		.access = options->access,
		.hosts = options->hosts,
		.files = options->files,
		.mailbox = &outputs->mailbox,
		.interval_ns = options->interval_ns,
		.want_view = want_view,
		.know_self = know_all,
		.context = outputs,
	};
	int error = 0;

	*outputs = (struct ctd_outputs){.options = *options,
					.mailbox = CTD_MAILBOX_EMPTY,
					.lock = PTHREAD_MUTEX_INITIALIZER,
					.self = {.started_ns = ctd_realtime_ns()}};
	gethostname(outputs->host, sizeof(outputs->host) - 1);
	outputs->self.node = options->node_name ? options->node_name : outputs->host;
	outputs->self.interval_ns = options->interval_ns;
	read_boot_id(outputs->boot_id, sizeof(outputs->boot_id));
	outputs->self.boot_id = outputs->boot_id;
	if (options->listen)
		error = ctd_http_open(&http, &outputs->http);
	if (!error && options->local)
		error = open_local(options, &http, outputs);
	return error;
}

int ctd_outputs_run(struct ctd_outputs *outputs, bool as_it_is, struct ctd_profiles *profiles,
		    struct ctd_recall *recall)
{
	struct ctd_push_options push = outputs->options.push;
	struct ctd_events_options events = outputs->options.events;
	int error = 0;

	push.resource.host_name = outputs->host;
	push.resource.node_name = outputs->options.node_name;
	push.mailbox = &outputs->mailbox;
	push.know_self = know_self;
	push.context = outputs;
	outputs->push_ns = ctd_monotonic_ns();
	outputs->profiles = profiles;
	outputs->self.history = recall;
	events.node = outputs->self.node;
	/* Before those that ask for its totals. */
	if (outputs->options.tell_kubernetes)
		error = ctd_events_new(&events, &outputs->events);
	if (!error && push.url)
		error = ctd_push_new(&push, &outputs->push);
	if (!error && outputs->http)
		error = ctd_http_run(outputs->http, as_it_is, profiles, recall);
	if (!error && outputs->local)
		error = ctd_http_run(outputs->local, as_it_is, profiles, recall);
	return error;
}

void ctd_outputs_set_as_it_is(struct ctd_outputs *outputs, bool as_it_is)
{
	if (outputs->http)
		ctd_http_set_as_it_is(outputs->http, as_it_is);
	if (outputs->local)
		ctd_http_set_as_it_is(outputs->local, as_it_is);
}

void ctd_outputs_tell(struct ctd_outputs *outputs, const struct ctd_self *self)
{
	struct ctd_self next = *self;

	next.node = outputs->self.node;
	next.started_ns = outputs->self.started_ns;
	next.boot_id = outputs->self.boot_id;
	next.interval_ns = outputs->self.interval_ns;
	next.history = outputs->self.history;
	pthread_mutex_lock(&outputs->lock);
	outputs->self = next;
	pthread_mutex_unlock(&outputs->lock);
}

void ctd_outputs_judge(struct ctd_outputs *outputs, const struct ctd_neighbour_verdicts *verdicts,
		       const struct ctd_ledger_view *view)
{
	const struct ctd_neighbour_verdicts *before;

	if (outputs->events)
		ctd_events_judge(outputs->events, verdicts, view);
	pthread_mutex_lock(&outputs->lock);
	before = outputs->verdicts;
	outputs->verdicts = verdicts;
	pthread_mutex_unlock(&outputs->lock);
	ctd_neighbour_verdicts_release(before);
}

void ctd_outputs_publish(struct ctd_outputs *outputs, const struct ctd_ledger_view *view)
{
	ctd_mailbox_put(&outputs->mailbox, view);
	if (outputs->http)
		ctd_http_wake(outputs->http);
	if (outputs->local)
		ctd_http_wake(outputs->local);
	if (outputs->push)
		ctd_push_wake(outputs->push);
}

uint64_t ctd_outputs_acknowledged(struct ctd_outputs *outputs)
{
	uint64_t linger_ns = outputs->options.linger_ns, now_ns, acknowledged = UINT64_MAX;
	uint64_t scraped = 0, scraped_ns = 0;

	if (outputs->http)
		ctd_http_sent(outputs->http, &scraped, &scraped_ns);
	/* Not before: an answer that ends in between would be one of the future. */
	now_ns = ctd_monotonic_ns();
	/* There may never be a scraper; a receiver is known from the start. */
	if (scraped && now_ns - scraped_ns <= linger_ns)
		acknowledged = scraped;
	if (outputs->push) {
		uint64_t sequence = ctd_push_acknowledged(outputs->push);

		if (sequence != outputs->push_sequence)
			outputs->push_ns = now_ns;
		outputs->push_sequence = sequence;
		if (now_ns - outputs->push_ns <= linger_ns && sequence < acknowledged)
			acknowledged = sequence;
	}
	return acknowledged == UINT64_MAX ? 0 : acknowledged;
}

void ctd_outputs_free(struct ctd_outputs *outputs)
{
	/* The server asks for the sender's totals, and both for those of events: they end first. */
	ctd_http_free(outputs->http);
	ctd_http_free(outputs->local);
	ctd_push_free(outputs->push);
	ctd_events_free(outputs->events);
	ctd_mailbox_free(&outputs->mailbox);
	ctd_neighbour_verdicts_release(outputs->verdicts);
	outputs->verdicts = NULL;
	outputs->http = NULL;
	outputs->local = NULL;
	outputs->push = NULL;
	outputs->events = NULL;
}
