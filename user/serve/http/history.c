/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* history.c - answers requests for times that are over. */
#include "serve/http/http.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/clock.h"
#include "base/num.h"
#include "base/when.h"

#define NS_PER_S 1000000000ull
#define SINCE_DEFAULT_NS (600 * NS_PER_S)
#define POINTS_DEFAULT 60
#define ROWS_DEFAULT 100
#define STEP_S_MAX 1000000

/* The texts of a request; NULL: not given. */
struct arguments {
	char *since, *until, *step, *points, *by, *level, *rows, *key; /* owned */
};

static void arguments_free(struct arguments *arguments)
{
	free(arguments->since);
	free(arguments->until);
	free(arguments->step);
	free(arguments->points);
	free(arguments->by);
	free(arguments->level);
	free(arguments->rows);
	free(arguments->key);
}

static bool is_number(const char *text, long long min, long long max, long long *value)
{
	return !text || !ctd_parse_integer(text, min, max, value);
}

static bool is_time(const char *text, uint64_t now_ns, uint64_t *value)
{
	return !text || !ctd_when_parse(text, now_ns, value);
}

static bool take_by(const char *text, enum ctd_group_by *by)
{
	for (int i = CTD_GROUP_CGROUP; text && i <= CTD_GROUP_OWNER; i++) {
		*by = (enum ctd_group_by)i;
		if (strcmp(text, ctd_group_by_name(*by)) == 0)
			return true;
	}
	*by = CTD_GROUP_CONTAINER;
	return !text;
}

/* The points that begin at multiples of the step. */
static uint64_t points_of(const struct ctd_history_question *question)
{
	return (question->until_ns - 1) / question->step_ns -
	       question->since_ns / question->step_ns + 1;
}

/* Points are whole seconds. @return NULL, or what is wrong. */
static const char *take_times(const struct arguments *arguments, uint64_t now_ns,
			      struct ctd_history_question *question)
{
	long long points = POINTS_DEFAULT, step_s = 0;
	uint64_t length_ns;

	question->until_ns = now_ns;
	if (!is_time(arguments->until, now_ns, &question->until_ns))
		return "until: a time, as '10m' (ago), '@1772375400' or '2026-03-01T14:30Z'\n";
	question->since_ns = question->until_ns - SINCE_DEFAULT_NS;
	if (!is_time(arguments->since, now_ns, &question->since_ns))
		return "since: a time, as '10m' (ago), '@1772375400' or '2026-03-01T14:30Z'\n";
	if (question->since_ns >= question->until_ns)
		return "until is not after since: there is no time in between\n";
	if (arguments->step && arguments->points)
		return "step or points, not both\n";
	if (!is_number(arguments->step, 1, STEP_S_MAX, &step_s))
		return "step: a number of seconds from 1 to 1000000\n";
	if (!is_number(arguments->points, 1, CTD_HISTORY_POINTS_MAX, &points))
		return "points: a number from 1 to 1000\n";
	length_ns = question->until_ns - question->since_ns;
	if (!step_s)
		step_s = (long long)((length_ns - 1) / ((uint64_t)points * NS_PER_S) + 1);
	question->step_ns = (uint64_t)step_s * NS_PER_S;
	while (!arguments->step && points_of(question) > CTD_HISTORY_POINTS_MAX)
		question->step_ns += NS_PER_S;
	return points_of(question) > CTD_HISTORY_POINTS_MAX
		       ? "step: so short a one makes more than 1000 points of that time\n"
		       : NULL;
}

/* @return NULL, or what is wrong. */
static const char *take_question(const struct arguments *arguments,
				 struct ctd_history_question *question)
{
	long long level = 1, rows = ROWS_DEFAULT;

	if (!take_by(arguments->by, &question->by))
		return "by: cgroup, container, pod, namespace or owner\n";
	if (!is_number(arguments->level, 1, 2, &level))
		return "level: 1 or 2\n";
	if (!is_number(arguments->rows, 1, CTD_HISTORY_ROWS_MAX, &rows))
		return "rows: a number from 1 to 1000\n";
	question->level = (int)level;
	question->rows = (size_t)rows;
	question->key = arguments->key;
	return take_times(arguments, ctd_realtime_ns(), question);
}

static enum MHD_Result ask(struct ctd_http *http, struct ctd_request *request, uint64_t now_ns)
{
	static const struct ctd_answer head = {.status = MHD_HTTP_OK, .text = ""};
	__attribute__((cleanup(arguments_free))) struct arguments arguments = {
		.since = ctd_http_argument(request, "since"),
		.until = ctd_http_argument(request, "until"),
		.step = ctd_http_argument(request, "step"),
		.points = ctd_http_argument(request, "points"),
		.by = ctd_http_argument(request, "by"),
		.level = ctd_http_argument(request, "level"),
		.rows = ctd_http_argument(request, "rows"),
		.key = ctd_http_argument(request, "key"),
	};
	struct ctd_history_question question = {.gzip = ctd_http_takes_gzip(request)};
	const char *why = take_question(&arguments, &question);
	int error;

	if (why)
		return ctd_http_refuse_ask(request, MHD_HTTP_BAD_REQUEST, why);
	if (request->is_head)
		return ctd_http_answer(request->connection, &head);
	error = ctd_recall_ask(http->recall, &question, ctd_http_tell_ready, http, now_ns,
			       &request->ask);
	return ctd_http_wait_for_answer(http, request, error, now_ns);
}

static enum MHD_Result answer(struct ctd_request *request, const struct ctd_route *route)
{
	struct ctd_answer answer = {.content_type = route->content_type};
	char text[160];
	int error;

	if (!ctd_ask_is_ready(request->ask))
		return ctd_http_refuse_ask(request, MHD_HTTP_SERVICE_UNAVAILABLE,
					   "The history could not be read in time.\n");
	error = ctd_http_take_answer(request, &answer);
	if (!error)
		return ctd_http_answer(request->connection, &answer);
	if (error == -E2BIG)
		return ctd_http_refuse_ask(
			request, MHD_HTTP_BAD_REQUEST,
			"There are too many rows for so many points: ask for fewer points or a longer step, for one row by key, or by=namespace.\n");
	snprintf(text, sizeof(text), "The history cannot be read: %s\n", strerror(-error));
	return ctd_http_refuse_ask(request, MHD_HTTP_SERVICE_UNAVAILABLE, text);
}

enum MHD_Result ctd_http_answer_history(struct ctd_http *http, struct ctd_request *request,
					const struct ctd_route *route, uint64_t now_ns)
{
	if (request->ask)
		return answer(request, route);
	if (!http->recall)
		return ctd_http_refuse_ask(
			request, MHD_HTTP_NOT_FOUND,
			"No history is kept: start 'cgtopdown serve' with --history.\n");
	return ask(http, request, now_ns);
}
