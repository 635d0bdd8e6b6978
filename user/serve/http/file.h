/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* file.h - a small file of secrets, read again when it changes. */
#ifndef SERVE_HTTP_FILE_H
#define SERVE_HTTP_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

struct ctd_http_file {
	char *path; /* owned; NULL: no file */
	char *text; /* owned; NUL-terminated */
	size_t bytes;
	/* By which a change is seen. Secrets of Kubernetes are replaced by new files. */
	struct timespec changed;
	ino_t inode;
	off_t size;
};

/* @p path NULL: an empty one. @p again: see ctd_read_named_file(). Logs. @return 0 or negative
 * errno. */
int ctd_http_file_open(const char *path, bool again, struct ctd_http_file *ret_file);
bool ctd_http_file_changed(const struct ctd_http_file *file);
/* Both have been read from the same file, with nothing changed in between. */
bool ctd_http_file_is(const struct ctd_http_file *file, const struct ctd_http_file *other);
void ctd_http_file_free(struct ctd_http_file *file);

#endif
