/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* files.c - files that are known by their place on disk, without reading them. */
#include "profile/executable/files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/hash.h"

/* When so many are known all are forgotten, and looked at again. */
#define FILES_MAX 16384

struct ctd_known_file {
	struct ctd_file_identity identity;
	struct ctd_file_meaning meaning;
};

struct ctd_file_identity ctd_file_identity(const struct stat *status)
{
	return (struct ctd_file_identity){status->st_dev, status->st_ino, (uint64_t)status->st_size,
					  status->st_ctim.tv_sec, status->st_ctim.tv_nsec};
}

bool ctd_files_find(const struct ctd_files *files, const struct ctd_file_identity *identity,
		    struct ctd_file_meaning *ret_meaning)
{
	uintptr_t at;

	if (!ctd_idmap_get(&files->by_hash, ctd_hash(identity, sizeof(*identity)), &at) ||
	    memcmp(&files->known[at].identity, identity, sizeof(*identity)) != 0)
		return false;
	*ret_meaning = files->known[at].meaning;
	return true;
}

void ctd_files_remember(struct ctd_files *files, const struct ctd_file_identity *identity,
			struct ctd_file_meaning meaning)
{
	uint64_t hash = ctd_hash(identity, sizeof(*identity));
	uintptr_t at;

	if (!files->known)
		files->known = calloc(FILES_MAX, sizeof(*files->known));
	if (!files->known)
		return;
	if (!ctd_idmap_get(&files->by_hash, hash, &at)) {
		if (files->count == FILES_MAX) {
			ctd_idmap_free(&files->by_hash);
			files->count = 0;
		}
		at = files->count;
		if (ctd_idmap_set(&files->by_hash, hash, at))
			return;
		files->count++;
	}
	files->known[at] = (struct ctd_known_file){*identity, meaning};
}

void ctd_files_free(struct ctd_files *files)
{
	free(files->known);
	ctd_idmap_free(&files->by_hash);
	*files = (struct ctd_files){0};
}
