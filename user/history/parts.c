/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* parts.c - names and lists the files of a history's directory. */
#include "history/parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"

/* Far above what is written. */
#define BYTES_MAX ((off_t)256 << 20)

void ctd_part_name(const struct ctd_part *part, char ret_name[CTD_PART_NAME_BYTES])
{
	snprintf(ret_name, CTD_PART_NAME_BYTES,
		 "%08" PRIx32 "-%08" PRIu32 "-%08" PRIu32 "-%" PRIu32 "s.ctdrec", part->boot,
		 part->first, part->last, part->step_s);
}

/* A number too large for it is another one in the name that is made of it again. */
static uint32_t take_number(const char **text, int base)
{
	char *end;
	uint32_t number = (uint32_t)strtoul(*text, &end, base);

	*text = *end ? end + 1 : end;
	return number;
}

bool ctd_part_parse(const char *name, struct ctd_part *ret_part)
{
	struct ctd_part part = {0};
	char again[CTD_PART_NAME_BYTES];
	const char *rest = name;

	part.boot = take_number(&rest, 16);
	part.first = take_number(&rest, 10);
	part.last = take_number(&rest, 10);
	part.step_s = take_number(&rest, 10);
	ctd_part_name(&part, again);
	if (strcmp(name, again) != 0 || !part.first || part.first > part.last || !part.step_s)
		return false;
	*ret_part = part;
	return true;
}

/* By number; of parts with the same beginning that with more first. */
static int compare(const void *left, const void *right)
{
	const struct ctd_part *a = left, *b = right;

	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	if (a->last != b->last)
		return a->last > b->last ? -1 : 1;
	return a->step_s > b->step_s ? -1 : a->step_s < b->step_s;
}

/* In that order a part that has all of another one comes before it. */
static void find_covered(struct ctd_part *parts, size_t count)
{
	uint32_t last = 0;

	for (size_t i = 0; i < count; i++) {
		parts[i].covered = parts[i].last <= last;
		if (parts[i].last > last)
			last = parts[i].last;
	}
}

static int add(struct ctd_part **parts, size_t *count, const struct ctd_part *part)
{
	struct ctd_part *more = reallocarray(*parts, *count + 1, sizeof(*more));

	if (!more)
		return -ENOMEM;
	more[(*count)++] = *part;
	*parts = more;
	return 0;
}

static int list(DIR *directory, struct ctd_part **parts, size_t *count)
{
	const struct dirent *entry;
	int error = 0;

	while (!error && (errno = 0, entry = readdir(directory))) {
		struct ctd_part part;
		struct stat status;

		if (!ctd_part_parse(entry->d_name, &part) ||
		    fstatat(dirfd(directory), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) ||
		    !S_ISREG(status.st_mode))
			continue;
		part.bytes = (uint64_t)status.st_size;
		error = add(parts, count, &part);
	}
	return error ? error : -errno;
}

int ctd_parts_list(int directory_fd, struct ctd_part **ret_parts, size_t *ret_count)
{
	int fd = openat(directory_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), error;
	DIR *directory = fd < 0 ? NULL : fdopendir(fd);
	struct ctd_part *parts = NULL;
	size_t count = 0;

	if (!directory) {
		error = -errno;
		if (fd >= 0)
			close(fd);
		return error;
	}
	error = list(directory, &parts, &count);
	closedir(directory);
	if (error) {
		free(parts);
		return error;
	}
	if (count)
		qsort(parts, count, sizeof(*parts), compare);
	find_covered(parts, count);
	*ret_parts = parts;
	*ret_count = count;
	return 0;
}

int ctd_part_read(int fd, struct ctd_strbuf *ret_data)
{
	auto_ctd_strbuf struct ctd_strbuf data = {0};
	struct stat status;

	if (fstat(fd, &status))
		return -errno;
	if (status.st_size > BYTES_MAX)
		return -EFBIG;
	if (!ctd_strbuf_reserve(&data, (size_t)status.st_size + 1))
		return -ENOMEM;
	while (data.bytes < (size_t)status.st_size) {
		ssize_t got = pread(fd, data.text + data.bytes, (size_t)status.st_size - data.bytes,
				    (off_t)data.bytes);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		/* It is written at the same time, or was cut. */
		if (!got)
			break;
		data.bytes += (size_t)got;
	}
	*ret_data = data;
	data = (struct ctd_strbuf){0};
	return 0;
}

uint32_t ctd_part_boot(void)
{
	autofclose FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
	char digits[9] = "";

	return file && fgets(digits, sizeof(digits), file) ? (uint32_t)strtoul(digits, NULL, 16)
							   : 0;
}
