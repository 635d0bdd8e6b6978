/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* find.h - the memory that a process offers, among its open files. */
#ifndef REGIONS_FIND_H
#define REGIONS_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* A file of a process: by @p path it can be opened. @return true to go on. */
typedef bool ctd_region_file_fn(const char *path, const struct stat *status, void *context);
/* Calls @p found for each that has the name of one that offers regions. Nothing is opened. @return
 * 0; -ENOENT: there is no such process; or other negative errno. */
int ctd_region_files_each(uint32_t pid, ctd_region_file_fn *found, void *context);
/* Opens one of these, if it is memory of the size that we read. @p ret_why: a sentence, where that
 * is not so. @return 0; -EAGAIN: it is not sealed yet; or other negative errno. */
int ctd_region_file_open(const char *path, int *ret_fd, size_t *ret_bytes, const char **ret_why);
/*
 * Copies header and records. It is read, not mapped: a mapping would make pages where the program
 * has none yet, and these would be ours. A record that changes faster than it can be read is
 * CTD_REGION_RESTLESS there. @return 0; -ENOMEM; -EBADMSG: it is shorter than it was.
 */
int ctd_region_file_copy(int fd, size_t bytes, void **ret_memory, size_t *ret_bytes);
/* The number that a process has for itself: the last of its namespaces. @return 0 if unknown. */
uint32_t ctd_region_own_pid(uint32_t pid);

#endif
