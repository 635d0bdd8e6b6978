/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* programs.c - keeps the memory of each process that offers regions until its last totals are read.
 */
#include "regions/programs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

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

static void unmap(struct ctd_region_program *program)
{
	if (program->memory)
		munmap((void *)(uintptr_t)program->memory, program->bytes);
	program->memory = NULL;
}

/* @return false: it is a child's, that has its parent's files, or has gone. */
static bool open_program(struct ctd_region_program *program, uint64_t begun_ns, const char *path)
{
	const char *why = NULL;
	struct ctd_regions_header header;
	int error = ctd_region_file_map(path, &program->memory, &program->bytes, &why);

	if (error && !why)
		return false;
	if (error)
		snprintf(program->why, sizeof(program->why), "%s", why);
	else
		error = ctd_region_memory_check(program->memory, program->bytes, &header,
						program->why);
	if (error) {
		unmap(program);
		return true;
	}
	program->began_before = header.offered_ns < begun_ns;
	return header.pid == ctd_region_own_pid(program->pid);
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
								   };

	if (known) {
		known->seen = known->seen || known->pid == look->pid;
		return true;
	}
	if (programs->count == CTD_REGION_PROGRAMS_MAX) {
		programs->too_many = true;
		return false;
	}
	look->error = make_room(programs);
	if (look->error)
		return false;
	if (!open_program(&program, programs->begun_ns, path)) {
		unmap(&program);
		return true;
	}
	name_program(&program);
	programs->items[programs->count++] = program;
	return true;
}

void ctd_region_programs_begin(struct ctd_region_programs *programs)
{
	for (size_t i = 0; i < programs->count; i++)
		programs->items[i].seen = false;
	programs->too_many = false;
	if (!programs->begun_ns)
		programs->begun_ns = ctd_realtime_ns();
}

int ctd_region_programs_look(struct ctd_region_programs *programs, uint32_t pid)
{
	struct look look = {.programs = programs, .pid = pid};
	int error = ctd_region_files_each(pid, take_file, &look);

	return error ? error : look.error;
}

int ctd_region_programs_read(struct ctd_region_programs *programs)
{
	size_t others = 0;

	for (size_t i = 0; i < programs->count; i++)
		others += programs->items[i].sums.count;
	for (size_t i = 0; i < programs->count; i++) {
		struct ctd_region_program *program = &programs->items[i];
		int error;

		if (!program->memory)
			continue;
		others -= program->sums.count;
		error = ctd_region_sums_read(&program->sums, program->memory, program->bytes,
					     CTD_REGION_SUMS_MAX - others, program->why);
		if (error == -ENOMEM)
			return error;
		if (error == -EBADMSG) {
			unmap(program);
			ctd_region_sums_free(&program->sums);
		}
		others += program->sums.count;
		/* From a reading on that has all of it. */
		if (program->began_before)
			ctd_region_sums_done(&program->sums);
		program->began_before = program->began_before && error == -EAGAIN;
	}
	return 0;
}

static void free_program(struct ctd_region_program *program)
{
	unmap(program);
	ctd_region_sums_free(&program->sums);
}

void ctd_region_programs_done(struct ctd_region_programs *programs)
{
	size_t kept = 0;

	for (size_t i = 0; i < programs->count; i++) {
		struct ctd_region_program *program = &programs->items[i];

		if (!program->seen) {
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
