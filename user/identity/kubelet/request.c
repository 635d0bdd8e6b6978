/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* request.c - gets the text of the kubelet's list of pods, or a reason why not. */
#include "identity/kubelet/request.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/log.h"
#include "base/root.h"
#include "transfer/transfer.h"

/* A pod has some 10 KB; no node has so many. */
#define BODY_BYTES_MAX (64ul << 20)
#define CONNECT_TIMEOUT_MS 2000l
#define TIMEOUT_MS 10000l
/* Of what the kubelet says where it refuses. */
#define EXCERPT_BYTES 200
/* Kinds of failures: those of curl are as they are, statuses of HTTP follow. */
#define KIND_STATUS 1000
#define KIND_TOKEN 2000
#define KIND_TOO_BIG 2001

struct ctd_kubelet_request {
	const struct ctd_kubelet_options *options; /* borrowed */
	struct ctd_transfer *transfer; /* owned */
	char *body; /* owned */
	size_t bytes, capacity;
	bool too_big;
};

static size_t take_body(char *data, size_t size, size_t count, void *context)
{
	struct ctd_kubelet_request *request = context;
	size_t bytes = size * count, wanted = request->capacity ? request->capacity : 65536;
	char *grown;

	if (bytes > BODY_BYTES_MAX - request->bytes) {
		request->too_big = true;
		return 0;
	}
	while (wanted < request->bytes + bytes)
		wanted *= 2;
	if (wanted != request->capacity) {
		grown = realloc(request->body, wanted);
		if (!grown)
			return 0;
		request->body = grown;
		request->capacity = wanted;
	}
	memcpy(request->body + request->bytes, data, bytes);
	request->bytes += bytes;
	return bytes;
}

static bool is_https(const char *url)
{
	return strncasecmp(url, "https://", strlen("https://")) == 0;
}

/* @return 0, or -EIO with the reason. */
static int add_token(struct ctd_kubelet_request *request, struct ctd_kubelet_failure *ret_failure)
{
	const char *file = request->options->token_file;

	if (!file || !is_https(request->options->url))
		return 0;
	ret_failure->kind = KIND_TOKEN;
	return ctd_transfer_set_token(request->transfer, file, ret_failure->why);
}

/* "Forbidden (user=system:anonymous, ...)": the first line of what it says, if it can be shown. */
static void excerpt(const struct ctd_kubelet_request *request, char ret_text[EXCERPT_BYTES])
{
	size_t bytes = 0;

	while (bytes < request->bytes && bytes < EXCERPT_BYTES - 1 &&
	       request->body[bytes] != '\n' && request->body[bytes] != '\r') {
		unsigned char c = (unsigned char)request->body[bytes];

		ret_text[bytes++] = (char)(c < 0x20 || c > 0x7e ? '?' : c);
	}
	ret_text[bytes] = '\0';
}

static int refuse_status(const struct ctd_kubelet_request *request, long status,
			 struct ctd_kubelet_failure *ret_failure)
{
	const struct ctd_kubelet_options *options = request->options;
	const char *advice = "";
	char said[EXCERPT_BYTES];

	if (status == 401 && !options->token_file)
		advice = "; it wants a token: --kubelet-token-file";
	else if (status == 401)
		advice = "; it does not accept this token: is it of a ServiceAccount of this "
			 "cluster, and does the kubelet ask the API server "
			 "(authentication.webhook.enabled)?";
	else if (status == 403)
		advice = "; the account needs a ClusterRole with 'get' on nodes/pods (Kubernetes "
			 "1.33 and later) or nodes/proxy";
	else if (status >= 300 && status < 400)
		advice = "; it points to elsewhere, which is not followed";
	else if (status == 404)
		advice = "; is this the kubelet's port?";
	excerpt(request, said);
	ret_failure->kind = KIND_STATUS + (int)status;
	snprintf(ret_failure->why, sizeof(ret_failure->why), "HTTP status %ld%s%s%s", status,
		 *said ? ": " : "", said, advice);
	return -EIO;
}

static int refuse_result(const struct ctd_kubelet_request *request, CURLcode result,
			 struct ctd_kubelet_failure *ret_failure)
{
	const char *error = request->transfer->error;
	const char *why = *error ? error : curl_easy_strerror(result);
	const char *advice = "";

