/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* client.c - fetches views, within bounds of time and memory. */
#include "remote/client.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base/auto.h"
#include "base/strbuf.h"
#include "remote/refusal.h"
#include "transfer/transfer.h"

/* A view of 10,000 containers has 15 MB. */
#define ANSWER_BYTES_MAX ((size_t)128 << 20)
/* Ten functions, and a line for each cgroup of the row. */
#define FUNCTIONS_BYTES_MAX ((size_t)4 << 20)
/* A million figures at most, of some ten digits each. */
#define PAST_BYTES_MAX ((size_t)32 << 20)
#define CONNECT_MS 2000
#define ANSWER_MS 10000

struct ctd_remote_client {
	struct ctd_transfer *transfer; /* owned */
	const char *token_file; /* borrowed; NULL: none */
	char *url; /* owned */
	struct ctd_strbuf answer;
	size_t answer_max; /* bytes */
	bool too_long;
	bool gives_reasons; /* an answer that is none says in words why */
};

int ctd_remote_look(const char *path, pid_t *ret_pid)
{
	struct sockaddr_un where = {.sun_family = AF_UNIX};
	autoclose int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	struct ucred peer = {0};
	socklen_t bytes = sizeof(peer);

	if (fd < 0)
		return -errno;
	if (strlen(path) >= sizeof(where.sun_path))
		return -ENAMETOOLONG;
	memcpy(where.sun_path, path, strlen(path));
	/* A queue that is full is somebody's. */
	if (connect(fd, (const struct sockaddr *)&where, sizeof(where)) && errno != EAGAIN)
		return -errno;
	getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &bytes);
	*ret_pid = peer.pid > 0 ? peer.pid : 0;
	return 0;
}

static size_t take(char *data, size_t size, size_t count, void *context)
{
	struct ctd_remote_client *client = context;
	size_t bytes = size * count;

	client->too_long = client->answer.bytes + bytes > client->answer_max;
	if (client->too_long)
		return 0;
	ctd_strbuf_add_bytes(&client->answer, data, bytes);
	return client->answer.failed ? 0 : bytes;
}

/* "https://node:9753/" is where all of it is below, too. @return NULL without memory. */
static char *url_of(const struct ctd_remote_place *place)
{
	static const char *const names[] = {[CTD_REMOTE_VIEW] = "view",
					    [CTD_REMOTE_TAGS] = "neighbours",
					    [CTD_REMOTE_FUNCTIONS] = "profile",
					    [CTD_REMOTE_PAST] = "history"};
	const char *base = place->url ? place->url : "http://localhost";
	size_t bytes = strlen(base);
	char *url;

	while (bytes && base[bytes - 1] == '/')
		bytes--;
	return asprintf(&url, "%.*s/api/v1/%s", (int)bytes, base, names[place->what]) < 0 ? NULL
											  : url;
}

int ctd_remote_client_new(const struct ctd_remote_place *place, bool (*is_stopped)(void),
			  struct ctd_remote_client **ret_client)
{
	struct ctd_remote_client *client = calloc(1, sizeof(*client));
	char *url = client ? client->url = url_of(place) : NULL;
	const struct ctd_transfer_options options = {
		.url = url,
		.unix_path = place->socket,
		.ca_file = place->ca_file,
		.insecure = place->insecure,
		.timeout_ms = place->answer_ms ? (long)place->answer_ms : ANSWER_MS,
		.connect_ms = CONNECT_MS,
		.is_stopped = is_stopped,
		.take = take,
		.context = client,
	};
	int error = url ? ctd_transfer_new(&options, &client->transfer) : -ENOMEM;

	if (error) {
		ctd_remote_client_free(client);
		return error;
	}
	client->token_file = place->token_file;
	client->gives_reasons = place->what == CTD_REMOTE_FUNCTIONS;
	client->answer_max = place->what == CTD_REMOTE_FUNCTIONS ? FUNCTIONS_BYTES_MAX
			     : place->what == CTD_REMOTE_PAST	 ? PAST_BYTES_MAX
								 : ANSWER_BYTES_MAX;
	*ret_client = client;
	return 0;
}

