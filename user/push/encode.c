/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* encode.c - cuts a view into requests of gzip. */
#include "push/encode.h"

#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/auto.h"

/* About half a MiB, with all that can be known of a container and some labels. */
#define ACCOUNTS_MAX 200
/* zlib's for gzip: the largest window, and the header. */
#define GZIP_WINDOW_BITS (15 + 16)

/* Level 1: of 1,000 containers, 1.95 MB, it leaves 97 kB in 4 ms; level 6 leaves 85 kB in 15 ms. */
static int compress_message(const struct ctd_export *message, struct ctd_push_request *request)
{
	z_stream stream = {.next_in = (Bytef *)message->data, .avail_in = (uInt)message->bytes};
	size_t capacity;

	if (deflateInit2(&stream, 1, Z_DEFLATED, GZIP_WINDOW_BITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	capacity = deflateBound(&stream, message->bytes);
	request->data = malloc(capacity);
	if (request->data) {
		stream.next_out = (Bytef *)request->data;
		stream.avail_out = (uInt)capacity;
		deflate(&stream, Z_FINISH);
		request->bytes = stream.total_out;
	}
	deflateEnd(&stream);
	return request->data ? 0 : -ENOMEM;
}

/* Sets *@p accounts to how many of at most so many fit. */
static int make_message(const struct ctd_ledger_view *view, const struct ctd_self *self,
			const struct ctd_otlp_resource *resource, size_t bytes_max, size_t first,
			size_t *accounts, struct ctd_export *message)
{
	for (;; *accounts /= 2) {
		int error;

		message->bytes = 0;
		error = ctd_export_otlp(view, self, resource, first, *accounts, message);
		if (error || message->bytes <= bytes_max || *accounts == 1)
			return error;
	}
}

int ctd_push_encode(const struct ctd_ledger_view *view, const struct ctd_self *self,
		    const struct ctd_otlp_resource *resource, size_t bytes_max, size_t *first,
		    struct ctd_push_request **ret_request)
{
	__attribute__((cleanup(ctd_export_free))) struct ctd_export message = {0};
	autofree struct ctd_push_request *request = calloc(1, sizeof(*request));
	size_t accounts = ACCOUNTS_MAX;
	int error;

	if (!request)
		return -ENOMEM;
	error = make_message(view, self, resource, bytes_max, *first, &accounts, &message);
	if (!error)
		error = compress_message(&message, request);
	if (error)
		return error;
	*first += accounts;
	request->sequence = view->sequence;
	request->last = *first >= view->accounts_count;
	*ret_request = take_ptr(request);
	return 0;
}
