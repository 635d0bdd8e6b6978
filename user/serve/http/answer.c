/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* answer.c - an answer with the headers that all have. */
#include "serve/http/http.h"

#include <string.h>

static void release_body(void *body)
{
	ctd_body_release(body);
}

static struct MHD_Response *make_response(const struct ctd_answer *answer)
{
	struct MHD_Response *response;

	if (answer->fixed)
		return MHD_create_response_from_buffer(answer->fixed_bytes, (void *)answer->fixed,
						       MHD_RESPMEM_PERSISTENT);
	if (!answer->body)
		return MHD_create_response_from_buffer(strlen(answer->text), (void *)answer->text,
						       MHD_RESPMEM_MUST_COPY);
	response = MHD_create_response_from_buffer_with_free_callback_cls(
		answer->body->bytes, answer->body->data, release_body, answer->body);
	if (!response)
		ctd_body_release(answer->body);
	return response;
}

enum MHD_Result ctd_http_answer(struct MHD_Connection *connection, const struct ctd_answer *answer)
{
	/* Nothing here is to be framed or guessed at. */
	static const char *const headers[][2] = {
		{MHD_HTTP_HEADER_VARY, "Accept, Accept-Encoding, Authorization"},
		{"X-Content-Type-Options", "nosniff"},
		{"Cross-Origin-Resource-Policy", "same-origin"},
		{"Referrer-Policy", "no-referrer"},
	};
	struct MHD_Response *response = make_response(answer);
	enum MHD_Result result;

	if (!response)
		return MHD_NO;
	for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++)
		MHD_add_response_header(response, headers[i][0], headers[i][1]);
	/* Figures are not to be kept; of a file is to be asked whether it is still the same. */
	MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL,
				answer->fixed ? "no-cache" : "no-store");
	MHD_add_response_header(response, "Content-Security-Policy",
				answer->policy ? answer->policy
					       : "default-src 'none'; frame-ancestors 'none'");
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE,
				answer->content_type ? answer->content_type
						     : "text/plain; charset=utf-8");
	if (answer->gzip)
		MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_ENCODING, "gzip");
	if (answer->header)
		MHD_add_response_header(response, answer->header, answer->value);
	if (answer->last)
		MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
	result = MHD_queue_response(connection, answer->status, response);
	MHD_destroy_response(response);
	return result;
}
