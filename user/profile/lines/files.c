/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* files.c - files whose debugging information is read when sampling is over: they stay open. */
#include "profile/lines/files.h"

#include <cgtopdown/profile_abi.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"

static uint32_t open_max(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur / 4 >= CTD_LINE_FILES_MAX)
		return CTD_LINE_FILES_MAX;
	return (uint32_t)limit.rlim_cur / 4;
}

static uint32_t files_of(const struct ctd_line_files *files, uint64_t owner)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < files->count; i++)
		count += files->files[i].fd >= 0 && files->files[i].owner == owner;
	return count;
}

/* As elsewhere, but by the time at which its bytes changed: who removes or renames a file changes
 * its status, and it is the same one. */
static struct ctd_file_identity identity_of(const struct stat *status)
{
	struct ctd_file_identity identity = ctd_file_identity(status);

	identity.changed_s = status->st_mtim.tv_sec;
	identity.changed_ns = status->st_mtim.tv_nsec;
	return identity;
}

/* The oldest that was not sampled, or the newest of the owner that has most. */
static void make_room(struct ctd_line_files *files)
{
	struct ctd_line_file *victim = NULL;
	uint32_t most = 0;

	for (uint32_t i = 0; i < files->count; i++) {
		struct ctd_line_file *one = &files->files[i];
		uint32_t its;

		if (one->fd < 0)
			continue;
		if (!one->owner) {
			victim = one;
			break;
		}
		its = victim && victim->owner == one->owner ? most : files_of(files, one->owner);
		if (its >= most) {
			victim = one;
			most = its;
		}
	}
	if (!victim)
		return;
	close(take_fd(victim->fd));
	free(take_ptr(victim->path));
	files->open_count--;
	files->refused++;
}

static uint32_t find(const struct ctd_line_files *files, const struct ctd_file_identity *identity)
{
	for (uint32_t i = 0; i < files->count; i++)
		if (files->files[i].fd >= 0 &&
		    !memcmp(&files->files[i].identity, identity, sizeof(*identity)))
			return i + 1;
	return 0;
}

int ctd_line_files_keep(struct ctd_line_files *files, int fd, const char *path,
			uint32_t *ret_number)
{
	autofree char *own = strdup(path);
	struct ctd_file_identity identity;
	autoclose int copy = -1;
	struct stat status;
	void *larger;

	*ret_number = 0;
	if (!own || fstat(fd, &status))
		return own ? 0 : -ENOMEM;
	identity = identity_of(&status);
	/* It was forgotten elsewhere meanwhile. */
	*ret_number = find(files, &identity);
	if (*ret_number)
		return 0;
	if (!files->open_max)
		files->open_max = open_max();
	if (files->open_count >= files->open_max)
		make_room(files);
	copy = files->count < CTD_LINE_NUMBERS_MAX ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : -1;
	if (copy < 0) {
		files->refused++;
		return 0;
	}
	if (!(files->count & (files->count - 1))) {
		larger = reallocarray(files->files, files->count ? 2 * (size_t)files->count : 1,
				      sizeof(*files->files));
		if (!larger)
			return -ENOMEM;
		files->files = larger;
	}
	files->files[files->count++] = (struct ctd_line_file){
		.fd = take_fd(copy),
		.path = take_ptr(own),
		.identity = identity,
	};
	files->open_count++;
	*ret_number = files->count;
	return 0;
}

uint64_t ctd_line_files_place(struct ctd_line_files *files, uint32_t number, uint64_t address,
			      uint64_t owner)
{
	if (!number)
		return 0;
	if (!files->files[number - 1].owner)
		files->files[number - 1].owner = owner;
	return CTD_FRAME(number, address);
}

bool ctd_line_file_is_as_it_was(const struct ctd_line_file *file)
{
	struct ctd_file_identity identity;
	struct stat status;

	if (fstat(file->fd, &status))
		return false;
	identity = identity_of(&status);
	return !memcmp(&identity, &file->identity, sizeof(identity));
}

void ctd_line_files_free(struct ctd_line_files *files)
{
	for (uint32_t i = 0; i < files->count; i++) {
		ctd_auto_close(&files->files[i].fd);
		free(files->files[i].path);
	}
	free(files->files);
	*files = (struct ctd_line_files){0};
}