int ctd_remote_client_set_age(struct ctd_remote_client *client, uint64_t age_ns)
{
	autofree char *url = NULL;
	int printed;

	if (age_ns == UINT64_MAX)
		printed = asprintf(&url, "%s", client->url);
	else
		printed = asprintf(&url, "%s?max_age=%" PRIu64 "us", client->url, age_ns / 1000);
	if (printed < 0)
		return -ENOMEM;
	return curl_easy_setopt(client->transfer->easy, CURLOPT_URL, url) ? -ENOMEM : 0;
}

static int refuse(int error, const char *why, char ret_why[CTD_REMOTE_WHY_BYTES])
{
	snprintf(ret_why, CTD_REMOTE_WHY_BYTES, "%.*s", CTD_REMOTE_WHY_BYTES - 1, why);
	return error;
}

static const char *error_text(const struct ctd_remote_client *client, CURLcode result)
{
	return *client->transfer->error ? client->transfer->error : curl_easy_strerror(result);
}

/* Of a request without an answer. */
static int explain(const struct ctd_remote_client *client, CURLcode result,
		   char ret_why[CTD_REMOTE_WHY_BYTES])
{
	long number = 0;

	if (result == CURLE_ABORTED_BY_CALLBACK)
		return refuse(-EINTR, "it was stopped", ret_why);
	if (client->answer.failed || result == CURLE_OUT_OF_MEMORY)
		return refuse(-ENOMEM, "there is no memory for its answer", ret_why);
	if (client->too_long)
		return refuse(-EBADMSG, "its answer is too long", ret_why);
	if (result == CURLE_OPERATION_TIMEDOUT)
		return refuse(-ETIMEDOUT, "it does not answer within 10 s", ret_why);
	curl_easy_getinfo(client->transfer->easy, CURLINFO_OS_ERRNO, &number);
	/* A serve that is restarted has no socket in between. */
	if (result == CURLE_COULDNT_CONNECT)
		return refuse(-ECONNREFUSED,
			      number > 0 ? strerror((int)number) : error_text(client, result),
			      ret_why);
	if (result == CURLE_COULDNT_RESOLVE_HOST || result == CURLE_SSL_CONNECT_ERROR)
		return refuse(-ECONNREFUSED, error_text(client, result), ret_why);
	/* As one does that ends: it may be restarted. */
	if (result == CURLE_GOT_NOTHING || result == CURLE_RECV_ERROR || result == CURLE_SEND_ERROR)
		return refuse(-ECONNRESET, "it ended the connection without an answer", ret_why);
	if (result == CURLE_PARTIAL_FILE)
		return refuse(-ECONNRESET, "it ended the connection amidst its answer", ret_why);
	return refuse(-EBADMSG, error_text(client, result), ret_why);
}

/* @return 0 with client->answer, or negative errno with *ret_why. */
static int fetch_answer(struct ctd_remote_client *client, char ret_why[CTD_REMOTE_WHY_BYTES])
{
	CURLcode result;
	long status = 0;

	ctd_strbuf_free(&client->answer);
	/* It may have been changed. */
	if (client->token_file &&
	    ctd_transfer_set_token(client->transfer, client->token_file, ret_why))
		return -EBADMSG;
	result = ctd_transfer_run(client->transfer, NULL);
	if (result)
		return explain(client, result, ret_why);
	curl_easy_getinfo(client->transfer->easy, CURLINFO_RESPONSE_CODE, &status);
	if (status >= 400 &&
	    ctd_remote_refusal_read(client->answer.text, client->answer.bytes, ret_why))
		return -EHOSTUNREACH;
	if (client->gives_reasons && (status == 403 || status == 404 || status == 503))
		return ctd_remote_functions_refused(client->answer.text ? client->answer.text : "",
						    status, ret_why);
	if (status == 503)
		return refuse(-EAGAIN, "its first interval has not ended", ret_why);
	if (status == 401 || status == 403)
		return refuse(-EBADMSG,
			      client->token_file ? "it does not accept this token"
						 : "it wants a token",
			      ret_why);
	if (status == 200)
		return 0;
	snprintf(ret_why, CTD_REMOTE_WHY_BYTES, "it answers with HTTP status %ld", status);
	/* 5xx: as a proxy before it does, where it is restarted. */
	return status == 404 ? -ENOENT : status >= 500 ? -EHOSTUNREACH : -EBADMSG;
}

