/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* find.c - finds and maps the memory in which a process offers its regions. */
#include "regions/find.h"

#include <cgtopdown/regions_abi.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/num.h"
#include "base/root.h"
#include "profile/process/open.h"
#include "regions/memory.h"

#define LINK "/memfd:" CTD_REGIONS_FILE " (deleted)"

int ctd_region_files_each(uint32_t pid, ctd_region_file_fn *found, void *context)
{
	char path[64 + NAME_MAX], link[sizeof(LINK)];
	const struct dirent *entry;
	struct stat status;
	bool goes_on = true;
	DIR *files;

	snprintf(path, sizeof(path), "/proc/%u/fd", pid);
	files = opendir(path);
	if (!files)
		return -errno;
	while (goes_on && (entry = readdir(files))) {
		ssize_t bytes = readlinkat(dirfd(files), entry->d_name, link, sizeof(link));

		if (bytes != sizeof(LINK) - 1 || memcmp(link, LINK, sizeof(LINK) - 1) != 0 ||
		    fstatat(dirfd(files), entry->d_name, &status, 0))
			continue;
		snprintf(path, sizeof(path), "/proc/%u/fd/%s", pid, entry->d_name);
		goes_on = found(path, &status, context);
	}
	closedir(files);
	return 0;
}

/* A file in memory, and not of huge pages, which may be lacking when they are read. */
static bool is_in_memory(int fd)
{
	struct statfs filesystem;

	return !fstatfs(fd, &filesystem) && filesystem.f_type == TMPFS_MAGIC;
}

int ctd_region_file_map(const char *path, const void **ret_memory, size_t *ret_bytes,
			const char **ret_why)
{
	autoclose int named = -1, fd = -1;
	int error = ctd_name_file(path, &named), seals;
	struct stat status;
	void *memory;

	if (!error)
		error = ctd_open_named(named, CTD_REGION_MEMORY_MAX, &fd);
	if (error)
		return error;
	seals = is_in_memory(fd) ? fcntl(fd, F_GET_SEALS) : -1;
	if (seals < 0 || !(seals & F_SEAL_SHRINK)) {
		*ret_why = "the memory is not sealed against becoming shorter";
		return -EBADMSG;
	}
	if (fstat(fd, &status))
		return -errno;
	if (status.st_size < (off_t)sizeof(struct ctd_regions_header)) {
		*ret_why = "the memory is shorter than a header";
		return -EBADMSG;
	}
	memory = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED)
		return -errno;
	*ret_memory = memory;
	*ret_bytes = (size_t)status.st_size;
	return 0;
}

uint32_t ctd_region_own_pid(uint32_t pid)
{
	char path[64], line[256];
	autofclose FILE *status = NULL;
	long long own;

	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	status = fopen(path, "re");
	while (status && fgets(line, sizeof(line), status)) {
		char *last = strrchr(line, '\t');

		if (strncmp(line, "NSpid:", 6) != 0 || !last)
			continue;
		last[strcspn(last, "\n")] = '\0';
		return ctd_parse_integer(last + 1, 1, INT32_MAX, &own) ? 0 : (uint32_t)own;
	}
	return 0;
}
