/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* files.h - files whose debugging information is read when sampling is over: they stay open. */
#ifndef PROFILE_LINES_FILES_H
#define PROFILE_LINES_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idmap.h"
#include "profile/executable/files.h"

/* So many are open, or a quarter of those that the process may have: files of which the names are
 * gone take room on disk. */
#define CTD_LINE_FILES_MAX 1024
/* Those of which stacks have places, too. */
#define CTD_LINE_NUMBERS_MAX 65000

/* A cgroup: what its files take is not taken from others. */
struct ctd_line_owner {
	uint64_t cgroup_id;
	uint32_t open, numbers; /* of its files */
	uint64_t used_ns; /* that the lines of its files took */
	/* While lines are found: */
	uint32_t jobs; /* files that are to be read */
	size_t texts_count, texts_bytes, frames_count, chains_count; /* of its lines */
};

struct ctd_line_file {
	int fd; /* owned; -1: it had to make room */
	char *path; /* owned; as its process named it that had it first; NULL: it had to make room */
	struct ctd_file_identity identity; /* of its bytes as they were, under whatever name */
	struct ctd_line_owner *owner; /* NULL: nobody has the number */
	uint64_t born; /* tells it from others that had its number */
	bool sampled;
	bool in_stacks; /* of the set at hand: nobody else gets the number */
	uint64_t failed_ns; /* it was not read in such a time; UINT64_MAX: it cannot be read */
};

/* Begin with {0}. */
struct ctd_line_files {
	struct ctd_line_file *files; /* owned; by number, from 1 on */
	struct ctd_idmap owners; /* owned, with the owners */
	uint32_t count, numbers, open_count, open_max;
	uint64_t births;
	uint64_t refused; /* for which there was no room */
};

/*
 * Keeps a copy of the descriptor @p fd, for the cgroup whose process maps the file. Where there is
 * no room, the cgroup that has most makes some, by a file that was not sampled if it has one:
 * nobody takes the room of others. *ret_name stands for it; 0: there is no room.
 * @return 0 or -ENOMEM.
 */
int ctd_line_files_keep(struct ctd_line_files *files, int fd, const char *path, uint64_t cgroup_id,
			uint64_t *ret_name);
/* What stands for an instruction of a file, sampled in a cgroup, of which the file is if it was not
 * sampled before; 0: @p name is, or it had to make room. */
uint64_t ctd_line_files_place(struct ctd_line_files *files, uint64_t name, uint64_t address,
			      uint64_t cgroup_id);
/* Nobody has places any more. */
void ctd_line_files_end_set(struct ctd_line_files *files);
/* Have the bytes of a file that is open stayed what they were? It may have been removed meanwhile. */
bool ctd_line_file_is_as_it_was(const struct ctd_line_file *file);
void ctd_line_files_free(struct ctd_line_files *files);

#endif
