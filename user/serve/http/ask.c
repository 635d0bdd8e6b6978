/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ask.c - requests whose answers other threads make. */
#include "serve/http/http.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#include "base/clock.h"
#include "serve/http/accept.h"

enum MHD_Result ctd_http_refuse_ask(struct ctd_request *request, unsigned int status,
				    const char *why)
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

char *ctd_http_argument(const struct ctd_request *request, const char *name)
{
	const char *value =
		MHD_lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND, name);
	char *copy = value ? strdup(value) : NULL;

	if (copy)
		MHD_http_unescape(copy);
	return copy;
}

bool ctd_http_takes_gzip(const struct ctd_request *request)
{
	return ctd_accepts_gzip(MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND,
							    MHD_HTTP_HEADER_ACCEPT_ENCODING));
}

void ctd_http_tell_ready(void *http)
{
	eventfd_write(((struct ctd_http *)http)->event_fd, 1);
}

enum MHD_Result ctd_http_wait_for_answer(struct ctd_http *http, struct ctd_request *request,
					 int error, uint64_t now_ns)
{
	if (error == -EBUSY)
		return ctd_http_refuse_ask(
			request, MHD_HTTP_SERVICE_UNAVAILABLE,
			"As many answers of this kind as can be are being made.\n");
	if (error)
		return ctd_http_refuse_ask(request, MHD_HTTP_SERVICE_UNAVAILABLE,
					   CTD_HTTP_NO_MEMORY);
	ctd_http_suspend(http, request, now_ns);
	return MHD_YES;
}

int ctd_http_take_answer(struct ctd_request *request, struct ctd_answer *answer)
{
	struct ctd_asks *asks = request->ask->asks;
	struct ctd_strbuf text = {};
	int error = ctd_ask_take(request->ask, &text);

	if (error)
		return error;
	request->ask = NULL;
	/* Until the answer is sent: slow clients cannot hold more answers than CTD_ASKS_MAX. */
	request->holds_place_of = asks;
	answer->status = MHD_HTTP_OK;
	answer->body = ctd_body_new(&text, 0);
	if (!answer->body) {
		ctd_strbuf_free(&text);
		return -ENOMEM;
	}
	answer->gzip = answer->body->bytes > 1 && answer->body->data[0] == '\x1f';
	/* Until now the client waited for us. */
	if (request->client)
		request->client->since_ns = ctd_monotonic_ns();
	return 0;
}

bool ctd_http_ask_is_due(const struct ctd_request *request, uint64_t now_ns)
{
	return ctd_ask_is_ready(request->ask) || now_ns >= request->ask->limit_ns ||
	       (request->client && ctd_http_has_left(request->client));
}
