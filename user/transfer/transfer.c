/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* transfer.c - sets libcurl up, and runs its requests. */
#include "transfer/transfer.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/root.h"

#define POLL_MS 1000
#define TOKEN_BYTES_MAX 65536
#define WHY_BYTES 160

static CURLcode set_trust(CURL *easy, const struct ctd_transfer_options *options)
{
	CURLcode result = CURLE_OK;

	if (options->insecure) {
		result = curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 0l);
		return result ? result : curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 0l);
	}
	if (options->ca_file)
		result = curl_easy_setopt(easy, CURLOPT_CAINFO, options->ca_file);
	if (!result && options->ca_file)
		result = curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
	return result;
}

static CURLcode set_options(struct ctd_transfer *transfer,
			    const struct ctd_transfer_options *options)
{
	CURL *easy = transfer->easy;
	CURLcode result = CURLE_OK;

#define SET(option, value) \
	if (!result)       \
	result = curl_easy_setopt(easy, option, value)
	SET(CURLOPT_URL, options->url);
	SET(CURLOPT_UNIX_SOCKET_PATH, options->unix_path);
	/* No other scheme, no other host, no proxy of the environment's: secrets in headers stay
	 * between this host and that one. */
	SET(CURLOPT_PROTOCOLS_STR, "http,https");
	SET(CURLOPT_FOLLOWLOCATION, 0l);
	SET(CURLOPT_PROXY, options->proxy ? options->proxy : "");
	SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	SET(CURLOPT_USERAGENT, "cgtopdown/" CTD_VERSION);
	SET(CURLOPT_CONNECTTIMEOUT_MS, options->connect_ms);
	SET(CURLOPT_TIMEOUT_MS, options->timeout_ms);
	/* Signals are the program's. */
	SET(CURLOPT_NOSIGNAL, 1l);
	/* The end does not wait for a resolver of names that hangs. */
	SET(CURLOPT_QUICK_EXIT, 1l);
	/* A CA that was changed is read again with the next connection. */
	SET(CURLOPT_CA_CACHE_TIMEOUT, 0l);
	SET(CURLOPT_ERRORBUFFER, transfer->error);
	SET(CURLOPT_WRITEFUNCTION, options->take);
	SET(CURLOPT_WRITEDATA, options->context);
#undef SET
	return result ? result : set_trust(easy, options);
}

int ctd_transfer_new(const struct ctd_transfer_options *options, struct ctd_transfer **ret_transfer)
{
	struct ctd_transfer *transfer = calloc(1, sizeof(*transfer));
	CURLcode result = CURLE_OUT_OF_MEMORY;

	if (!transfer)
		return -ENOMEM;
	if (curl_global_init(CURL_GLOBAL_DEFAULT)) {
		free(transfer);
		return -ENOMEM;
	}
	transfer->is_stopped = options->is_stopped;
	transfer->multi = curl_multi_init();
	transfer->easy = curl_easy_init();
	if (transfer->multi && transfer->easy)
		result = set_options(transfer, options);
	if (result) {
		ctd_transfer_free(transfer);
		return result == CURLE_OUT_OF_MEMORY ? -ENOMEM : -EINVAL;
	}
	*ret_transfer = transfer;
	return 0;
}

/* A token has visible characters only: RFC 6750 2.1. */
int ctd_transfer_set_token(struct ctd_transfer *transfer, const char *file, char ret_why[160])
{
	autofree char *token = NULL;
	size_t bytes;
	int error = ctd_read_file(file, TOKEN_BYTES_MAX, &token, &bytes);

	if (error) {
		snprintf(ret_why, WHY_BYTES, "read the token '%s': %s", file,
			 ctd_log_reason(error));
		return -EIO;
	}
	while (bytes && isspace((unsigned char)token[bytes - 1]))
		token[--bytes] = '\0';
	for (size_t i = 0; i < bytes; i++)
		if (!isgraph((unsigned char)token[i]))
			bytes = 0;
	if (!bytes) {
		snprintf(ret_why, WHY_BYTES, "'%s' holds no token: one word is expected", file);
		return -EIO;
	}
	if (curl_easy_setopt(transfer->easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_BEARER) ||
	    curl_easy_setopt(transfer->easy, CURLOPT_XOAUTH2_BEARER, token)) {
		snprintf(ret_why, WHY_BYTES, "no memory");
		return -EIO;
	}
	return 0;
}

void ctd_transfer_free(struct ctd_transfer *transfer)
{
	if (!transfer)
		return;
	curl_easy_cleanup(transfer->easy);
	curl_multi_cleanup(transfer->multi);
	curl_global_cleanup();
	free(transfer);
}

/* How long to wait before *give_up_ns is looked at again. */
static int wait_ms(uint64_t end_ns, uint64_t now_ns)
{
	uint64_t left_ms = (end_ns - now_ns) / 1000000 + 1;

	return end_ns && left_ms < POLL_MS ? (int)left_ms : POLL_MS;
}

static CURLcode perform(CURLM *multi, const _Atomic uint64_t *give_up_ns, bool (*is_stopped)(void))
{
	const CURLMsg *message;
	int running = 1, left;

	while (running) {
		uint64_t end_ns = give_up_ns ? atomic_load(give_up_ns) : 0;
		uint64_t now_ns = ctd_monotonic_ns();

		if ((end_ns && now_ns >= end_ns) || (is_stopped && is_stopped()))
			return CURLE_ABORTED_BY_CALLBACK;
		if (curl_multi_perform(multi, &running) != CURLM_OK)
			break;
		if (running)
			curl_multi_poll(multi, NULL, 0, wait_ms(end_ns, now_ns), NULL);
	}
	message = curl_multi_info_read(multi, &left);
	return message && message->msg == CURLMSG_DONE ? message->data.result : CURLE_OUT_OF_MEMORY;
}

size_t ctd_transfer_keep(char *data, size_t size, size_t count, void *context)
{
	struct ctd_transfer_body *body = context;
	size_t bytes = size * count, room = sizeof(body->text) - body->bytes;

	memcpy(body->text + body->bytes, data, bytes < room ? bytes : room);
	body->bytes += bytes < room ? bytes : room;
	return bytes;
}

CURLcode ctd_transfer_run(struct ctd_transfer *transfer, const _Atomic uint64_t *give_up_ns)
{
	CURLcode result;

	transfer->error[0] = '\0';
	curl_multi_add_handle(transfer->multi, transfer->easy);
	result = perform(transfer->multi, give_up_ns, transfer->is_stopped);
	curl_multi_remove_handle(transfer->multi, transfer->easy);
	return result;
}

void ctd_transfer_wait(struct ctd_transfer *transfer, int ms)
{
	curl_multi_poll(transfer->multi, NULL, 0, ms, NULL);
}

void ctd_transfer_wake(struct ctd_transfer *transfer)
{
	curl_multi_wakeup(transfer->multi);
}
