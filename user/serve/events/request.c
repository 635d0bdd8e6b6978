/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* request.c - has an API server of Kubernetes create an event, and says why it did not. */
#include "serve/events/request.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/strbuf.h"
#include "transfer/transfer.h"

#define TIMEOUT_MS 10000l
#define CONNECT_TIMEOUT_MS 3000l
/* Kinds of failures: those of libcurl are as they are, statuses of HTTP follow. */
#define KIND_STATUS 1000
#define KIND_TOKEN 2000
#define KIND_MEMORY 2001

struct ctd_k8s_event_request {
	const struct ctd_events_options *options; /* borrowed */
	struct ctd_transfer *transfer; /* owned */
	struct curl_slist *headers; /* owned */
	struct ctd_transfer_body body; /* of the answer */
};

static bool is_scheme(const char *url, const char *scheme)
{
	return strncasecmp(url, scheme, strlen(scheme)) == 0;
}

static void fail(struct ctd_k8s_event_result *result, int kind, const char *why)
{
	*result = (struct ctd_k8s_event_result){.verdict = CTD_PUSH_LATER, .kind = kind};
	snprintf(result->why, sizeof(result->why), "%s", why);
}

/* A token is read for each request, as kubelets renew it, and never sent in the clear. */
static bool set_token(struct ctd_k8s_event_request *request, struct ctd_k8s_event_result *result)
{
	char why[160];

	if (!request->options->token_file || !is_scheme(request->options->url, "https://") ||
	    !ctd_transfer_set_token(request->transfer, request->options->token_file, why))
		return true;
	fail(result, KIND_TOKEN, why);
	return false;
}

static bool set_request(struct ctd_k8s_event_request *request, const struct ctd_k8s_event *event,
			const struct ctd_strbuf *body)
{
	auto_ctd_strbuf struct ctd_strbuf url = {0};
	size_t bytes = strlen(request->options->url);
	CURL *easy = request->transfer->easy;

	while (bytes && request->options->url[bytes - 1] == '/')
		bytes--;
	ctd_strbuf_add_bytes(&url, request->options->url, bytes);
	ctd_strbuf_addf(&url, "/apis/events.k8s.io/v1/namespaces/%s/events",
			event->regarding.namespace_name);
	/* libcurl copies the URL, not the body. */
	return !url.failed && !body->failed && !curl_easy_setopt(easy, CURLOPT_URL, url.text) &&
	       !curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body->bytes) &&
	       !curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body->text);
}

static void judge_failure(const struct ctd_k8s_event_request *request, CURLcode code,
			  struct ctd_k8s_event_result *result)
{
	const char *error = request->transfer->error;

	*result = (struct ctd_k8s_event_result){.verdict = CTD_PUSH_LATER,
						.ended = code == CURLE_ABORTED_BY_CALLBACK,
						.kind = (int)code};
	snprintf(result->why, sizeof(result->why), "%.300s%s",
		 *error ? error : curl_easy_strerror(code),
		 code == CURLE_PEER_FAILED_VERIFICATION
			 ? "; name its CA with --kubernetes-ca, and use the host that its "
			   "certificate is for"
			 : "");
}

static void judge(const struct ctd_k8s_event_request *request, CURLcode code,
		  struct ctd_k8s_event_result *result)
{
	CURL *easy = request->transfer->easy;
	curl_off_t retry_after_s = 0;
	struct ctd_push_answer answer;
	long status = 0;

	if (code != CURLE_OK) {
		judge_failure(request, code, result);
		return;
	}
	curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
	curl_easy_getinfo(easy, CURLINFO_RETRY_AFTER, &retry_after_s);
	*result = (struct ctd_k8s_event_result){
		.verdict = ctd_k8s_event_judge(status),
		.retry_after_s = retry_after_s > 0 ? (uint64_t)retry_after_s : 0,
	};
	if (result->verdict == CTD_PUSH_TAKEN)
		return;
	result->kind = KIND_STATUS + (int)status;
	ctd_k8s_event_answer_read(request->body.text, request->body.bytes, &answer);
	snprintf(result->why, sizeof(result->why), "HTTP status %ld%s%s%s", status,
		 *answer.text ? ": " : "", answer.text, ctd_k8s_event_remedy(status));
}

void ctd_k8s_event_request_run(struct ctd_k8s_event_request *request,
			       const struct ctd_k8s_event *event, const _Atomic uint64_t *end_ns,
			       struct ctd_k8s_event_result *ret_result)
{
	auto_ctd_strbuf struct ctd_strbuf body = {0};

	ctd_k8s_event_add_json(&body, event);
	if (!set_request(request, event, &body)) {
		fail(ret_result, KIND_MEMORY, "no memory");
		return;
	}
	if (!set_token(request, ret_result))
		return;
	request->body.bytes = 0;
	judge(request, ctd_transfer_run(request->transfer, end_ns), ret_result);
}

/* @return 0 or -ENOMEM. */
static int set_headers(struct ctd_k8s_event_request *request)
{
	/* Without Expect: no round trip to ask for leave. */
	static const char *const headers[] = {"Content-Type: application/json",
					      "Accept: application/json", "Expect:"};

	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		struct curl_slist *longer = curl_slist_append(request->headers, headers[i]);

		if (!longer)
			return -ENOMEM;
		request->headers = longer;
	}
	return curl_easy_setopt(request->transfer->easy, CURLOPT_HTTPHEADER, request->headers)
		       ? -ENOMEM
		       : 0;
}

/* @return 0, -EINVAL or -ENOMEM. */
static int set_up(struct ctd_k8s_event_request *request, const struct ctd_events_options *options)
{
	long timeout_ms = options->timeout_ms ? (long)options->timeout_ms : TIMEOUT_MS;
	const struct ctd_transfer_options transfer = {
		.url = options->url,
		.ca_file = options->ca_file,
		.timeout_ms = timeout_ms,
		.connect_ms = timeout_ms < CONNECT_TIMEOUT_MS ? timeout_ms : CONNECT_TIMEOUT_MS,
		.take = ctd_transfer_keep,
		.context = &request->body,
	};
	int error = 0;

	request->options = options;
	if (!is_scheme(options->url, "https://") && !is_scheme(options->url, "http://"))
		error = -EINVAL;
	if (!error)
		error = ctd_transfer_new(&transfer, &request->transfer);
	return error ? error : set_headers(request);
}

int ctd_k8s_event_request_new(const struct ctd_events_options *options,
			      struct ctd_k8s_event_request **ret_request)
{
	struct ctd_k8s_event_request *request = calloc(1, sizeof(*request));
	int error = request ? set_up(request, options) : -ENOMEM;

	if (error)
		ctd_k8s_event_request_free(request);
	else
		*ret_request = request;
	return error;
}

void ctd_k8s_event_request_free(struct ctd_k8s_event_request *request)
{
	if (!request)
		return;
	ctd_transfer_free(request->transfer);
	curl_slist_free_all(request->headers);
	free(request);
}

void ctd_k8s_event_request_wake(struct ctd_k8s_event_request *request)
{
	ctd_transfer_wake(request->transfer);
}
