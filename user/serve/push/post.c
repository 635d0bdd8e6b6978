/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* post.c - posts messages to a receiver, and reads what it answers. */
#include "serve/push/post.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "serve/push/headers.h"
#include "transfer/transfer.h"

struct ctd_post {
	struct ctd_transfer *transfer; /* owned */
	struct curl_slist *headers; /* owned */
	char *url; /* without user, password, query and fragment: for people */
	struct ctd_transfer_body body; /* of the answer */
};

static int add_header(struct curl_slist **headers, const char *line)
{
	struct curl_slist *longer = line ? curl_slist_append(*headers, line) : NULL;

	if (!longer)
		return ctd_log_error(-ENOMEM, "otlp: headers");
	*headers = longer;
	return 0;
}

/* Says what is wrong with a header without its value. */
static int add_user_header(struct curl_slist **headers, const char *header)
{
	auto_ctd_strbuf struct ctd_strbuf line = {0};
	size_t name_bytes = ctd_header_name_bytes(header);
	const char *value = header + name_bytes + 1;

	if (!name_bytes || header[name_bytes] != '=') {
		ctd_log(CTD_LOG_ERROR,
			"otlp: a header is NAME=VALUE, and NAME without blanks and colons.");
		return -EINVAL;
	}
	if (strpbrk(value, "\r\n")) {
		ctd_log(CTD_LOG_ERROR, "otlp: the value of header %.*s has a line break.",
			(int)name_bytes, header);
		return -EINVAL;
	}
	ctd_strbuf_add_bytes(&line, header, name_bytes);
	/* libcurl's way to send a header that is empty. */
	ctd_strbuf_addf(&line, *value ? ": %s" : ";", value);
	return add_header(headers, line.failed ? NULL : line.text);
}

static int add_headers(const struct ctd_push_options *options, const struct ctd_headers *from_file,
		       struct curl_slist **headers)
{
	/* Without Expect: no round trip to ask for leave. */
	static const char *const ours[] = {"Content-Type: application/x-protobuf",
					   "Content-Encoding: gzip", "Expect:"};
	int error = 0;

	for (size_t i = 0; !error && i < sizeof(ours) / sizeof(ours[0]); i++)
		error = add_header(headers, ours[i]);
	for (size_t i = 0; !error && options->headers && options->headers[i]; i++)
		error = add_user_header(headers, options->headers[i]);
	for (size_t i = 0; !error && i < from_file->count; i++)
		error = add_user_header(headers, from_file->header[i]);
	return error;
}

int ctd_post_make_headers(const struct ctd_push_options *options, bool again,
			  struct curl_slist **ret_headers)
{
	struct curl_slist *headers = NULL;
	struct ctd_headers from_file = {};
	int error = 0;

	if (options->header_file)
		error = ctd_headers_read(options->header_file, again, &from_file);
	if (!error)
		error = add_headers(options, &from_file, &headers);
	ctd_headers_free(&from_file);
	if (error)
		curl_slist_free_all(headers);
	else
		*ret_headers = headers;
	return error;
}

