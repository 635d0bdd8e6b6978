/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* file.h - small files that options name: certificates, keys, tokens, headers. */
#ifndef SERVE_FILE_H
#define SERVE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

/* A text that may be secret. */
struct ctd_secret {
	char *text; /* owned; NUL-terminated; NULL: no file */
	size_t bytes;
};

/* @p path NULL: no file. @p again: see ctd_read_named_file(). Logs. @return 0 or negative errno. */
int ctd_secret_read(const char *path, bool again, struct ctd_secret *ret_secret);
/* Overwrites the text before it is freed. */
void ctd_secret_free(struct ctd_secret *secret);

/* What a file was like when it was last looked at. Secrets of Kubernetes are replaced by new files.
 */
struct ctd_watched_file {
	const char *path; /* borrowed; NULL: no file */
	struct timespec changed;
	ino_t inode;
	off_t size;
	bool was_read; /* by ctd_watched_file_read() */
	struct ctd_secret once; /* owned; what a pipe or a device said, which is read once only */
};

/*
 * Look before reading: a change in between is then seen next time. Pipes and devices do not change,
 * as they can be read once only, and a file that is away is about to be replaced.
 * @return true if the file is another one than at the last look.
 */
bool ctd_watched_file_changed(struct ctd_watched_file *file);
/*
 * Each time gives what a pipe or a device said the first time, until a regular file is in its
 * place. Without a path there is no text. Logs. @return 0 or negative errno.
 */
int ctd_watched_file_read(struct ctd_watched_file *file, struct ctd_secret *ret_secret);
void ctd_watched_file_free(struct ctd_watched_file *file);

#endif
