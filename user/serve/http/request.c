/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* request.c - from a request to its answer, with a wait for a view of this moment in between. */
#include "serve/http/http.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/num.h"
#include "serve/http/accept.h"
#include "serve/web/files.h"
#include "serve/web/text.h"

/* A view that is younger than this is as good as new: no request has another one made. */
#define FRESH_NS 100000000ull
#define AGE_MAX_NS 3600000000000ull
/* A request waits for a younger view no longer than this. */
#define WAIT_NS 250000000ull
/* Time between two looks whether a client that waits for another thread is still connected. */
#define ASK_LOOK_NS 1000000000ull

/* Columns of a table. */
#define WIDTH_MIN 40
#define WIDTH_MAX 1000

static const char *header_of(struct MHD_Connection *connection, const char *name)
{
	return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static enum MHD_Result answer_not_found(struct MHD_Connection *connection)
{
	char text[1024];
	const struct ctd_answer answer = {.status = MHD_HTTP_NOT_FOUND, .text = text};

	ctd_routes_list(text, sizeof(text));
	return ctd_http_answer(connection, &answer);
}

static enum MHD_Result answer_unavailable(struct MHD_Connection *connection, const char *why)
{
	const struct ctd_answer answer = {.status = MHD_HTTP_SERVICE_UNAVAILABLE,
					  .text = why,
					  .header = MHD_HTTP_HEADER_RETRY_AFTER,
					  .value = "1"};

	return ctd_http_answer(connection, &answer);
}

static enum MHD_Result answer_file(struct ctd_request *request, const struct ctd_route *route,
				   const struct ctd_web_file *file)
{
	struct MHD_Connection *connection = request->connection;
	const char *known = header_of(connection, MHD_HTTP_HEADER_IF_NONE_MATCH);
	bool gzip = file->gzip &&
		    ctd_accepts_gzip(header_of(connection, MHD_HTTP_HEADER_ACCEPT_ENCODING));
	struct ctd_answer answer = {
		.status = MHD_HTTP_OK,
		.content_type = file->content_type,
		.policy = route->policy,
		.fixed = gzip ? file->gzip : file->plain,
		.fixed_bytes = gzip ? file->gzip_bytes : file->plain_bytes,
		.gzip = gzip,
		.header = MHD_HTTP_HEADER_ETAG,
		.value = file->etag,
	};

	if (known && strstr(known, file->etag)) {
		answer.status = MHD_HTTP_NOT_MODIFIED;
		answer.fixed_bytes = 0;
		answer.gzip = false;
	}
	return ctd_http_answer(connection, &answer);
}

static enum MHD_Result answer_text(struct ctd_http *http, struct ctd_request *request,
				   const struct ctd_route *route,
				   const struct ctd_ledger_view *view)
{
	const char *encoding = header_of(request->connection, MHD_HTTP_HEADER_ACCEPT_ENCODING);
	struct ctd_answer answer = {.status = MHD_HTTP_OK,
				    .content_type = route->content_type,
				    .policy = route->policy,
				    .gzip = ctd_accepts_gzip(encoding)};
	struct ctd_self self = {};
	int error;

	http->options.know_self(&self, http->options.context);
	self.scrapes = http->scrapes;
	self.scrape_errors = http->scrape_errors;
	self.look_ns = http->options.local && !http->as_it_is ? FRESH_NS : 0;
	memcpy(self.http_refusals, http->refusals, sizeof(self.http_refusals));
	error = ctd_render(&http->renderer, route, view, &self, answer.gzip, &answer.body);
	ctd_neighbour_verdicts_release(self.neighbours);
	if (error)
		return answer_unavailable(request->connection, "Out of memory.\n");
	request->sequence = view->sequence;
	/* Writing to a connection whose other end is closed succeeds, but nobody reads the answer. */
	request->is_late =
		request->is_scrape && request->client && ctd_http_has_left(request->client);
	return ctd_http_answer(request->connection, &answer);
}

/* Few people read it: it is written for each request, in the width asked for. */
static enum MHD_Result answer_table(struct ctd_request *request, const struct ctd_ledger_view *view)
{
	const char *wanted =
		MHD_lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND, "width");
	auto_ctd_strbuf struct ctd_strbuf text = {};
	struct ctd_answer answer = {.status = MHD_HTTP_OK};
	long long width = CTD_VIEW_TEXT_WIDTH;

	if (wanted && ctd_parse_integer(wanted, WIDTH_MIN, WIDTH_MAX, &width)) {
		answer.status = MHD_HTTP_BAD_REQUEST;
		answer.text = "width: a number of columns from 40 to 1000\n";
		return ctd_http_answer(request->connection, &answer);
	}
	if (ctd_view_text(view, (int)width, &text))
		return answer_unavailable(request->connection, "Out of memory.\n");
	answer.text = text.text;
	return ctd_http_answer(request->connection, &answer);
}

