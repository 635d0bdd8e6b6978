/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* root.h - every read of /sys and /proc goes below one root directory, so that a recorded machine
 * can stand in. */
#ifndef BASE_ROOT_H
#define BASE_ROOT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define CTD_PATH_MAX 4096

/* Sets the root directory; "" or NULL is the real one. Borrowed for the life of the program. */
void ctd_root_set(const char *directory);
/* The directory, "" for the real root. */
const char *ctd_root(void);
/* Formats a path below the root into @p ret_path (CTD_PATH_MAX bytes). @return 0 or -ENAMETOOLONG. */
int ctd_root_path(char *ret_path, const char *format, ...) __attribute__((format(printf, 2, 3)));
/*
 * Reads a whole small file below the root, at most bytes - 1, NUL-terminated, with one trailing
 * newline removed.
 * @return its length, or negative errno (-EFBIG if it does not fit). ret_text is untouched on
 * failure.
 */
ssize_t ctd_root_read(char *ret_text, size_t bytes, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Reads a file holding one integer (decimal, or hex with 0x). @return 0 or negative errno. */
int ctd_root_read_integer(long long *ret_value, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Reads a whole regular file, -EFBIG beyond bytes_max (absolute path, not below the root).
 * *ret_text is NUL-terminated and the caller's. */
int ctd_read_file(const char *path, size_t bytes_max, char **ret_text, size_t *ret_bytes);
/*
 * As ctd_read_file(), of one that people name, which may be a pipe: see ctd_input_open(). @p again:
 * it was read before, so a pipe has nothing more, or would be waited for. @return 0 or negative
 * errno (-ESPIPE: it is read again, and such a one).
 */
int ctd_read_named_file(const char *path, bool again, size_t bytes_max, char **ret_text,
			size_t *ret_bytes);

#endif
