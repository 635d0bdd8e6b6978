/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* open.h - opens files of containers, which may be anything and lead anywhere. */
#ifndef PROFILE_PROCESS_OPEN_H
#define PROFILE_PROCESS_OPEN_H

#include <stdint.h>
#include <sys/types.h>

/* The root directory of a process, as it sees it, for ctd_open_within(). @return 0 or negative
 * errno. */
int ctd_open_process_root(pid_t pid, int *ret_fd);
/*
 * Opens a regular file for reading. Links and ".." lead no further up than the directory @p root.
 * Nothing else than a regular file is ever opened: no FIFO, which waits, no device, which acts.
 * @return 0, -EINVAL (no regular file), -EFBIG (more than @p bytes_max) or another negative errno.
 */
int ctd_open_within(int root, const char *path, uint64_t bytes_max, int *ret_fd);
/*
 * Only names a file, whatever it is: the descriptor is for fstat() and ctd_open_named(). By a path
 * of ours, as it is: /proc/PID/map_files/START-END leads to what is mapped there.
 */
int ctd_name_file(const char *path, int *ret_fd);
/* By a path within the directory @p root. */
int ctd_name_within(int root, const char *path, int *ret_fd);
/* Opens what was named, if it is a regular file. @return as ctd_open_within(). */
int ctd_open_named(int named, uint64_t bytes_max, int *ret_fd);
/* Reads the last @p bytes_max bytes of a file. *ret_text is the caller's. @return 0 or negative
 * errno. */
int ctd_read_end(int fd, size_t bytes_max, char **ret_text, size_t *ret_bytes);

#endif
