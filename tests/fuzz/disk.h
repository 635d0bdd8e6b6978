/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* disk.h - a host in memory whose one file has any content. */
#ifndef TESTS_FUZZ_DISK_H
#define TESTS_FUZZ_DISK_H

#include <assert.h>
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cgtopdown/identity.h>
#include <cgtopdown/runtime.h>

#include "identity/lookup/disk.h"

#define FUZZ_ID "00000000000000000000000000000000000000000000000000000000000000aa"

static char disk_root[] = "/dev/shm/ctd-fuzz-XXXXXX";

static inline int disk_remove_one(const char *path, const struct stat *status, int type,
				  struct FTW *position)
{
	(void)status;
	(void)type;
	(void)position;
	return remove(path);
}

static inline void disk_remove(void)
{
	nftw(disk_root, disk_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Made with the first file, gone with the process. */
static inline void disk_put(const char *path, const uint8_t *data, size_t bytes)
{
	static bool made;
	char whole[PATH_MAX];
	FILE *file;

	if (!made && (!mkdtemp(disk_root) || atexit(disk_remove)))
		abort();
	made = true;
	snprintf(whole, sizeof(whole), "%s%s", disk_root, path);
	for (char *slash = whole + strlen(disk_root) + 1; (slash = strchr(slash, '/'));
	     *slash++ = '/') {
		*slash = '\0';
		mkdir(whole, 0700);
	}
	file = fopen(whole, "w");
	if (!file || fwrite(data, 1, bytes, file) != bytes || fclose(file))
		abort();
}

/* Whatever is written: names or an error, and nothing that leaks. Those of FUZZ_ID, or of the
 * cgroup at @p path. */
static inline void disk_read(const struct ctd_runtime *runtime, const char *path)
{
	struct ctd_names names = {0};
	struct ctd_disk *disk;
	int error;

	if (ctd_disk_new(disk_root, &disk))
		abort();
	error = path ? runtime->read_named(disk, path, &names)
		     : runtime->read_names(disk, FUZZ_ID, &names);
	assert(error <= 0);
	assert(!error || (!names.container_name && !names.pod_name && !names.image));
	ctd_names_free(&names);
	ctd_disk_free(disk);
}

static inline void disk_read_names(const struct ctd_runtime *runtime)
{
	disk_read(runtime, NULL);
}

static inline void disk_read_named(const struct ctd_runtime *runtime, const char *path)
{
	disk_read(runtime, path);
}

#endif
