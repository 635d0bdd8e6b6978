/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* post.c - posts a message by libcurl. */
#include "serve/push/post.h"

#include <curl/curl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "serve/push/headers.h"

/* Of an answer, as much as can say something. */
#define BODY_MAX 16384
#define POLL_MS 1000

struct ctd_post {
	CURLM *multi;
	CURL *easy;
	struct curl_slist *headers;
	char *url; /* without user, password, query and fragment: for people */
	char body[BODY_MAX]; /* of the answer */
	size_t body_bytes;
	char error[CURL_ERROR_SIZE];
};

/* What does not fit is read and forgotten. */
static size_t keep_body(char *data, size_t size, size_t count, void *context)
{
	struct ctd_post *post = context;
	size_t bytes = size * count, room = sizeof(post->body) - post->body_bytes;

	memcpy(post->body + post->body_bytes, data, bytes < room ? bytes : room);
	post->body_bytes += bytes < room ? bytes : room;
	return bytes;
}

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

static bool set_options(struct ctd_post *post, const struct ctd_push_options *options)
{
	CURL *easy = post->easy;
	bool fine = curl_easy_setopt(easy, CURLOPT_URL, options->url) == CURLE_OK;

	/* No other scheme, no other host, no proxy of the environment's: secrets in headers stay
	 * between this host and that one. */
	fine &= curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK;
	fine &= curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK;
	fine &= curl_easy_setopt(easy, CURLOPT_PROXY, options->proxy ? options->proxy : "") ==
		CURLE_OK;
	fine &= curl_easy_setopt(easy, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED) == CURLE_OK;
	fine &= curl_easy_setopt(easy, CURLOPT_HEADEROPT, (long)CURLHEADER_SEPARATE) == CURLE_OK;
	fine &= curl_easy_setopt(easy, CURLOPT_USERAGENT, "cgtopdown/" CTD_VERSION) == CURLE_OK;
	fine &= curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)(options->timeout_ns / 1000000)) ==
		CURLE_OK;
	/* Signals are the program's. */
	fine &= curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L) == CURLE_OK;
	/* The end does not wait for a resolver that hangs. */
	fine &= curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L) == CURLE_OK;
	fine &= curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, post->error) == CURLE_OK;
	fine &= curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, keep_body) == CURLE_OK;
	fine &= curl_easy_setopt(easy, CURLOPT_WRITEDATA, post) == CURLE_OK;
	if (options->ca_file)
		fine &= curl_easy_setopt(easy, CURLOPT_CAINFO, options->ca_file) == CURLE_OK;
	return fine;
}

/* curl_multi_perform() until it is done, or to be given up. */
static CURLcode run(struct ctd_post *post, const _Atomic uint64_t *give_up_ns)
{
	CURLcode code = CURLE_ABORTED_BY_CALLBACK;
	CURLMsg *message;
	int running = 1, left;

	for (;;) {
		uint64_t end_ns = atomic_load(give_up_ns), now_ns = ctd_monotonic_ns();
		int wait_ms = POLL_MS;

		if (curl_multi_perform(post->multi, &running) != CURLM_OK || !running)
			break;
		if (end_ns && now_ns >= end_ns)
			return CURLE_ABORTED_BY_CALLBACK;
		if (end_ns && (end_ns - now_ns) / 1000000 < POLL_MS)
			wait_ms = (int)((end_ns - now_ns) / 1000000) + 1;
		curl_multi_poll(post->multi, NULL, 0, wait_ms, NULL);
	}
	while ((message = curl_multi_info_read(post->multi, &left)))
		if (message->msg == CURLMSG_DONE)
			code = message->data.result;
	return code;
}

static void judge(struct ctd_post *post, CURLcode code, struct ctd_post_result *result)
{
	const char *type = NULL;
	curl_off_t retry_after_s = 0;
	bool taken;

	if (code != CURLE_OK) {
		result->verdict = CTD_PUSH_LATER;
		result->transport = code;
		snprintf(result->answer.text, sizeof(result->answer.text), "%s",
			 *post->error ? post->error : curl_easy_strerror(code));
		return;
	}
	curl_easy_getinfo(post->easy, CURLINFO_RESPONSE_CODE, &result->status);
	curl_easy_getinfo(post->easy, CURLINFO_CONTENT_TYPE, &type);
	/* In seconds or as a date. */
	curl_easy_getinfo(post->easy, CURLINFO_RETRY_AFTER, &retry_after_s);
	result->retry_after_s = retry_after_s > 0 ? (uint64_t)retry_after_s : 0;
	result->verdict = ctd_push_judge(result->status);
	taken = result->verdict == CTD_PUSH_TAKEN;
	ctd_push_answer_read(post->body, post->body_bytes, taken,
			     type && strncmp(type, "application/x-protobuf", 22) == 0,
			     &result->answer);
}

void ctd_post_take_headers(struct ctd_post *post, struct curl_slist *headers)
{
	curl_easy_setopt(post->easy, CURLOPT_HTTPHEADER, headers);
	curl_slist_free_all(post->headers);
	post->headers = headers;
}

int ctd_post_new(const struct ctd_push_options *options, struct ctd_post **ret_post)
{
	struct curl_slist *headers = NULL;
	struct ctd_post *post;
	int error;

	if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return ctd_log_error(-ENOMEM, "otlp: libcurl");
	post = calloc(1, sizeof(*post));
	if (!post) {
		curl_global_cleanup();
		return ctd_log_error(-ENOMEM, "otlp: libcurl");
	}
	post->multi = curl_multi_init();
	post->easy = curl_easy_init();
	if (!post->multi || !post->easy) {
		error = ctd_log_error(-ENOMEM, "otlp: libcurl");
	} else if ((error = keep_url(post, options->url))) {
		ctd_log(CTD_LOG_ERROR, "otlp: that is no URL of http or https; it is all of it, as "
				       "in http://collector:4318/v1/metrics.");
	} else if (!(error = ctd_post_make_headers(options, false, &headers)) &&
		   !set_options(post, options)) {
		error = -EINVAL;
		ctd_log(CTD_LOG_ERROR, "otlp: %s: libcurl is too old, or lacks HTTP or TLS.",
			post->url);
	}
	ctd_post_take_headers(post, headers);
	if (error) {
		ctd_post_free(post);
		return error;
	}
	*ret_post = post;
	return 0;
}

void ctd_post_free(struct ctd_post *post)
{
	if (!post)
		return;
	curl_easy_cleanup(post->easy);
	curl_multi_cleanup(post->multi);
	curl_slist_free_all(post->headers);
	free(post->url);
	free(post);
	curl_global_cleanup();
}

const char *ctd_post_url(const struct ctd_post *post)
{
	return post->url;
}

void ctd_post_send(struct ctd_post *post, const char *data, size_t bytes,
		   const _Atomic uint64_t *give_up_ns, struct ctd_post_result *ret_result)
{
	CURLcode code;

	*ret_result = (struct ctd_post_result){0};
	post->body_bytes = 0;
	*post->error = '\0';
	curl_easy_setopt(post->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)bytes);
	curl_easy_setopt(post->easy, CURLOPT_POSTFIELDS, data);
	curl_multi_add_handle(post->multi, post->easy);
	code = run(post, give_up_ns);
	judge(post, code, ret_result);
	curl_multi_remove_handle(post->multi, post->easy);
}

void ctd_post_wake(struct ctd_post *post)
{
	curl_multi_wakeup(post->multi);
}
