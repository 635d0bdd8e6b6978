/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* gzip.h - compresses a text for somebody who waits for it. */
#ifndef BASE_GZIP_H
#define BASE_GZIP_H

#include <stddef.h>

/*
 * The @p bytes of @p data as one member of gzip, RFC 1952, without a name or time.
 * *ret_data: free(3). @return 0 or -ENOMEM.
 */
int ctd_gzip(const char *data, size_t bytes, char **ret_data, size_t *ret_bytes);

#endif
