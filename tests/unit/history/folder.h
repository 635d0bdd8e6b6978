/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* folder.h - a directory for the parts of a history, in memory. */
#ifndef TESTS_UNIT_HISTORY_FOLDER_H
#define TESTS_UNIT_HISTORY_FOLDER_H

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FOLDER_PATH_BYTES 64

static inline void folder_make(char path[FOLDER_PATH_BYTES])
{
	strcpy(path, "/dev/shm/ctd-history-XXXXXX");
	assert_non_null(mkdtemp(path));
}

/* With all files in it. */
static inline void folder_remove(const char *path)
{
	DIR *directory = opendir(path);
	const struct dirent *entry;

	assert_non_null(directory);
	while ((entry = readdir(directory)))
		unlinkat(dirfd(directory), entry->d_name, 0);
	closedir(directory);
	assert_int_equal(rmdir(path), 0);
}

#endif
