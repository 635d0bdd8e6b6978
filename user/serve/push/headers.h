/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* headers.h - HTTP headers from the command line and from files. */
#ifndef SERVE_PUSH_HEADERS_H
#define SERVE_PUSH_HEADERS_H

#include <stdbool.h>
#include <stddef.h>

#include "serve/file.h"

#define CTD_HEADERS_MAX 32

/* Headers of a file. */
struct ctd_headers {
	struct ctd_secret file; /* owned */
	const char *header[CTD_HEADERS_MAX]; /* "NAME=VALUE", in `file` */
	size_t count;
};

/* Bytes of the name that @p text begins with, as RFC 9110, section 5.1, has it; 0: none. */
size_t ctd_header_name_bytes(const char *text);

/*
 * Reads lines "NAME: VALUE"; empty ones and those that begin with '#' are skipped. @p again: see
 * ctd_read_named_file(). Logs the line, not the value, which may be a secret. @return 0 or negative
 * errno (-EINVAL for a bad line).
 */
int ctd_headers_read(const char *path, bool again, struct ctd_headers *ret_headers);
void ctd_headers_free(struct ctd_headers *headers);

#endif
