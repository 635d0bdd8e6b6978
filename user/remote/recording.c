/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* recording.c - fetches a recording, within bounds of time and memory. */
#include "remote/recording.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "transfer/transfer.h"

/* Of 10,000 containers with 10,000 stacks: 10 MB. */
#define RECORDING_BYTES_MAX ((size_t)256 << 20)
#define CONNECT_MS 2000
/* That it may take when its time is over. */
#define GRACE_MS 30000

struct arriving {
	int fd;
	size_t bytes;
	int error;
};

static size_t take(char *data, size_t size, size_t count, void *context)
{
	struct arriving *arriving = context;
	size_t bytes = size * count;
	ssize_t written;

	arriving->bytes += bytes;
	if (arriving->bytes > RECORDING_BYTES_MAX) {
		arriving->error = -EFBIG;
		return 0;
	}
	for (size_t at = 0; at < bytes; at += (size_t)written) {
		written = write(arriving->fd, data + at, bytes - at);
		if (written < 0) {
			arriving->error = -errno;
			return 0;
		}
	}
	return bytes;
}

static int refuse(int error, const char *why, char ret_why[CTD_REMOTE_WHY_BYTES])
{
	snprintf(ret_why, CTD_REMOTE_WHY_BYTES, "%.*s", CTD_REMOTE_WHY_BYTES - 1, why);
	return error;
}

static int judge(const struct ctd_transfer *transfer, CURLcode result,
		 const struct arriving *arriving, char ret_why[CTD_REMOTE_WHY_BYTES])
{
	long status = 0;

	if (result == CURLE_ABORTED_BY_CALLBACK)
		return refuse(-EINTR, "it was stopped", ret_why);
	if (result)
		return refuse(arriving->error ? arriving->error : -EIO,
			      *transfer->error ? transfer->error : curl_easy_strerror(result),
			      ret_why);
	curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
	if (status == 200)
		return 0;
	if (status == 501)
		return refuse(-EOPNOTSUPP, "groups of counters rotate there", ret_why);
	if (status == 503)
		return refuse(-EAGAIN, "as many ask as may; try again later", ret_why);
	snprintf(ret_why, CTD_REMOTE_WHY_BYTES, "it answers with HTTP status %ld", status);
	return -EBADMSG;
}

int ctd_remote_recording_get(const char *path, unsigned int seconds, bool (*is_stopped)(void),
			     int fd, char ret_why[CTD_REMOTE_WHY_BYTES])
{
	struct arriving arriving = {.fd = fd};
	struct ctd_transfer *transfer;
	char url[96];
	const struct ctd_transfer_options options = {
		.url = url,
		.unix_path = path,
		.timeout_ms = 1000L * seconds + GRACE_MS,
		.connect_ms = CONNECT_MS,
		.is_stopped = is_stopped,
		.take = take,
		.context = &arriving,
	};
	int error;

	snprintf(url, sizeof(url), "http://localhost/api/v1/recording?seconds=%u", seconds);
	error = ctd_transfer_new(&options, &transfer);
	if (error)
		return refuse(error, "a request could not be made", ret_why);
	error = judge(transfer, ctd_transfer_run(transfer, NULL), &arriving, ret_why);
	ctd_transfer_free(transfer);
	return error;
}
