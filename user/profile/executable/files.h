/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* files.h - files that are known by their place on disk, without reading them. */
#ifndef PROFILE_EXECUTABLE_FILES_H
#define PROFILE_EXECUTABLE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/idmap.h"

struct stat;

/* What tells two files apart. No padding: it is hashed. */
struct ctd_file_identity {
	uint64_t device, inode, bytes;
	int64_t changed_s, changed_ns;
};
struct ctd_file_identity ctd_file_identity(const struct stat *status);

/* What a file is. */
struct ctd_file_meaning {
	uint32_t number; /* of its executable; 0: it is none that can be read */
	uint64_t born; /* of the executable that had the number then */
};

/* Begin with {0}. */
struct ctd_files {
	struct ctd_known_file *known; /* owned */
	size_t count;
	struct ctd_idmap by_hash; /* indices into known */
};

bool ctd_files_find(const struct ctd_files *files, const struct ctd_file_identity *identity,
		    struct ctd_file_meaning *ret_meaning);
/* Without memory, or with another of its hash, it is read again the next time. */
void ctd_files_remember(struct ctd_files *files, const struct ctd_file_identity *identity,
			struct ctd_file_meaning meaning);
void ctd_files_free(struct ctd_files *files);

#endif
