/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* find.c - finds and copies the memory in which a process offers its regions. */
#include "regions/find.h"

#include <cgtopdown/regions_abi.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/num.h"
#include "base/root.h"
#include "profile/process/open.h"
#include "regions/memory.h"

/* To read a record: its own, and of all records of a program together. Those that never rest take
 * none from the others. */
#define TRIES_OWN 10
#define TRIES_SHARED 4000
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

int ctd_region_file_open(const char *path, int *ret_fd, size_t *ret_bytes, const char **ret_why)
{
	autoclose int named = -1, fd = -1;
	int error = ctd_name_file(path, &named), seals;
	struct stat status;

	if (!error)
		error = ctd_open_named(named, INT64_MAX, &fd);
	if (error)
		return error;
	seals = is_in_memory(fd) ? fcntl(fd, F_GET_SEALS) : -1;
	if (seals < 0) {
		*ret_why = "it is no memory of ordinary pages";
		return -EBADMSG;
	}
	if (!(seals & F_SEAL_SHRINK))
		return -EAGAIN;
	if (fstat(fd, &status))
		return -errno;
	if (status.st_size < (off_t)sizeof(struct ctd_regions_header)) {
		*ret_why = "the memory is shorter than a header";
		return -EBADMSG;
	}
	if (status.st_size > (off_t)CTD_REGION_MEMORY_MAX) {
		*ret_why = "the memory is longer than that of any program of ours";
		return -EBADMSG;
	}
	*ret_bytes = (size_t)status.st_size;
	*ret_fd = fd;
	fd = -1;
	return 0;
}

static int read_at(int fd, void *ret_bytes, size_t bytes, size_t at)
{
	ssize_t got = pread(fd, ret_bytes, bytes, (off_t)at);

	if (got < 0)
		return -errno;
	return (size_t)got == bytes ? 0 : -EBADMSG;
}

/*
 * A bank is overwritten only after the number went on. So one that is the same in two readings,
 * with the same number in both, is whole: the number of the first was stored after the bank, before
 * the second was read; and what would overwrite it in the second had not begun in the first.
 */
static bool is_whole(const struct ctd_regions_record *before,
		     const struct ctd_regions_record *after)
{
	return before->number == after->number &&
	       !memcmp(&before->bank[before->number % 2], &after->bank[before->number % 2],
		       sizeof(before->bank[0]));
}

static int copy_record(int fd, size_t at, int *shared_tries, struct ctd_regions_record *ret_record)
{
	struct ctd_regions_record before;
	int error = read_at(fd, ret_record, sizeof(*ret_record), at);

	if (!error && ret_record->state == CTD_REGIONS_FREE)
		return 0;
	for (int tries = 1; !error; tries++) {
		before = *ret_record;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		error = read_at(fd, ret_record, sizeof(*ret_record), at);
		if (error || is_whole(&before, ret_record))
			return error;
		if (tries < TRIES_OWN)
			continue;
		if (!*shared_tries) {
			ret_record->state = CTD_REGION_RESTLESS;
			return 0;
		}
		--*shared_tries;
	}
	return error;
}

static size_t records_count(const struct ctd_regions_header *header, size_t bytes)
{
	size_t count = (bytes - sizeof(*header)) / sizeof(struct ctd_regions_record);

	if (count > CTD_REGIONS_MAX)
		count = CTD_REGIONS_MAX;
	if (count > header->records_max)
		count = header->records_max;
	return count < header->records_count ? count : header->records_count;
}

int ctd_region_file_copy(int fd, size_t bytes, void **ret_memory, size_t *ret_bytes)
{
	autofree struct ctd_regions_header *memory = NULL;
	struct ctd_regions_header header;
	struct ctd_regions_record *record;
	int error = read_at(fd, &header, sizeof(header), 0), tries = TRIES_SHARED;
	size_t count, at = sizeof(header);

	if (error)
		return error;
	count = records_count(&header, bytes);
	memory = malloc(sizeof(header) + count * sizeof(*record));
	if (!memory)
		return -ENOMEM;
	*memory = header;
	record = (void *)(memory + 1);
	for (size_t i = 0; !error && i < count; i++, at += sizeof(*record))
		error = copy_record(fd, at, &tries, &record[i]);
	if (error)
		return error;
	*ret_memory = take_ptr(memory);
	*ret_bytes = at;
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
