/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* encode.c - cuts a view into requests of gzip. */
#include "serve/push/encode.h"

#include <errno.h>
#include <stdlib.h>

#include "base/auto.h"
#include "base/gzip.h"
#include "base/strbuf.h"

/* About half a MiB, with all that can be known of a container and some labels. */
#define ACCOUNTS_MAX 200

/* Sets *@p accounts to how many of at most so many fit. */
static int make_message(const struct ctd_ledger_view *view, const struct ctd_self *self,
			const struct ctd_otlp_resource *resource, size_t bytes_max, size_t first,
			size_t *accounts, struct ctd_strbuf *message)
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
	auto_ctd_strbuf struct ctd_strbuf message = {0};
	autofree struct ctd_push_request *request = calloc(1, sizeof(*request));
	size_t accounts = ACCOUNTS_MAX;
	int error;

	if (!request)
		return -ENOMEM;
	error = make_message(view, self, resource, bytes_max, *first, &accounts, &message);
	if (!error)
		error = ctd_gzip(message.text, message.bytes, &request->data, &request->bytes);
	if (error)
		return error;
	*first += accounts;
	request->sequence = view->sequence;
	request->last = *first >= view->accounts_count;
	*ret_request = take_ptr(request);
	return 0;
}
