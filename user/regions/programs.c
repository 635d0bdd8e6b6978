/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* programs.c - keeps the memory of each process that offers regions until its last totals are read.
 */
#include "regions/programs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/clock.h"
#include "base/root.h"
#include "regions/find.h"

struct look {
	struct ctd_region_programs *programs;
	uint32_t pid;
	int error;
};

void ctd_region_cgroup_of(const char *text, char ret_cgroup[CTD_REGION_CGROUP_BYTES])
{
	snprintf(ret_cgroup, CTD_REGION_CGROUP_BYTES, "/");
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *path = strchr(line, ':');

		path = path ? strchr(path + 1, ':') : NULL;
		if (!path || path[1] != '/')
			continue;
		if (strncmp(line, "0::", 3) == 0 ? path[2] && path[2] != '\n'
						 : strcmp(ret_cgroup, "/") == 0)
			snprintf(ret_cgroup, CTD_REGION_CGROUP_BYTES, "%.*s",
				 (int)strcspn(path + 1, "\n"), path + 1);
	}
}

static void name_program(struct ctd_region_program *program)
{
	char text[4 * CTD_REGION_CGROUP_BYTES];

	if (ctd_root_read(program->comm, sizeof(program->comm), "/proc/%u/comm", program->pid) < 0)
		snprintf(program->comm, sizeof(program->comm), "?");
	if (ctd_root_read(text, sizeof(text), "/proc/%u/cgroup", program->pid) < 0)
		*text = '\0';
	ctd_region_cgroup_of(text, program->cgroup);
}

static struct ctd_region_program *find(const struct ctd_region_programs *programs,
				       const struct stat *status)
{
	for (size_t i = 0; i < programs->count; i++)
		if (programs->items[i].device == status->st_dev &&
		    programs->items[i].inode == status->st_ino)
			return &programs->items[i];
	return NULL;
}

static int make_room(struct ctd_region_programs *programs)
{
	size_t capacity = programs->capacity ? 2 * programs->capacity : 8;
	struct ctd_region_program *items;

	if (programs->count < programs->capacity)
		return 0;
	items = realloc(programs->items, capacity * sizeof(*items));
	if (!items)
		return -ENOMEM;
	programs->items = items;
	programs->capacity = capacity;
	return 0;
}

static void close_program(struct ctd_region_program *program)
{
	if (program->fd >= 0)
		close(program->fd);
	program->fd = -1;
}

/* One process is not to take the room of others. */
static bool has_room(const struct ctd_region_programs *programs, uint32_t pid)
{
	size_t count = 0;

	for (size_t i = 0; i < programs->count; i++)
		count += programs->items[i].pid == pid;
	return count < CTD_REGION_FILES_MAX;
}

/* Between memfd_create() and the seal, and then until its magic, a program is not done offering:
 * it is looked at again. @return false: that, or it is a child's, that has its parent's files, or
 * has gone. */
static bool open_program(struct ctd_region_program *program, const char *path)
{
	const char *why = NULL;
	struct ctd_regions_header header;
	int error = ctd_region_file_open(path, &program->fd, &program->bytes, &why);

	if (error == -EAGAIN || error == -ENOENT || error == -ESRCH || error == -EMFILE ||
	    error == -ENFILE)
		return false;
	if (error)
		snprintf(program->why, sizeof(program->why), "%s%s",
			 why ? "" : "open its memory: ", why ? why : strerror(-error));
	else if (pread(program->fd, &header, sizeof(header), 0) != sizeof(header) || !*header.magic)
		return false;
	else
		error = ctd_region_memory_check(&header, program->bytes, &header, program->why);
	if (error) {
		close_program(program);
		return true;
	}
	return header.pid == ctd_region_own_pid(program->pid);
}

/* What it did before it was found is not of the intervals that are shown, or may not be. What it
 * says itself of that is not asked. */
static bool began_before(const struct ctd_region_programs *programs, const struct stat *status)
{
	return !programs->of_command &&
	       (programs->looks <= 1 || ctd_timespec_ns(&status->st_ctim) < programs->begun_ns);
}

