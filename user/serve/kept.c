/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* kept.c - keeps bytes over a restart, without ever having less than what was kept last. */
#include "serve/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/auto.h"

#define MAGIC UINT64_C(0x3154504b44544331) /* with the version */
#define BYTES_MAX (256u << 20)

/* In the byte order of the machine, on which it stays. */
struct header {
	uint64_t magic, sequence, bytes;
	uint64_t checksum; /* zlib's crc32() of the three above and of the bytes behind */
};

static uint64_t checksum_of(const struct header *header, const void *bytes)
{
	uLong sum = crc32(0, (const Bytef *)header, offsetof(struct header, checksum));

	return crc32(sum, bytes, (uInt)header->bytes);
}

int ctd_kept_open(const char *directory, const char *name, struct ctd_kept *ret_kept)
{
	struct ctd_kept kept = CTD_KEPT_NONE;

	for (int i = 0; i < 2; i++) {
		autofree char *path = NULL;
		int error;

		if (asprintf(&path, "%s/%s.%d", directory, name, i) < 0) {
			path = NULL;
			ctd_kept_close(&kept);
			return -ENOMEM;
		}
		kept.fd[i] = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (kept.fd[i] >= 0 && !flock(kept.fd[i], LOCK_EX | LOCK_NB))
			continue;
		error = -errno;
		ctd_kept_close(&kept);
		return error;
	}
	*ret_kept = kept;
	return 0;
}

static int read_all(int fd, void *to, size_t bytes)
{
	for (size_t done = 0; done < bytes;) {
		ssize_t taken = pread(fd, (char *)to + done, bytes - done, (off_t)done);

		if (taken < 0 && errno == EINTR)
			continue;
		if (taken <= 0)
			return taken ? -errno : -EBADMSG;
		done += (size_t)taken;
	}
	return 0;
}

/* @return 0, -ENOENT: it is empty; -EBADMSG; or negative errno. *ret_file is the caller's. */
static int read_file(int fd, char **ret_file, struct header *ret_header)
{
	autofree char *file = NULL;
	struct stat status;
	int error;

	if (fstat(fd, &status))
		return -errno;
	if (!status.st_size)
		return -ENOENT;
	if ((size_t)status.st_size < sizeof(*ret_header) || status.st_size > BYTES_MAX)
		return -EBADMSG;
	file = malloc((size_t)status.st_size);
	error = file ? read_all(fd, file, (size_t)status.st_size) : -ENOMEM;
	if (error)
		return error;
	memcpy(ret_header, file, sizeof(*ret_header));
	if (ret_header->magic != MAGIC || !ret_header->sequence ||
	    ret_header->bytes != (uint64_t)status.st_size - sizeof(*ret_header) ||
	    ret_header->checksum != checksum_of(ret_header, file + sizeof(*ret_header)))
		return -EBADMSG;
	*ret_file = take_ptr(file);
	return 0;
}

int ctd_kept_read(struct ctd_kept *kept, void **ret_bytes, size_t *ret_count)
{
	autofree char *newest = NULL;
	struct header header = {0};
	int errors[2];

	for (int i = 0; i < 2; i++) {
		autofree char *file = NULL;
		struct header of_file = {0};

		errors[i] = read_file(kept->fd[i], &file, &of_file);
		if (errors[i] || of_file.sequence <= header.sequence)
			continue;
		free(newest);
		newest = take_ptr(file);
		header = of_file;
	}
	if (!newest)
		return errors[0] == -ENOENT ? errors[1] : errors[0];
	kept->sequence = header.sequence;
	memmove(newest, newest + sizeof(header), header.bytes);
	*ret_bytes = take_ptr(newest);
	*ret_count = header.bytes;
	return 0;
}

static int write_all(int fd, const void *from, size_t bytes)
{
	while (bytes) {
		ssize_t written = write(fd, from, bytes);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -errno;
		from = (const char *)from + written;
		bytes -= (size_t)written;
	}
	return 0;
}

int ctd_kept_write(struct ctd_kept *kept, const void *bytes, size_t count)
{
	struct header header = {
		.magic = MAGIC, .sequence = kept->sequence + 1, .bytes = (uint64_t)count};
	int fd = kept->fd[header.sequence % 2], error;

	if (count > BYTES_MAX - sizeof(header))
		return -EFBIG;
	header.checksum = checksum_of(&header, bytes);
	/* Empty in between, it is not taken for an older one that is whole. */
	if (ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET))
		return -errno;
	error = write_all(fd, &header, sizeof(header));
	if (!error)
		error = write_all(fd, bytes, count);
	if (!error)
		kept->sequence = header.sequence;
	return error;
}

void ctd_kept_close(struct ctd_kept *kept)
{
	for (int i = 0; i < 2; i++)
		if (kept->fd[i] >= 0)
			close(kept->fd[i]);
	*kept = CTD_KEPT_NONE;
}
