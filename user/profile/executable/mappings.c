/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* mappings.c - what code a process has where, for the unwinder in the kernel. */
#include "profile/executable/mappings.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/auto.h"
#include "profile/process/maps.h"
#include "profile/process/open.h"

#define MAPS_BYTES_MAX (32 << 20)
/* Above it is the kernel's half, where x86-64 shows one more mapping. */
#define USER_END (UINT64_C(1) << CTD_FRAME_ADDRESS_BITS)

/* A process whose mappings are read. */
struct mapping_process {
	pid_t pid;
	int root; /* its root directory */
	uint64_t cgroup_id;
};

/* The text of a process's maps, the caller's. */
static int read_maps(pid_t pid, char **ret_text)
{
	char path[CTD_PATH_MAX];
	size_t bytes;
	int err = ctd_root_path(path, "/proc/%d/maps", (int)pid);

	return err ? err : ctd_read_file(path, MAPS_BYTES_MAX, ret_text, &bytes);
}

/* The kernel maps one and the same into every process of 64 bits, so ours is read. */
static int add_vdso(struct ctd_executables *executables, const struct ctd_map *wanted,
		    uint32_t *ret_number)
{
	autofree char *text = NULL;
	const char *cursor;
	struct ctd_map map;
	size_t bytes;
	int err;

	if (ctd_executables_find_memory(executables, wanted->path, wanted->end - wanted->start,
					ret_number))
		return 0;
	err = ctd_read_file("/proc/self/maps", MAPS_BYTES_MAX, &text, &bytes);
	if (err)
		return err;
	for (cursor = text; ctd_maps_next(&cursor, &map);)
		if (!strcmp(map.path, wanted->path) &&
		    map.end - map.start == wanted->end - wanted->start)
			return ctd_executables_add_memory(executables,
							  (const void *)(uintptr_t)map.start,
							  map.end - map.start, map.path,
							  ret_number);
	return -ENODATA;
}

/* What is mapped there, as a mere name. */
static int name_mapped(const struct mapping_process *process, const struct ctd_map *map,
		       int *ret_fd)
{
	char path[CTD_PATH_MAX];
	int err = ctd_root_path(path, "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, (int)process->pid,
				map->start, map->end);

	if (!err)
		err = ctd_name_file(path, ret_fd);
	/* That takes CAP_CHECKPOINT_RESTORE. The name may mean another file by now. */
	if (err == -EPERM && !map->deleted)
		err = ctd_name_within(process->root, map->path, ret_fd);
	return err;
}

static int add_file(struct ctd_executables *executables, const struct mapping_process *process,
		    const struct ctd_map *map, uint32_t *ret_number)
{
	autoclose int named = -1, fd = -1;
	int err = name_mapped(process, map, &named);

	if (err)
		return err;
	if (ctd_executables_find(executables, named, ret_number))
		return 0;
	err = ctd_open_named(named, CTD_EXECUTABLE_BYTES_MAX, &fd);
	return err ? err
		   : ctd_executables_add(executables, fd, map->path, process->root,
					 process->cgroup_id, ret_number);
}

/* A file that is no executable, or that may not be read. Its path is better than none. */
static int name_unread(struct ctd_executables *executables, const struct ctd_map *map,
		       struct ctd_mapping *mapping)
{
	int got = ctd_executables_add_unread(executables, map->path, &mapping->unread);

	if (got >= 0)
		mapping->bias = map->start - map->offset;
	return got;
}

/* @return 0, also where nothing is known of the file, -ENOMEM, or -ENOSPC: it has no number now. */
static int read_mapping(struct ctd_executables *executables, const struct mapping_process *process,
			const struct ctd_map *map, struct ctd_mapping *ret_mapping)
{
	struct ctd_mapping mapping = {.start = map->start, .end = map->end};
	uint64_t bias;
	int got = -ENODATA;

	if (map->inode)
		got = add_file(executables, process, map, &mapping.executable);
	else if (!strcmp(map->path, "[vdso]"))
		got = add_vdso(executables, map, &mapping.executable);
	if (got < 0 ||
	    ctd_executables_bias(executables, mapping.executable, map->start, map->offset, &bias))
		mapping.executable = 0;
	else
		mapping.bias = bias;
	if (map->inode && !mapping.executable && got != -ENOMEM && got != -ENOSPC)
		got = name_unread(executables, map, &mapping);
	*ret_mapping = mapping;
	return got == -ENOMEM || got == -ENOSPC ? got : 0;
}

static int read_mappings(struct ctd_executables *executables, const struct mapping_process *process,
			 const char *text, struct ctd_mapping *ret_mappings,
			 struct ctd_mappings_facts *facts)
{
	struct ctd_map map;

	for (const char *cursor = text;
	     facts->count < CTD_PROCESS_MAPPINGS_MAX && ctd_maps_next(&cursor, &map);) {
		int err;

		if (map.end > USER_END)
			continue;
		err = read_mapping(executables, process, &map, &ret_mappings[facts->count]);
		if (err == -ENOMEM)
			return err;
		facts->lacks_numbers |= err == -ENOSPC;
		facts->has_memory |= !ret_mappings[facts->count++].executable;
	}
	return 0;
}

int ctd_mappings_read(struct ctd_executables *executables, pid_t pid, uint64_t cgroup_id,
		      struct ctd_mapping ret_mappings[CTD_PROCESS_MAPPINGS_MAX],
		      struct ctd_mappings_facts *ret_facts)
{
	struct ctd_mappings_facts facts = {0};
	autofree char *text = NULL;
	autoclose int root = -1;
	int err;

	err = read_maps(pid, &text);
	if (err)
		return err;
	/* It ended, and nobody has waited for it yet. */
	if (!*text)
		return -ESRCH;
	err = ctd_open_process_root(pid, &root);
	if (err)
		return err;
	err = read_mappings(executables, &(struct mapping_process){pid, root, cgroup_id}, text,
			    ret_mappings, &facts);
	if (err)
		return err;
	*ret_facts = facts;
	return 0;
}