static bool take_file(const char *path, const struct stat *status, void *context)
{
	struct look *look = context;
	struct ctd_region_programs *programs = look->programs;
	struct ctd_region_program *known = find(programs, status), program = {
									   .pid = look->pid,
									   .device = status->st_dev,
									   .inode = status->st_ino,
									   .seen = true,
									   .fd = -1,
								   };

	if (known) {
		known->seen = known->seen || known->pid == look->pid;
		/* Not what it did where it was not wanted. */
		known->began_before = known->began_before || (known->seen && known->hidden);
		known->hidden = known->hidden && !known->seen;
		return true;
	}
	if (!has_room(programs, look->pid))
		return true;
	if (programs->count == CTD_REGION_PROGRAMS_MAX) {
		programs->too_many = true;
		return true;
	}
	look->error = make_room(programs);
	if (look->error)
		return false;
	if (!open_program(&program, path)) {
		close_program(&program);
		return true;
	}
	program.began_before = began_before(programs, status);
	name_program(&program);
	programs->items[programs->count++] = program;
	return true;
}

void ctd_region_programs_begin(struct ctd_region_programs *programs)
{
	for (size_t i = 0; i < programs->count; i++)
		programs->items[i].seen = false;
	programs->too_many = false;
	if (!programs->looks++)
		programs->begun_ns = ctd_realtime_coarse_ns();
}

int ctd_region_programs_look(struct ctd_region_programs *programs, uint32_t pid)
{
	struct look look = {.programs = programs, .pid = pid};
	int error = ctd_region_files_each(pid, take_file, &look);

	/* One that is there and may not be looked at this time: its memory can be read. */
	for (size_t i = 0; error == -EACCES && i < programs->count; i++)
		if (programs->items[i].pid == pid && !programs->items[i].hidden)
			programs->items[i].seen = true;
	return error ? error : look.error;
}

static int read_program(struct ctd_region_program *program, size_t sums_max)
{
	autofree void *memory = NULL;
	size_t bytes;
	int error = ctd_region_file_copy(program->fd, program->bytes, &memory, &bytes);

	if (error == -EBADMSG)
		snprintf(program->why, sizeof(program->why), "its memory became shorter");
	if (error)
		return error;
	return ctd_region_sums_read(&program->sums, memory, bytes, sums_max, program->why);
}

int ctd_region_programs_read(struct ctd_region_programs *programs)
{
	size_t others = 0;

	for (size_t i = 0; i < programs->count; i++)
		others += programs->items[i].sums.count;
	for (size_t i = 0; i < programs->count; i++) {
		struct ctd_region_program *program = &programs->items[i];
		int error;

		if (program->fd < 0)
			continue;
		others -= program->sums.count;
		program->sums.from_now = program->began_before;
		error = read_program(program, CTD_REGION_SUMS_MAX - others);
		if (error == -ENOMEM)
			return error;
		if (error == -EBADMSG) {
			close_program(program);
			ctd_region_sums_free(&program->sums);
		}
		others += program->sums.count;
		program->began_before = program->began_before && error;
		programs->too_many = programs->too_many || error == -ENOSPC;
	}
	return 0;
}

static void free_program(struct ctd_region_program *program)
{
	close_program(program);
	ctd_region_sums_free(&program->sums);
}

struct wanted {
	const struct ctd_region_program *program;
	bool found;
};

static bool compare_file(const char *path, const struct stat *status, void *context)
{
	struct wanted *wanted = context;

	(void)path;
	wanted->found = wanted->program->device == status->st_dev &&
			wanted->program->inode == status->st_ino;
	return !wanted->found;
}

/* Has its process gone, or does it offer nothing any more? */
static bool has_ended(const struct ctd_region_program *program)
{
	struct wanted wanted = {.program = program};
	int error = ctd_region_files_each(program->pid, compare_file, &wanted);

	return error == -ENOENT || error == -ESRCH || (!error && !wanted.found);
}

void ctd_region_programs_done(struct ctd_region_programs *programs)
{
	size_t kept = 0;

	for (size_t i = 0; i < programs->count; i++) {
		struct ctd_region_program *program = &programs->items[i];

		program->hidden = !program->seen;
		if (program->hidden && has_ended(program)) {
			free_program(program);
			continue;
		}
		ctd_region_sums_done(&program->sums);
		programs->items[kept++] = *program;
	}
	programs->count = kept;
}

void ctd_region_programs_free(struct ctd_region_programs *programs)
{
	for (size_t i = 0; i < programs->count; i++)
		free_program(&programs->items[i]);
	free(programs->items);
	*programs = (struct ctd_region_programs){0};
}
