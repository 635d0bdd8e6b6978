/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* profile.c - answers requests for profiles, which take as long as they are to be of. */
#include "serve/http/http.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#include "base/auto.h"
#include "base/clock.h"
#include "base/num.h"
#include "base/strbuf.h"
#include "serve/http/accept.h"

/* As Go's own servers of profiles have it. */
#define SECONDS_DEFAULT 30

static enum MHD_Result refuse(struct ctd_request *request, unsigned int status, const char *why)
{
	const struct ctd_answer answer = {
		.status = status,
		.text = why,
		.header =
			status == MHD_HTTP_SERVICE_UNAVAILABLE ? MHD_HTTP_HEADER_RETRY_AFTER : NULL,
		.value = "10",
	};

	return ctd_http_answer(request->connection, &answer);
}

/* NULL: not given. Escapes are those of URLs. */
static char *argument(const struct ctd_request *request, const char *name)
{
	const char *value =
		MHD_lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND, name);
	char *copy = value ? strdup(value) : NULL;

	if (copy)
		MHD_http_unescape(copy);
	return copy;
}

static void tell_ready(void *http)
{
	eventfd_write(((struct ctd_http *)http)->event_fd, 1);
}

static enum MHD_Result ask(struct ctd_http *http, struct ctd_request *request,
			   enum ctd_route_kind kind, long long seconds, uint64_t now_ns)
{
	bool recent = kind == CTD_ROUTE_RECENT_PROFILE;
	autofree char *key = argument(request, "key"), *pod = argument(request, "pod"),
		      *container = argument(request, "container"),
		      *namespace_name = argument(request, "namespace");
	const struct ctd_profile_question question = {
		.recent = recent,
		.recording = kind == CTD_ROUTE_RECORDING,
		.gzip = recent && ctd_accepts_gzip(MHD_lookup_connection_value(
					  request->connection, MHD_HEADER_KIND,
					  MHD_HTTP_HEADER_ACCEPT_ENCODING)),
		.length_ns = (uint64_t)seconds * 1000000000,
		.key = key,
		.wanted = {.container = container, .pod = pod, .namespace_name = namespace_name},
	};
	int error = ctd_profiles_ask(http->profiles, &question, tell_ready, http, now_ns,
				     &request->ask);

	if (error == -EBUSY)
		return refuse(request, MHD_HTTP_SERVICE_UNAVAILABLE,
			      "As many profiles as can be are being made.\n");
	if (error)
		return refuse(request, MHD_HTTP_SERVICE_UNAVAILABLE, "Out of memory.\n");
	ctd_http_suspend(http, request, now_ns);
	return MHD_YES;
}

static enum MHD_Result answer(struct ctd_request *request, const struct ctd_route *route)
{
	bool recent = route->kind == CTD_ROUTE_RECENT_PROFILE;
	struct ctd_answer answer = {.status = MHD_HTTP_OK, .content_type = route->content_type};
	struct ctd_strbuf text = {};
	int error;

	if (!ctd_profile_ask_is_ready(request->ask))
		return refuse(request, MHD_HTTP_SERVICE_UNAVAILABLE,
			      "The profile could not be made in time.\n");
	error = ctd_profile_ask_take(request->ask, &text);
	if (error == -EOPNOTSUPP)
		return refuse(
			request, MHD_HTTP_NOT_IMPLEMENTED,
			"Groups of counters rotate here, which a recording of a sum cannot tell.\n");
	if (error)
		return refuse(request, MHD_HTTP_SERVICE_UNAVAILABLE, "Out of memory.\n");
	answer.body = ctd_body_new(&text, 0);
	if (!answer.body) {
		ctd_strbuf_free(&text);
		return refuse(request, MHD_HTTP_SERVICE_UNAVAILABLE, "Out of memory.\n");
	}
	/* A client may refuse gzip for JSON; pprof's file is a gzip file. */
	answer.gzip = recent && answer.body->bytes > 1 && answer.body->data[0] == '\x1f';
	if (route->kind == CTD_ROUTE_PROFILE) {
		answer.header = MHD_HTTP_HEADER_CONTENT_DISPOSITION;
		answer.value = "attachment; filename=\"profile.pb.gz\"";
	}
	/* From here on the client owes us the taking of it. */
	ctd_profile_ask_drop(take_ptr(request->ask));
	if (request->client)
		request->client->since_ns = ctd_monotonic_ns();
	return ctd_http_answer(request->connection, &answer);
}

enum MHD_Result ctd_http_answer_profile(struct ctd_http *http, struct ctd_request *request,
					const struct ctd_route *route, uint64_t now_ns)
{
	static const struct ctd_answer head = {.status = MHD_HTTP_OK, .text = ""};
	bool recent = route->kind == CTD_ROUTE_RECENT_PROFILE;
	const char *wanted =
		MHD_lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND, "seconds");
	long long seconds = recent ? CTD_PROFILE_RECENT_SECONDS_MAX : SECONDS_DEFAULT;

	if (request->ask)
		return answer(request, route);
	if (!http->profiles)
		return refuse(request, MHD_HTTP_NOT_FOUND,
			      "No stacks are sampled: start 'cgtopdown serve' with --profile.\n");
	if (!http->options.local && !http->address.is_path && !ctd_auth_needed(&http->setup.auth))
		return refuse(
			request, MHD_HTTP_FORBIDDEN,
			"Names of functions are not for everybody: start 'cgtopdown serve' with --bearer-token-file or --basic-auth-file, or ask at its local socket.\n");
	if (wanted &&
	    ctd_parse_integer(wanted, 1,
			      recent ? CTD_PROFILE_RECENT_SECONDS_MAX : CTD_PROFILE_SECONDS_MAX,
			      &seconds))
		return refuse(request, MHD_HTTP_BAD_REQUEST,
			      recent ? "seconds: a number from 1 to 60\n"
				     : "seconds: a number from 1 to 300\n");
	if (request->is_head)
		return ctd_http_answer(request->connection, &head);
	return ask(http, request, route->kind, seconds, now_ns);
}

/* A suspended connection is not looked at by the daemon. */
static bool has_left(const struct ctd_client *client)
{
	struct pollfd end = {.fd = client->fd, .events = POLLRDHUP};

	return poll(&end, 1, 0) > 0 && end.revents & (POLLRDHUP | POLLHUP | POLLERR);
}

bool ctd_http_profile_is_due(const struct ctd_request *request, uint64_t now_ns)
{
	return ctd_profile_ask_is_ready(request->ask) ||
	       now_ns >= ctd_profile_ask_limit_ns(request->ask) ||
	       (request->client && has_left(request->client));
}
