/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* encoding.h - in which form a client takes an answer. */
#ifndef SERVE_HTTP_ENCODING_H
#define SERVE_HTTP_ENCODING_H

#include <stdbool.h>

/* Does an Accept-Encoding header take gzip, and not rather the plain text? NULL: no header. */
bool ctd_accepts_gzip(const char *accept_encoding);

#endif
