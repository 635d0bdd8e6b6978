/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* processes.h - what the processes that were sampled have mapped. */
#ifndef PROFILE_NAMER_PROCESSES_H
#define PROFILE_NAMER_PROCESSES_H

#include <cgtopdown/profile_abi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/idmap.h"
#include "profile/symbols/symbols.h"

struct ctd_executables; /* profile/executable/executables.h */

/* A mapping of a process that was gone before it was read, as the kernel saw it. */
struct ctd_ghost {
	uint64_t file, start, end, offset; /* as in struct ctd_unwind_request */
};
#define CTD_GHOSTS_MAX 4

/* For mappings and maps of JITs of all processes. */
#define CTD_PROCESSES_BYTES_MAX (16u << 20)
/* Maps that wait to be read: each has a file open. */
#define CTD_MAPS_WAITING_MAX 64

struct ctd_known_process {
	uint64_t incarnation;
	uint64_t cgroup_id; /* in which it was when it was learnt */
	uint32_t tgid;
	struct ctd_mapping *mappings; /* owned; by address; none: it was gone or in its exec */
	size_t mappings_count;
	struct ctd_ghost ghosts[CTD_GHOSTS_MAX];
	size_t ghosts_count;
	bool whole; /* it has mappings whose files all have numbers: the kernel may have them */
	bool has_memory; /* there is code of no file */
	bool gone; /* before it was read */
	struct ctd_symbols jit; /* owned */
	bool waits; /* for its map of a JIT, which is open */
	uint64_t version; /* of the mappings: another one each time they are read */
	uint64_t used; /* number of the round in which it was sampled last */
	uint64_t again_ns, wait_ns; /* when it may be read again, and how long it waits then */
};

struct ctd_processes {
	struct ctd_executables *executables; /* borrowed */
	struct ctd_idmap by_incarnation; /* owned, with the processes */
	/* Executables by what the kernel calls their files: learnt from processes that could be
	 * read. A number in the lower bits, above it when it was born. */
	struct ctd_idmap files;
	struct ctd_waiting_map {
		uint64_t incarnation;
		int fd; /* owned */
	} waiting[CTD_MAPS_WAITING_MAX]; /* in the order in which they were opened */
	size_t waiting_count;
	size_t mappings_bytes, maps_bytes; /* of all processes: mappings, maps of JITs */
	uint64_t round, versions;
	uint32_t reads_left; /* in this round, of those that are known */
	uint64_t read, read_again, gone, refused; /* in all */
	uint64_t maps_evicted, maps_refused; /* of JITs, in all */
	struct ctd_mapping scratch[CTD_PROCESS_MAPPINGS_MAX];
};

/* The process, which is read if it is new; its map of a JIT is only opened. One that is gone
 * already is known from then on, too: it is not looked for again. One that could not be read, as we
 * have no descriptor left, is like one in which something new was seen; one in the middle of an exec
 * may be read again in a moment. @return 0, -ENOMEM, or
 * -ENOSPC: too many are known in this round, or there is no room for its mappings. */
int ctd_processes_learn(struct ctd_processes *processes, uint32_t tgid, uint64_t incarnation,
			uint64_t cgroup_id, uint64_t now_ns,
			struct ctd_known_process **ret_process);
/* @return NULL: it is not known. */
struct ctd_known_process *ctd_processes_find(const struct ctd_processes *processes,
					     uint64_t incarnation);
/*
 * Something was seen in it that its mappings do not tell: reads it again, unless that was done a
 * short time ago. The wait doubles, up to a minute, where nothing new is found: a stack may hold
 * anything. @return 0 or -ENOMEM.
 */
int ctd_processes_look_again(struct ctd_processes *processes, struct ctd_known_process *process,
			     uint64_t now_ns);
/*
 * Reads one map of a JIT that was opened. Where there is no room for it, processes that were not
 * sampled lately give theirs up, those sampled longest ago first, and get them again when their code
 * is sampled; if all were sampled lately, it is refused. @return 1, 0 (none waits), or -ENOMEM.
 */
int ctd_processes_read_map(struct ctd_processes *processes, uint64_t now_ns);
/* Learns from a request what the kernel calls a file, or which mapping a process had that is gone.
 * Without memory: nothing. */
void ctd_processes_note(struct ctd_processes *processes, struct ctd_known_process *process,
			const struct ctd_unwind_request *request);
/* The mapping of a process at an address; of one that was gone, as far as the file is known from
 * others. @return whether there is one. */
bool ctd_processes_mapping(const struct ctd_processes *processes,
			   const struct ctd_known_process *process, uint64_t address,
			   struct ctd_mapping *ret_mapping);
/* Every sample so far has its names. Forgets processes that were not sampled for long, where many
 * are known, and those with executables that are gone. */
void ctd_processes_end_round(struct ctd_processes *processes);
void ctd_processes_free(struct ctd_processes *processes);

#endif
