/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* request.c - from a request to its answer, with a wait for a view of this moment in between. */
#include "serve/http/http.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/log.h"
#include "serve/http/encoding.h"

/* A view younger than this is of this moment. */
#define FRESH_NS 100000000ull
/* So long a scrape waits for a younger one. */
#define WAIT_NS 250000000ull
/* Without an interval for so many of them, and for so long, something is wrong. */
#define HEALTHY_INTERVALS 10
#define HEALTHY_NS 10000000000ull
/* Refused clients are told of no more often. */
#define COMPLAIN_NS 60000000000ull

static const char paths_text[] = "There are: /metrics for Prometheus, / for people, "
				 "/healthz and /readyz for supervisors.\n";

enum path { PATH_PAGE, PATH_METRICS, PATH_HEALTHZ, PATH_READYZ, PATHS };
static const char *const paths[PATHS] = {"/", "/metrics", "/healthz", "/readyz"};

static int find_path(const char *url)
{
	int path = 0;

	while (path < PATHS && strcmp(url, paths[path]) != 0)
		path++;
	return path;
}

static const char *header_of(struct MHD_Connection *connection, const char *name)
{
	return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static bool may_read(struct ctd_http *http, struct MHD_Connection *connection)
{
	const struct ctd_auth *auth = &http->setup.auth;
	char *user, *password = NULL;
	bool allowed;

	if (!ctd_auth_needed(auth) ||
	    ctd_auth_token(auth, header_of(connection, MHD_HTTP_HEADER_AUTHORIZATION)))
		return true;
	user = MHD_basic_auth_get_username_password(connection, &password);
	allowed = user && password && ctd_auth_user(auth, user, password);
	MHD_free(user);
	MHD_free(password);
	return allowed;
}

/* Somebody tries, or has forgotten to configure: a line now and then, however many there are. */
static void complain(struct ctd_http *http, struct MHD_Connection *connection, uint64_t now_ns)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
	char host[NI_MAXHOST] = "somebody";

	if (now_ns < http->complain_ns)
		return;
	http->complain_ns = now_ns + COMPLAIN_NS;
	if (info && info->client_addr &&
	    (info->client_addr->sa_family == AF_INET || info->client_addr->sa_family == AF_INET6))
		getnameinfo(info->client_addr,
			    info->client_addr->sa_family == AF_INET ? sizeof(struct sockaddr_in)
								    : sizeof(struct sockaddr_in6),
			    host, sizeof(host), NULL, 0, NI_NUMERICHOST);
	ctd_warn("http: %s was refused: it showed no user or token that is in the files", host);
}

static enum MHD_Result refuse(struct ctd_http *http, struct MHD_Connection *connection,
			      uint64_t now_ns)
{
	const struct ctd_auth *auth = &http->setup.auth;
	struct ctd_answer answer = {.status = MHD_HTTP_UNAUTHORIZED,
				    .text = "Who are you?\n",
				    .header = MHD_HTTP_HEADER_WWW_AUTHENTICATE};

	if (auth->token.text && auth->users.text)
		answer.value = "Bearer realm=\"cgtopdown\", Basic realm=\"cgtopdown\"";
	else if (auth->token.text)
		answer.value = "Bearer realm=\"cgtopdown\"";
	else
		answer.value = "Basic realm=\"cgtopdown\", charset=\"UTF-8\"";
	complain(http, connection, now_ns);
	return ctd_http_answer(connection, &answer);
}

/* A view may have come since the clock was read: it is of this moment, not of long ago. */
static uint64_t age_ns(uint64_t now_ns, uint64_t since_ns)
{
	return now_ns > since_ns ? now_ns - since_ns : 0;
}

static enum MHD_Result answer_health(struct ctd_http *http, struct MHD_Connection *connection,
				     bool ready_is_enough, uint64_t now_ns)
{
	uint64_t published_ns, idle_ns;
	const struct ctd_ledger_view *view = ctd_http_newest(http, &published_ns);
	struct ctd_answer answer = {.status = MHD_HTTP_OK, .text = "ok\n"};
	char reason[80];

	ctd_ledger_view_release(view);
	idle_ns = age_ns(now_ns, view ? published_ns : http->started_ns);
	if (ready_is_enough && !view) {
		answer.status = MHD_HTTP_SERVICE_UNAVAILABLE;
		answer.text = "The first interval has not ended.\n";
	} else if (!ready_is_enough &&
		   idle_ns > HEALTHY_INTERVALS * http->options.interval_ns + HEALTHY_NS) {
		snprintf(reason, sizeof(reason), "No interval has ended for %" PRIu64 " s.\n",
			 idle_ns / 1000000000);
		answer.status = MHD_HTTP_SERVICE_UNAVAILABLE;
		answer.text = reason;
	}
	return ctd_http_answer(connection, &answer);
}

