/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* open.c - opens files of containers, which may be anything and lead anywhere. */
#include "profile/process/open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/root.h"
#include "base/within.h"

int ctd_open_process_root(pid_t pid, int *ret_fd)
{
	char path[CTD_PATH_MAX];
	int err = ctd_root_path(path, "/proc/%d/root", (int)pid);
	int fd;

	if (err)
		return err;
	fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	*ret_fd = fd;
	return 0;
}

int ctd_open_named(int named, uint64_t bytes_max, int *ret_fd)
{
	char path[64];
	struct stat status;
	int fd;

	if (fstat(named, &status))
		return -errno;
	if (!S_ISREG(status.st_mode))
		return -EINVAL;
	if ((uint64_t)status.st_size > bytes_max)
		return -EFBIG;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", named);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -errno;
	*ret_fd = fd;
	return 0;
}

/* @p fd: of an open(), or a negative errno. */
static int take(int fd, int *ret_fd)
{
	if (fd < 0)
		return fd;
	*ret_fd = fd;
	return 0;
}

int ctd_name_file(const char *path, int *ret_fd)
{
	int fd = open(path, O_PATH | O_CLOEXEC);

	return take(fd < 0 ? -errno : fd, ret_fd);
}

int ctd_name_within(int root, const char *path, int *ret_fd)
{
	return take(ctd_open_in_root(root, path, O_PATH | O_CLOEXEC), ret_fd);
}

int ctd_open_within(int root, const char *path, uint64_t bytes_max, int *ret_fd)
{
	autoclose int named = -1;
	int err = ctd_name_within(root, path, &named);

	return err ? err : ctd_open_named(named, bytes_max, ret_fd);
}

int ctd_read_end(int fd, size_t bytes_max, char **ret_text, size_t *ret_bytes)
{
	autofree char *text = NULL;
	struct stat status;
	size_t wanted, bytes = 0;
	off_t start;
	ssize_t got;

	if (fstat(fd, &status))
		return -errno;
	wanted = (uint64_t)status.st_size < bytes_max ? (size_t)status.st_size : bytes_max;
	start = status.st_size - (off_t)wanted;
	text = malloc(wanted + 1);
	if (!text)
		return -ENOMEM;
	while (bytes < wanted) {
		got = TEMP_FAILURE_RETRY(
			pread(fd, text + bytes, wanted - bytes, start + (off_t)bytes));
		if (got < 0)
			return -errno;
		if (!got)
			break;
		bytes += (size_t)got;
	}
	text[bytes] = '\0';
	*ret_text = take_ptr(text);
	*ret_bytes = bytes;
	return 0;
}
