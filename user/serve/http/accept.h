/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* accept.h - what a client's headers Accept and Accept-Encoding ask for, by RFC 9110, 12.5. */
#ifndef SERVE_HTTP_ACCEPT_H
#define SERVE_HTTP_ACCEPT_H

#include <stdbool.h>

/* NULL: no such header. OpenMetrics is for clients that name it, and like it as well as plain text.
 */
bool ctd_accepts_openmetrics(const char *accept);
bool ctd_accepts_gzip(const char *accept_encoding);

#endif