/* How old a view may be for it. @return 0, or -EINVAL. */
static int read_age(const struct ctd_http *http, struct ctd_request *request)
{
	const char *wanted =
		MHD_lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND, "max_age");

	request->age_ns = request->is_scrape && !http->options.local ? FRESH_NS : UINT64_MAX;
	if (!wanted || !http->options.local)
		return 0;
	if (ctd_parse_duration_ns(wanted, 0, AGE_MAX_NS, &request->age_ns))
		return -EINVAL;
	if (request->age_ns < FRESH_NS)
		request->age_ns = FRESH_NS;
	return 0;
}

/* It may have come since the clock was read. */
static bool is_young_enough(const struct ctd_request *request, uint64_t now_ns, uint64_t put_ns)
{
	return now_ns < put_ns || now_ns - put_ns < request->age_ns;
}

/* Suspends the request until there is a newer view, or WAIT_NS are over. */
static void wait_for_view(struct ctd_http *http, struct ctd_request *request, uint64_t now_ns)
{
	ctd_http_suspend(http, request, now_ns);
	if (request->age_ns != UINT64_MAX)
		http->options.want_view(http->options.context);
}

static enum MHD_Result answer_view(struct ctd_http *http, struct ctd_request *request,
				   const struct ctd_route *route, uint64_t now_ns)
{
	uint64_t put_ns;
	const struct ctd_ledger_view *view = ctd_mailbox_newest(http->options.mailbox, &put_ns);
	bool will_do = view && (http->as_it_is || is_young_enough(request, now_ns, put_ns));
	enum MHD_Result result = MHD_YES;

	if (!will_do && !request->asked_ns)
		wait_for_view(http, request, now_ns);
	else if (view && route->kind == CTD_ROUTE_TABLE)
		result = answer_table(request, view);
	else if (view)
		result = answer_text(http, request, route, view);
	else
		result = answer_unavailable(request->connection, CTD_HTTP_NO_VIEW);
	ctd_ledger_view_release(view);
	return result;
}

static enum MHD_Result answer_request(struct ctd_http *http, struct ctd_request *request,
				      const char *path)
{
	const struct ctd_route *route =
		ctd_route_find(path, header_of(request->connection, MHD_HTTP_HEADER_ACCEPT));
	uint64_t now_ns = ctd_monotonic_ns();

	if (!ctd_listen_is_named(&http->address, http->options.hosts, http->listen_fd,
				 header_of(request->connection, MHD_HTTP_HEADER_HOST)))
		return ctd_http_refuse_name(http, request->connection, now_ns);
	if (!route)
		return answer_not_found(request->connection);
	request->is_scrape = route->kind == CTD_ROUTE_SCRAPE;
	if (!route->open && !ctd_http_may_read(http, request->connection))
		return ctd_http_refuse(http, request->connection, now_ns);
	switch (route->kind) {
	case CTD_ROUTE_HEALTHY:
	case CTD_ROUTE_READY:
		return ctd_http_answer_health(http, request->connection, route, now_ns);
	case CTD_ROUTE_FILE:
		return answer_file(request, route, ctd_web_file_find(path));
	case CTD_ROUTE_PROFILE:
	case CTD_ROUTE_RECENT_PROFILE:
	case CTD_ROUTE_RECORDING:
		return ctd_http_answer_profile(http, request, route, now_ns);
	case CTD_ROUTE_HISTORY:
		return ctd_http_answer_history(http, request, route, now_ns);
	case CTD_ROUTE_VIEW:
	case CTD_ROUTE_TABLE:
	case CTD_ROUTE_SCRAPE:
		break;
	}
	if (read_age(http, request))
		return ctd_http_refuse_ask(request, MHD_HTTP_BAD_REQUEST,
					   "max_age: a time of 3600 s at most, as 0.5 or 500ms\n");
	return answer_view(http, request, route, now_ns);
}

/* Any length but 0, also beside one that is 0: a proxy in between must not disagree with us on
 * where the request ends. */
