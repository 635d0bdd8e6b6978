/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* encode.h - a view as requests that are small enough. */
#ifndef SERVE_PUSH_ENCODE_H
#define SERVE_PUSH_ENCODE_H

#include "serve/push/queue.h"
#include <cgtopdown/export.h>

/*
 * The part of @p view from account *@p first on, of about @p bytes_max before it is compressed, as
 * gzip; *@p first becomes the account after it. @return 0 or -ENOMEM.
 */
int ctd_push_encode(const struct ctd_ledger_view *view, const struct ctd_self *self,
		    const struct ctd_otlp_resource *resource, size_t bytes_max, size_t *first,
		    struct ctd_push_request **ret_request);

#endif
