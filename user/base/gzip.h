/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* gzip.h - compresses a text piece by piece, as it is made. */
#ifndef BASE_GZIP_H
#define BASE_GZIP_H

#include <stddef.h>
#include <stdint.h>

/* One member of gzip, RFC 1952, without a name or time. */
struct ctd_gzip;

/* A part of a text, compressed by itself: it can be put into other texts. */
struct ctd_gzip_part {
	char *data; /* owned; blocks of deflate that refer to nothing before them; NULL: none */
	size_t bytes;
	size_t text_bytes;
	uint32_t text_crc;
};

/* *ret_gzip: ctd_gzip_free(). @return 0 or -ENOMEM. */
int ctd_gzip_new(struct ctd_gzip **ret_gzip);
/* What follows. @return 0 or -ENOMEM: it can only be freed then. */
int ctd_gzip_add(struct ctd_gzip *gzip, const char *data, size_t bytes);
/* What follows up to ctd_gzip_end_part() is a part. @return 0 or -ENOMEM, as above. */
int ctd_gzip_begin_part(struct ctd_gzip *gzip);
/* ret_part: ctd_gzip_part_free(). @return 0 or -ENOMEM, as above. */
int ctd_gzip_end_part(struct ctd_gzip *gzip, struct ctd_gzip_part *ret_part);
/* Adds the text of a part. @return 0 or -ENOMEM, as above. */
int ctd_gzip_add_part(struct ctd_gzip *gzip, const struct ctd_gzip_part *part);
/* Leaves it empty. */
void ctd_gzip_part_free(struct ctd_gzip_part *part);
/* Ends it: nothing can be added any more. *ret_data: free(3). @return 0 or -ENOMEM. */
int ctd_gzip_end(struct ctd_gzip *gzip, char **ret_data, size_t *ret_bytes);
void ctd_gzip_free(struct ctd_gzip *gzip);

/* All at once. */
int ctd_gzip(const char *data, size_t bytes, char **ret_data, size_t *ret_bytes);

#endif