	ret_failure->kind = (int)result;
	if (request->too_big) {
		ret_failure->kind = KIND_TOO_BIG;
		snprintf(ret_failure->why, sizeof(ret_failure->why),
			 "its list has more than %lu MB", BODY_BYTES_MAX >> 20);
		return -EIO;
	}
	if (result == CURLE_PEER_FAILED_VERIFICATION)
		advice = "; name its CA with --kubelet-ca and use the host that its certificate "
			 "is for, or --kubelet-insecure";
	snprintf(ret_failure->why, sizeof(ret_failure->why), "%.300s%s", why, advice);
	return -EIO;
}

static int judge(const struct ctd_kubelet_request *request, CURLcode result,
		 struct ctd_kubelet_failure *ret_failure)
{
	long status = 0;

	if (result != CURLE_OK)
		return refuse_result(request, result, ret_failure);
	curl_easy_getinfo(request->transfer->easy, CURLINFO_RESPONSE_CODE, &status);
	return status == 200 ? 0 : refuse_status(request, status, ret_failure);
}

int ctd_kubelet_request_run(struct ctd_kubelet_request *request, const _Atomic uint64_t *end_ns,
			    char **ret_text, size_t *ret_bytes,
			    struct ctd_kubelet_failure *ret_failure)
{
	CURLcode result;
	int error = add_token(request, ret_failure);

	request->too_big = false;
	if (!error) {
		result = ctd_transfer_run(request->transfer, end_ns);
		error = result == CURLE_ABORTED_BY_CALLBACK ? -ECANCELED
							    : judge(request, result, ret_failure);
	}
	if (!error) {
		*ret_bytes = request->bytes;
		*ret_text = take_ptr(request->body);
	}
	free(request->body);
	request->body = NULL;
	request->bytes = request->capacity = 0;
	return error;
}

void ctd_kubelet_request_wait(struct ctd_kubelet_request *request, int ms)
{
	ctd_transfer_wait(request->transfer, ms);
}

void ctd_kubelet_request_wake(struct ctd_kubelet_request *request)
{
	ctd_transfer_wake(request->transfer);
}

/*
 * A node's address as Kubernetes writes it (status.hostIP) has no brackets, and the port is put
 * behind it: "https://fd00::1:10250" is meant as "https://[fd00::1]:10250". @return where the
 * address ends, if it is such a one, else NULL; *ret_host is where it begins.
 */
static const char *bare_address_end(const char *url, const char **ret_host)
{
	const char *host = strstr(url, "://"), *end, *port;

	if (!host)
		return NULL;
	host += strlen("://");
	end = host + strcspn(host, "/");
	port = memrchr(host, ':', (size_t)(end - host));
	if (!port || !memchr(host, ':', (size_t)(port - host)) ||
	    host + strspn(host, "0123456789abcdefABCDEF:.") < port)
		return NULL;
	*ret_host = host;
	return port;
}

/* "https://node:10250/" and with "/pods" are the same. */
static char *url_of(const char *url)
{
	size_t bytes = strlen(url);
	const char *host = url, *host_end = bare_address_end(url, &host);
	char *whole;

	while (bytes && url[bytes - 1] == '/')
		bytes--;
	if (bytes >= strlen("/pods") && strncmp(url + bytes - strlen("/pods"), "/pods", 5) == 0)
		bytes -= strlen("/pods");
	if (host_end)
		return asprintf(&whole, "%.*s[%.*s]%.*s/pods", (int)(host - url), url,
				(int)(host_end - host), host, (int)(url + bytes - host_end),
				host_end) < 0
			       ? NULL
			       : whole;
	return asprintf(&whole, "%.*s/pods", (int)bytes, url) < 0 ? NULL : whole;
}

int ctd_kubelet_request_new(const struct ctd_kubelet_options *options,
			    struct ctd_kubelet_request **ret_request)
{
	struct ctd_kubelet_request *request = calloc(1, sizeof(*request));
	autofree char *url = url_of(options->url);
	long timeout_ms = options->timeout_ms ? (long)options->timeout_ms : TIMEOUT_MS;
	const struct ctd_transfer_options transfer = {
		.url = url,
		.ca_file = options->ca_file,
		.insecure = options->insecure,
		.timeout_ms = timeout_ms,
		.connect_ms = timeout_ms < CONNECT_TIMEOUT_MS ? timeout_ms : CONNECT_TIMEOUT_MS,
		.take = take_body,
		.context = request,
	};
	int error = request && url ? ctd_transfer_new(&transfer, &request->transfer) : -ENOMEM;

	if (error) {
		free(request);
		return error;
	}
	request->options = options;
	*ret_request = request;
	return 0;
}

void ctd_kubelet_request_free(struct ctd_kubelet_request *request)
{
	if (!request)
		return;
	ctd_transfer_free(request->transfer);
	free(request->body);
	free(request);
}