/* As above. What a request without a view has brought is not kept until the next one. */
static int fetch(struct ctd_remote_client *client, char ret_why[CTD_REMOTE_WHY_BYTES])
{
	int error = fetch_answer(client, ret_why);

	if (error)
		ctd_strbuf_free(&client->answer);
	return error;
}

int ctd_remote_client_get(struct ctd_remote_client *client, struct ctd_remote_view *ret_view,
			  char ret_why[CTD_REMOTE_WHY_BYTES])
{
	int error = fetch(client, ret_why);

	if (error)
		return error == -ENOENT ? -EBADMSG : error;
	error = ctd_remote_view_parse(client->answer.text ? client->answer.text : "",
				      client->answer.bytes, ret_view, ret_why);
	/* All of it is in the view; the next one may be shorter by much. */
	ctd_strbuf_free(&client->answer);
	if (error == -EBADMSG) {
		char what[CTD_REMOTE_WHY_BYTES];

		memcpy(what, ret_why, sizeof(what));
		snprintf(ret_why, CTD_REMOTE_WHY_BYTES, "its answer is no view: %.*s",
			 CTD_REMOTE_WHY_BYTES - 32, what);
	}
	return error == -ENOMEM ? refuse(error, "there is no memory for its view", ret_why) : error;
}

int ctd_remote_client_get_tags(struct ctd_remote_client *client, struct ctd_remote_tags *ret_tags,
			       char ret_why[CTD_REMOTE_WHY_BYTES])
{
	int error = fetch(client, ret_why);

	return error ? error
		     : ctd_remote_tags_parse(client->answer.text ? client->answer.text : "",
					     client->answer.bytes, ret_tags, ret_why);
}

static int set_key(struct ctd_remote_client *client, const char *key)
{
	char *escaped = curl_easy_escape(client->transfer->easy, key, 0);
	autofree char *url = NULL;
	int error = -ENOMEM;

	if (escaped && asprintf(&url, "%s?seconds=60&frames=0&key=%s", client->url, escaped) >= 0 &&
	    !curl_easy_setopt(client->transfer->easy, CURLOPT_URL, url))
		error = 0;
	curl_free(escaped);
	return error;
}

int ctd_remote_client_get_functions(struct ctd_remote_client *client, const char *key,
				    struct ctd_remote_functions *ret_functions,
				    char ret_why[CTD_REMOTE_WHY_BYTES])
{
	int error = set_key(client, key);

	if (!error)
		error = fetch(client, ret_why);
	if (!error)
		error = ctd_remote_functions_parse(client->answer.text ? client->answer.text : "",
						   client->answer.bytes, ret_functions, ret_why);
	ctd_strbuf_free(&client->answer);
	return error == -ENOMEM ? refuse(error, "there is no memory for its profile", ret_why)
				: error;
}

int ctd_remote_client_get_past(struct ctd_remote_client *client,
			       const struct ctd_remote_past_question *question,
			       struct ctd_remote_past *ret_past, char ret_why[CTD_REMOTE_WHY_BYTES])
{
	autofree char *url = NULL;
	int error = 0;

	if (asprintf(&url, "%s?since=%" PRIu64 "s&step=%" PRIu64 "&level=%d&rows=%zu", client->url,
		     question->seconds, question->step_s, question->level, question->rows) < 0 ||
	    curl_easy_setopt(client->transfer->easy, CURLOPT_URL, url))
		error = -ENOMEM;
	if (!error)
		error = fetch(client, ret_why);
	if (!error)
		error = ctd_remote_past_parse(client->answer.text ? client->answer.text : "",
					      client->answer.bytes, ret_past, ret_why);
	ctd_strbuf_free(&client->answer);
	return error == -ENOMEM ? refuse(error, "there is no memory for its history", ret_why)
				: error;
}

void ctd_remote_client_free(struct ctd_remote_client *client)
{
	if (!client)
		return;
	ctd_transfer_free(client->transfer);
	ctd_strbuf_free(&client->answer);
	free(client->url);
	free(client);
}
