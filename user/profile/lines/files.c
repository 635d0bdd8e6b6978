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

#include "base/array.h"
#include "base/auto.h"

/* Of what stands for a file: its number, and above it when it was born. */
#define NUMBER_BITS 16
_Static_assert(CTD_LINE_NUMBERS_MAX < 1 << NUMBER_BITS, "a number has its bits");

static uint32_t open_max(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur / 4 >= CTD_LINE_FILES_MAX)
		return CTD_LINE_FILES_MAX;
	return (uint32_t)limit.rlim_cur / 4;
}

static int find_owner(struct ctd_line_files *files, uint64_t cgroup_id,
		      struct ctd_line_owner **ret_owner)
{
	autofree struct ctd_line_owner *owner = NULL;
	uintptr_t known;

	if (ctd_idmap_get(&files->owners, cgroup_id, &known)) {
		*ret_owner = (struct ctd_line_owner *)known;
		return 0;
	}
	owner = calloc(1, sizeof(*owner));
	if (!owner || ctd_idmap_set(&files->owners, cgroup_id, (uintptr_t)owner))
		return -ENOMEM;
	owner->cgroup_id = cgroup_id;
	*ret_owner = take_ptr(owner);
	return 0;
}

/* It is known while it has files. */
static void forget_owner(struct ctd_line_files *files, struct ctd_line_owner *owner)
{
	if (owner->numbers)
		return;
	ctd_idmap_remove(&files->owners, owner->cgroup_id);
	free(owner);
}

static void give(struct ctd_line_files *files, struct ctd_line_file *file,
		 struct ctd_line_owner *owner)
{
	file->owner = owner;
	owner->open += file->fd >= 0;
	owner->numbers++;
	files->numbers++;
}

static void take_away(struct ctd_line_files *files, struct ctd_line_file *file)
{
	struct ctd_line_owner *owner = take_ptr(file->owner);

	owner->open -= file->fd >= 0;
	owner->numbers--;
	files->numbers--;
	forget_owner(files, owner);
}

/* Of two of one owner: what was not sampled, the oldest; else the newest. */
static bool goes_first(const struct ctd_line_file *one, const struct ctd_line_file *other)
{
	if (one->sampled != other->sampled)
		return !one->sampled;
	return one->sampled ? one->born > other->born : one->born < other->born;
}

/* By one of the owner that has most. */
static void make_room(struct ctd_line_files *files)
{
	struct ctd_line_file *victim = NULL;

	for (uint32_t i = 0; i < files->count; i++) {
		struct ctd_line_file *one = &files->files[i];

		if (one->fd >= 0 && (!victim || one->owner->open > victim->owner->open ||
				     (one->owner == victim->owner && goes_first(one, victim))))
			victim = one;
	}
	if (!victim)
		return;
	close(take_fd(victim->fd));
	free(take_ptr(victim->path));
	victim->owner->open--;
	files->open_count--;
	files->refused++;
	/* Else stacks have the number still. */
	if (!victim->in_stacks)
		take_away(files, victim);
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

static struct ctd_line_file *find(const struct ctd_line_files *files,
				  const struct ctd_file_identity *identity)
{
	for (uint32_t i = 0; i < files->count; i++)
		if (files->files[i].fd >= 0 &&
		    !memcmp(&files->files[i].identity, identity, sizeof(*identity)))
			return &files->files[i];
	return NULL;
}

/* A number that nobody has. @return 0 or -ENOMEM. */
static int free_number(struct ctd_line_files *files, struct ctd_line_file **ret_file)
{
	uint32_t at = 0;

	while (at < files->count && files->files[at].owner)
		at++;
	if (at == files->count && ctd_array_reserve(&files->files, at, 1, sizeof(*files->files)))
		return -ENOMEM;
	files->count += at == files->count;
	files->files[at] = (struct ctd_line_file){.fd = -1};
	*ret_file = &files->files[at];
	return 0;
}

/* Whatever one has had, as much is left for others. */
static bool has_share(const struct ctd_line_files *files, uint64_t cgroup_id)
{
	uintptr_t owner;
	uint32_t numbers = ctd_idmap_get(&files->owners, cgroup_id, &owner)
				   ? ((struct ctd_line_owner *)owner)->numbers
				   : 0;

	return numbers < CTD_LINE_NUMBERS_MAX - files->numbers;
}

static int add(struct ctd_line_files *files, int fd, const char *path, uint64_t cgroup_id,
	       struct ctd_line_file **ret_file)
{
	autofree char *own = strdup(path);
	autoclose int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	struct ctd_line_owner *owner;
	struct ctd_line_file *file;

	if (copy < 0) {
		files->refused++;
		return 0;
	}
	if (!own || free_number(files, &file) || find_owner(files, cgroup_id, &owner))
		return -ENOMEM;
	file->fd = take_fd(copy);
	file->path = take_ptr(own);
	file->born = ++files->births;
	give(files, file, owner);
	files->open_count++;
	*ret_file = file;
	return 0;
}

static uint64_t name_of(const struct ctd_line_files *files, const struct ctd_line_file *file)
{
	return file->born << NUMBER_BITS | (uint64_t)(file - files->files + 1);
}

int ctd_line_files_keep(struct ctd_line_files *files, int fd, const char *path, uint64_t cgroup_id,
			uint64_t *ret_name)
{
	struct ctd_file_identity identity;
	struct ctd_line_file *file;
	struct stat status;
	int error = 0;

	*ret_name = 0;
	if (fstat(fd, &status))
		return 0;
	identity = identity_of(&status);
	/* It was forgotten elsewhere meanwhile. */
	file = find(files, &identity);
	if (!files->open_max)
		files->open_max = open_max();
	if (!file && !has_share(files, cgroup_id)) {
		files->refused++;
		return 0;
	}
	if (!file && files->open_count >= files->open_max)
		make_room(files);
	if (!file)
		error = add(files, fd, path, cgroup_id, &file);
	if (!file)
		return error;
	file->identity = identity;
	*ret_name = name_of(files, file);
	return 0;
}

uint64_t ctd_line_files_place(struct ctd_line_files *files, uint64_t name, uint64_t address,
			      uint64_t cgroup_id)
{
	uint32_t number = name & ((1U << NUMBER_BITS) - 1);
	struct ctd_line_file *file = number ? &files->files[number - 1] : NULL;
	struct ctd_line_owner *owner;

	/* It had to make room meanwhile. */
	if (!file || file->fd < 0 || file->born != name >> NUMBER_BITS)
		return 0;
	if (!file->sampled && !find_owner(files, cgroup_id, &owner) && owner != file->owner) {
		take_away(files, file);
		give(files, file, owner);
	}
	file->sampled = file->in_stacks = true;
	return CTD_FRAME(number, address);
}

void ctd_line_files_end_set(struct ctd_line_files *files)
{
	for (uint32_t i = 0; i < files->count; i++) {
		struct ctd_line_file *file = &files->files[i];

		file->in_stacks = false;
		if (file->owner && file->fd < 0)
			take_away(files, file);
	}
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
		struct ctd_line_file *file = &files->files[i];

		ctd_auto_close(&file->fd);
		free(file->path);
		if (file->owner)
			take_away(files, file);
	}
	ctd_idmap_free(&files->owners);
	free(files->files);
	*files = (struct ctd_line_files){0};
}
