/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* profile.c - answers requests for profiles, which take as long as they are to be of. */
#include "serve/http/http.h"

#include <errno.h>

#include "base/auto.h"
#include "base/num.h"

/* As Go's own servers of profiles have it. */
#define SECONDS_DEFAULT 30

static enum MHD_Result refuse_recording(struct ctd_request *request)
{
	return ctd_http_refuse_ask(
		request, MHD_HTTP_NOT_IMPLEMENTED,
		"Groups of counters rotate here, which a recording of a sum cannot tell.\n");
}

static const char *argument(const struct ctd_request *request, const char *name)
{
	return MHD_lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND, name);
}

static enum MHD_Result ask(struct ctd_http *http, struct ctd_request *request,
			   enum ctd_route_kind kind, long long seconds, bool no_frames,
			   uint64_t now_ns)
{
	bool recent = kind == CTD_ROUTE_RECENT_PROFILE;
	autofree char *key = ctd_http_argument(request, "key"),
		      *pod = ctd_http_argument(request, "pod"),
		      *container = ctd_http_argument(request, "container"),
		      *namespace_name = ctd_http_argument(request, "namespace");
	const struct ctd_profile_question question = {
		.recent = recent,
		.recording = kind == CTD_ROUTE_RECORDING,
		.gzip = recent && ctd_http_takes_gzip(request),
		.no_frames = no_frames,
		.length_ns = (uint64_t)seconds * 1000000000,
		.key = key,
		.wanted = {.container = container, .pod = pod, .namespace_name = namespace_name},
	};
	int error = ctd_profiles_ask(http->profiles, &question, ctd_http_tell_ready, http, now_ns,
				     &request->ask);

	if (error == -EOPNOTSUPP)
		return refuse_recording(request);
	return ctd_http_wait_for_answer(http, request, error, now_ns);
}

static enum MHD_Result answer(struct ctd_request *request, const struct ctd_route *route)
{
	struct ctd_answer answer = {.content_type = route->content_type};
	int error;

	if (!ctd_ask_is_ready(request->ask))
		return ctd_http_refuse_ask(request, MHD_HTTP_SERVICE_UNAVAILABLE,
					   "The profile could not be made in time.\n");
	error = ctd_http_take_answer(request, &answer);
	if (error == -EOPNOTSUPP)
		return refuse_recording(request);
	if (error)
		return ctd_http_refuse_ask(request, MHD_HTTP_SERVICE_UNAVAILABLE,
					   CTD_HTTP_NO_MEMORY);
	/* pprof's file is a gzip file by itself. */
	answer.gzip &= route->kind == CTD_ROUTE_RECENT_PROFILE;
	if (route->kind == CTD_ROUTE_PROFILE) {
		answer.header = MHD_HTTP_HEADER_CONTENT_DISPOSITION;
		answer.value = "attachment; filename=\"profile.pb.gz\"";
	}
	return ctd_http_answer(request->connection, &answer);
}

enum MHD_Result ctd_http_answer_profile(struct ctd_http *http, struct ctd_request *request,
					const struct ctd_route *route, uint64_t now_ns)
{
	static const struct ctd_answer head = {.status = MHD_HTTP_OK, .text = ""};
	bool recent = route->kind == CTD_ROUTE_RECENT_PROFILE;
	const char *wanted = argument(request, "seconds"), *frames = argument(request, "frames");
	long long seconds = recent ? CTD_PROFILE_RECENT_SECONDS_MAX : SECONDS_DEFAULT;
	long long has_frames = 1;

	if (request->ask)
		return answer(request, route);
	if (!http->profiles)
		return ctd_http_refuse_ask(
			request, MHD_HTTP_NOT_FOUND,
			"No stacks are sampled: start 'cgtopdown serve' with --profile.\n");
	if (!http->options.local && !http->address.is_path && !ctd_auth_needed(&http->setup.auth))
		return ctd_http_refuse_ask(
			request, MHD_HTTP_FORBIDDEN,
			"Names of functions are not for everybody: start 'cgtopdown serve' with --bearer-token-file or --basic-auth-file, or ask at its local socket.\n");
	if (wanted &&
	    ctd_parse_integer(wanted, 1,
			      recent ? CTD_PROFILE_RECENT_SECONDS_MAX : CTD_PROFILE_SECONDS_MAX,
			      &seconds))
		return ctd_http_refuse_ask(request, MHD_HTTP_BAD_REQUEST,
					   recent ? "seconds: a number from 1 to 60\n"
						  : "seconds: a number from 1 to 300\n");
	if (recent && frames && ctd_parse_integer(frames, 0, 1, &has_frames))
		return ctd_http_refuse_ask(request, MHD_HTTP_BAD_REQUEST, "frames: 0 or 1\n");
	if (request->is_head)
		return ctd_http_answer(request->connection, &head);
	return ask(http, request, route->kind, seconds, !has_frames, now_ns);
}