/* @return 0 or -EINVAL, silent. */
static int keep_url(struct ctd_post *post, const char *text)
{
	static const CURLUPart secrets[] = {CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_QUERY,
					    CURLUPART_FRAGMENT};
	CURLU *url = curl_url();
	char *scheme = NULL, *plain = NULL;
	bool fine = url && curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK &&
		    curl_url_get(url, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK &&
		    (strcmp(scheme, "http") == 0 || strcmp(scheme, "https") == 0);

	for (size_t i = 0; fine && i < sizeof(secrets) / sizeof(secrets[0]); i++)
		curl_url_set(url, secrets[i], NULL, 0);
	if (fine && curl_url_get(url, CURLUPART_URL, &plain, 0) == CURLUE_OK)
		post->url = strdup(plain);
	curl_free(plain);
	curl_free(scheme);
	curl_url_cleanup(url);
	return post->url ? 0 : -EINVAL;
}

static void judge(struct ctd_post *post, CURLcode code, struct ctd_post_result *result)
{
	CURL *easy = post->transfer->easy;
	const char *type = NULL;
	curl_off_t retry_after_s = 0;
	bool taken;

	if (code != CURLE_OK) {
		result->verdict = CTD_PUSH_LATER;
		result->transport = code;
		snprintf(result->answer.text, sizeof(result->answer.text), "%s",
			 *post->transfer->error ? post->transfer->error : curl_easy_strerror(code));
		return;
	}
	curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &result->status);
	curl_easy_getinfo(easy, CURLINFO_CONTENT_TYPE, &type);
	/* In seconds or as a date. */
	curl_easy_getinfo(easy, CURLINFO_RETRY_AFTER, &retry_after_s);
	result->retry_after_s = retry_after_s > 0 ? (uint64_t)retry_after_s : 0;
	result->verdict = ctd_push_judge(result->status);
	taken = result->verdict == CTD_PUSH_TAKEN;
	ctd_push_answer_read(post->body.text, post->body.bytes, taken,
			     type && strncmp(type, "application/x-protobuf", 22) == 0,
			     &result->answer);
}

void ctd_post_take_headers(struct ctd_post *post, struct curl_slist *headers)
{
	curl_easy_setopt(post->transfer->easy, CURLOPT_HTTPHEADER, headers);
	curl_slist_free_all(post->headers);
	post->headers = headers;
}

static int set_up(struct ctd_post *post, const struct ctd_push_options *options)
{
	const struct ctd_transfer_options transfer = {
		.url = options->url,
		.proxy = options->proxy,
		.ca_file = options->ca_file,
		.timeout_ms = (long)(options->timeout_ns / 1000000),
		.take = ctd_transfer_keep,
		.context = &post->body,
	};
	struct curl_slist *headers;
	int error = keep_url(post, options->url);

	if (error) {
		ctd_log(CTD_LOG_ERROR, "otlp: that is no URL of http or https; it is all of it, as "
				       "in http://collector:4318/v1/metrics.");
		return error;
	}
	error = ctd_transfer_new(&transfer, &post->transfer);
	if (error == -EINVAL)
		ctd_log(CTD_LOG_ERROR, "otlp: %s: libcurl is too old, or lacks HTTP or TLS.",
			post->url);
	else if (error)
		ctd_log_error(error, "otlp: libcurl");
	if (!error)
		error = ctd_post_make_headers(options, false, &headers);
	if (!error)
		ctd_post_take_headers(post, headers);
	return error;
}

int ctd_post_new(const struct ctd_push_options *options, struct ctd_post **ret_post)
{
	struct ctd_post *post = calloc(1, sizeof(*post));
	int error = post ? set_up(post, options) : ctd_log_error(-ENOMEM, "otlp");

	if (error)
		ctd_post_free(post);
	else
		*ret_post = post;
	return error;
}

void ctd_post_free(struct ctd_post *post)
{
	if (!post)
		return;
	ctd_transfer_free(post->transfer);
	curl_slist_free_all(post->headers);
	free(post->url);
	free(post);
}

const char *ctd_post_url(const struct ctd_post *post)
{
	return post->url;
}

void ctd_post_send(struct ctd_post *post, const char *data, size_t bytes,
		   const _Atomic uint64_t *give_up_ns, struct ctd_post_result *ret_result)
{
	CURL *easy = post->transfer->easy;

	*ret_result = (struct ctd_post_result){0};
	post->body.bytes = 0;
	curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)bytes);
	curl_easy_setopt(easy, CURLOPT_POSTFIELDS, data);
	judge(post, ctd_transfer_run(post->transfer, give_up_ns), ret_result);
}

void ctd_post_wake(struct ctd_post *post)
{
	ctd_transfer_wake(post->transfer);
}