static enum MHD_Result look_for_body(void *has_body, enum MHD_ValueKind kind, const char *name,
				     const char *value)
{
	(void)kind;
	if (strcasecmp(name, MHD_HTTP_HEADER_TRANSFER_ENCODING) == 0 ||
	    (strcasecmp(name, MHD_HTTP_HEADER_CONTENT_LENGTH) == 0 &&
	     (!value || strcmp(value, "0") != 0)))
		*(bool *)has_body = true;
	return MHD_YES;
}

/* A request's head is there. What may come after it is not read, so that a refusal is the last
 * answer of its connection. */
static enum MHD_Result begin_request(struct MHD_Connection *connection, const char *method,
				     void **context)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	struct ctd_request *request = calloc(1, sizeof(*request));
	struct ctd_answer answer = {.last = true};
	bool has_body = false;

	if (!request)
		return MHD_NO;
	*context = request;
	request->connection = connection;
	request->is_head = strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;
	request->client = info ? info->socket_context : NULL;
	if (request->client) {
		request->client->request = request;
		request->client->since_ns = ctd_monotonic_ns();
	}
	MHD_get_connection_values(connection, MHD_HEADER_KIND, look_for_body, &has_body);
	if (!request->is_head && strcmp(method, MHD_HTTP_METHOD_GET) != 0) {
		answer.status = MHD_HTTP_METHOD_NOT_ALLOWED;
		answer.text = "Figures are only to be read: GET or HEAD.\n";
		answer.header = MHD_HTTP_HEADER_ALLOW;
		answer.value = "GET, HEAD";
	} else if (has_body) {
		answer.status = MHD_HTTP_CONTENT_TOO_LARGE;
		answer.text = "Nothing is taken with a request.\n";
	}
	return answer.status ? ctd_http_answer(connection, &answer) : MHD_YES;
}

enum MHD_Result ctd_http_on_request(void *http, struct MHD_Connection *connection, const char *url,
				    const char *method, const char *version,
				    const char *upload_data, size_t *upload_bytes, void **context)
{
	(void)version;
	(void)upload_data;
	if (!*context)
		return begin_request(connection, method, context);
	return *upload_bytes ? MHD_NO : answer_request(http, *context, url);
}

void ctd_http_on_completed(void *http_context, struct MHD_Connection *connection, void **context,
			   enum MHD_RequestTerminationCode code)
{
	struct ctd_http *http = http_context;
	struct ctd_request *request = *context;
	bool complete = code == MHD_REQUEST_TERMINATED_COMPLETED_OK && request &&
			request->sequence && !request->is_late;

	(void)connection;
	*context = NULL;
	if (!request)
		return;
	if (request->is_scrape && !complete)
		http->scrape_errors++;
	if (request->is_scrape && complete) {
		http->scrapes++;
		pthread_mutex_lock(&http->lock);
		/* A HEAD request did not get the figures. */
		if (!request->is_head && request->sequence > http->sent_sequence)
			http->sent_sequence = request->sequence;
		http->sent_ns = ctd_monotonic_ns();
		pthread_mutex_unlock(&http->lock);
	}
	if (request->client) {
		request->client->request = NULL;
		request->client->since_ns = ctd_monotonic_ns();
	}
	ctd_ask_drop(request->ask);
	ctd_asks_leave(request->holds_place_of);
	free(request);
}

/* @return the time to look again; @p now_ns or before: its wait is over. */
static uint64_t wait_end_ns(const struct ctd_request *request, uint64_t put_ns, uint64_t now_ns)
{
	if (request->ask)
		return ctd_http_ask_is_due(request, now_ns) ? now_ns : now_ns + ASK_LOOK_NS;
	return put_ns > request->asked_ns ? now_ns : request->asked_ns + WAIT_NS;
}

uint64_t ctd_http_resume(struct ctd_http *http, uint64_t now_ns, bool all)
{
	struct ctd_request **link = &http->waiting, *request;
	uint64_t next_ns = 0, put_ns = ctd_mailbox_put_ns(http->options.mailbox);
	bool resumed = false;

	while ((request = *link)) {
		uint64_t end_ns = wait_end_ns(request, put_ns, now_ns);

		if (all || now_ns >= end_ns) {
			*link = request->next_waiting;
			MHD_resume_connection(request->connection);
			resumed = true;
			continue;
		}
		if (!next_ns || end_ns < next_ns)
			next_ns = end_ns;
		link = &request->next_waiting;
	}
	return resumed ? now_ns : next_ns;
}