static enum MHD_Result answer_figures(struct ctd_http *http, struct ctd_request *request,
				      const struct ctd_ledger_view *view)
{
	const char *encoding = header_of(request->connection, MHD_HTTP_HEADER_ACCEPT_ENCODING);
	struct ctd_answer answer = {.status = MHD_HTTP_OK, .gzip = ctd_accepts_gzip(encoding)};
	enum ctd_rendering rendering = CTD_RENDER_PAGE;
	struct ctd_self self = {};

	if (!view) {
		answer = (struct ctd_answer){.status = MHD_HTTP_SERVICE_UNAVAILABLE,
					     .text = "The first interval has not ended.\n",
					     .header = MHD_HTTP_HEADER_RETRY_AFTER,
					     .value = "1"};
		return ctd_http_answer(request->connection, &answer);
	}
	answer.content_type = "text/html; charset=utf-8";
	if (request->is_scrape) {
		enum ctd_exposition exposition = ctd_exposition_choose(
			header_of(request->connection, MHD_HTTP_HEADER_ACCEPT));

		rendering = exposition == CTD_OPENMETRICS_TEXT ? CTD_RENDER_OPENMETRICS
							       : CTD_RENDER_PROMETHEUS;
		answer.content_type = ctd_exposition_content_type(exposition);
	}
	http->options.know_self(&self, http->options.context);
	if (ctd_render(&http->renderer, view, &self, rendering, answer.gzip, &answer.body)) {
		answer = (struct ctd_answer){.status = MHD_HTTP_SERVICE_UNAVAILABLE,
					     .text = "Out of memory.\n"};
		return ctd_http_answer(request->connection, &answer);
	}
	request->sequence = view->sequence;
	return ctd_http_answer(request->connection, &answer);
}

/* @return true if the request is to wait until there is a newer view. */
static bool is_to_wait(struct ctd_http *http, struct ctd_request *request,
		       const struct ctd_ledger_view *view, uint64_t published_ns, uint64_t now_ns)
{
	if (request->asked_ns || (view && (!request->is_scrape || http->as_it_is ||
					   age_ns(now_ns, published_ns) < FRESH_NS)))
		return false;
	request->asked_ns = now_ns;
	request->next_waiting = http->waiting;
	http->waiting = request;
	MHD_suspend_connection(request->connection);
	http->options.want_view(http->options.context);
	return true;
}

static enum MHD_Result answer_request(struct ctd_http *http, struct ctd_request *request,
				      const char *url)
{
	struct ctd_answer not_found = {.status = MHD_HTTP_NOT_FOUND, .text = paths_text};
	uint64_t now_ns = ctd_monotonic_ns(), published_ns;
	enum MHD_Result result = MHD_YES;
	const struct ctd_ledger_view *view;
	int path = find_path(url);

	request->is_scrape = path == PATH_METRICS;
	if (path == PATHS)
		return ctd_http_answer(request->connection, &not_found);
	if (path == PATH_HEALTHZ || path == PATH_READYZ)
		return answer_health(http, request->connection, path == PATH_READYZ, now_ns);
	if (!may_read(http, request->connection))
		return refuse(http, request->connection, now_ns);
	view = ctd_http_newest(http, &published_ns);
	if (!is_to_wait(http, request, view, published_ns, now_ns))
		result = answer_figures(http, request, view);
	ctd_ledger_view_release(view);
	return result;
}

/* Any length but 0, also beside one that is 0: whoever counts otherwise must not disagree with us
 * on where the request ends. */
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
	bool complete = code == MHD_REQUEST_TERMINATED_COMPLETED_OK && request && request->sequence;

	(void)connection;
	*context = NULL;
	if (!request)
		return;
	if (request->is_scrape && !complete)
		ctd_http_add(&http->scrape_errors);
	if (request->is_scrape && complete) {
		ctd_http_add(&http->scrapes);
		/* Somebody has it now, but not of an answer without a body. */
		if (!request->is_head && request->sequence > http->sent_sequence)
			__atomic_store_n(&http->sent_sequence, request->sequence, __ATOMIC_RELAXED);
		__atomic_store_n(&http->sent_ns, ctd_monotonic_ns(), __ATOMIC_RELEASE);
	}
	if (request->client) {
		request->client->request = NULL;
		request->client->since_ns = ctd_monotonic_ns();
	}
	free(request);
}

uint64_t ctd_http_resume(struct ctd_http *http, uint64_t now_ns, bool all)
{
	struct ctd_request **link = &http->waiting, *request;
	uint64_t next_ns = 0, published_ns;

	ctd_ledger_view_release(ctd_http_newest(http, &published_ns));
	while ((request = *link)) {
		uint64_t end_ns = request->asked_ns + WAIT_NS;

		if (all || published_ns > request->asked_ns || now_ns >= end_ns) {
			*link = request->next_waiting;
			MHD_resume_connection(request->connection);
			continue;
		}
		if (!next_ns || end_ns < next_ns)
			next_ns = end_ns;
		link = &request->next_waiting;
	}
	return next_ns;
}
