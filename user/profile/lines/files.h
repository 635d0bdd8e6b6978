/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* files.h - files whose debugging information is read when sampling is over: they stay open. */
#ifndef PROFILE_LINES_FILES_H
#define PROFILE_LINES_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/executable/files.h"

/* So many are open, or a quarter of those that the process may have: files of which the names are
 * gone take room on disk. */
#define CTD_LINE_FILES_MAX 1024
/* A number is no other file's later. */
#define CTD_LINE_NUMBERS_MAX 65000

struct ctd_line_file {
	int fd; /* owned; -1: it had to make room */
	char *path; /* owned; as its process named it that had it first; NULL: it had to make room */
	struct ctd_file_identity identity; /* of its bytes as they were, under whatever name */
	uint64_t owner; /* the cgroup in which it was sampled first; 0: in none yet */
};

/* Begin with {0}. */
struct ctd_line_files {
	struct ctd_line_file *files; /* owned */
	uint32_t count, open_count, open_max;
	uint64_t refused; /* for which there was no room */
};

/*
 * Keeps a copy of the descriptor @p fd. Where there is no room, one that was not sampled makes
 * some, or else one of the cgroup that has most: nobody takes the room of others. *ret_number: from
 * 1 on; 0: there is no room. @return 0 or -ENOMEM.
 */
int ctd_line_files_keep(struct ctd_line_files *files, int fd, const char *path,
			uint32_t *ret_number);
/* What stands for an instruction of a file, sampled in the cgroup @p owner; 0: @p number is. */
uint64_t ctd_line_files_place(struct ctd_line_files *files, uint32_t number, uint64_t address,
			      uint64_t owner);
/* Have the bytes of a file that is open stayed what they were? It may have been removed meanwhile. */
bool ctd_line_file_is_as_it_was(const struct ctd_line_file *file);
void ctd_line_files_free(struct ctd_line_files *files);

#endif
