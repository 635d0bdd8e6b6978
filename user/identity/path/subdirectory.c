/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* subdirectory.c - walks the directories in a directory. */
#include "identity/path/subdirectory.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

static bool is_directory(DIR *directory, const struct dirent *entry)
{
	struct stat status;

	if (entry->d_type != DT_UNKNOWN)
		return entry->d_type == DT_DIR;
	return !fstatat(dirfd(directory), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) &&
	       S_ISDIR(status.st_mode);
}

const char *ctd_subdirectory_next(DIR *directory)
{
	const struct dirent *entry;

	while ((entry = readdir(directory))) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
		    is_directory(directory, entry))
			return entry->d_name;
	}
	return NULL;
}
