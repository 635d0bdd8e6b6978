/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* processes.c - what the processes that were sampled have mapped. */
#include "profile/namer/processes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/clock.h"
#include "base/search.h"
#include "profile/executable/executables.h"
#include "profile/executable/jit.h"
#include "profile/executable/mappings.h"

#define PROCESSES_MAX 8192
/* Above that, those that were not sampled for so many rounds, some five seconds, are forgotten. */
#define PROCESSES_MANY 2048
#define IDLE_ROUNDS 25
/* Their mappings fill the kernel's array of them long before: nobody new would have tables. */
#define MAPPINGS_MANY (CTD_MAPPINGS_MAX / 2)
#define MAPPINGS_TOO_MANY ((size_t)CTD_MAPPINGS_MAX * 3 / 4)
/* How long a process that was read is not read again: at least, at most, and so many times the CPU
 * time that the reading took. */
#define WAIT_LEAST_NS 200000000ull
#define WAIT_MOST_NS 60000000000ull
#define WAIT_FACTOR 100
/* Until a process that is in the middle of an exec has mapped its program. */
#define EXEC_NS 1000000ull
#define READS_PER_ROUND 16
/* When so many are known by the kernel's word they are learnt anew. */
#define FILES_MAX 16384
/* Of one process, at most. */
#define MAPPINGS_BYTES_MAX (CTD_PROCESS_MAPPINGS_MAX * sizeof(struct ctd_mapping))

typedef bool is_process(const struct ctd_processes *, const struct ctd_known_process *);

static void drop_map(struct ctd_processes *processes, struct ctd_known_process *process)
{
	processes->maps_bytes -= ctd_symbols_bytes(&process->jit);
	ctd_symbols_free(&process->jit);
}

static void process_free(struct ctd_processes *processes, struct ctd_known_process *process)
{
	processes->mappings_bytes -= process->mappings_count * sizeof(*process->mappings);
	free(process->mappings);
	drop_map(processes, process);
	free(process);
}

static bool is_any(const struct ctd_processes *processes, const struct ctd_known_process *process)
{
	(void)processes;
	(void)process;
	return true;
}

static bool is_idle(const struct ctd_processes *processes, const struct ctd_known_process *process)
{
	return process->used + IDLE_ROUNDS < processes->round;
}

/* Of those that have a map. */
static struct ctd_known_process *oldest(const struct ctd_processes *processes, is_process *may_go)
{
	struct ctd_known_process *found = NULL;
	uint64_t incarnation;
	uintptr_t at;

	for (size_t cursor = 0;
	     ctd_idmap_next(&processes->by_incarnation, &cursor, &incarnation, &at);) {
		struct ctd_known_process *one = (struct ctd_known_process *)at;

		if (one->jit.symbols && may_go(processes, one) &&
		    (!found || one->used < found->used))
			found = one;
	}
	return found;
}

/* @return whether there is room now, if need be as maps of processes that @p may_go were freed. */
static bool make_room(struct ctd_processes *processes, size_t bytes, is_process *may_go)
{
	struct ctd_known_process *process;

	while (processes->mappings_bytes + processes->maps_bytes + bytes >
	       CTD_PROCESSES_BYTES_MAX) {
		process = oldest(processes, may_go);
		if (!process)
			return false;
		drop_map(processes, process);
		processes->maps_evicted++;
	}
	return true;
}

struct ctd_known_process *ctd_processes_find(const struct ctd_processes *processes,
					     uint64_t incarnation)
{
	uintptr_t found;

	if (!ctd_idmap_get(&processes->by_incarnation, incarnation, &found))
		return NULL;
	return (struct ctd_known_process *)found;
}

static bool same_mappings(const struct ctd_known_process *process, const struct ctd_mapping *others,
			  size_t count)
{
	return process->mappings_count == count &&
	       (!count || !memcmp(process->mappings, others, count * sizeof(*others)));
}

/* Puts what was read in the place of what was known. @return whether anything is new. */
static int put_mappings(struct ctd_processes *processes, struct ctd_known_process *process,
			const struct ctd_mappings_facts *facts, bool *ret_new)
{
	size_t bytes = facts->count * sizeof(*process->mappings);
	struct ctd_mapping *mappings;

	process->whole = facts->count && !facts->lacks_numbers;
	process->has_memory = facts->has_memory;
	*ret_new = !same_mappings(process, processes->scratch, facts->count);
	if (!*ret_new)
		return 0;
	mappings = malloc(bytes + 1);
	if (!mappings)
		return -ENOMEM;
	memcpy(mappings, processes->scratch, bytes);
	processes->mappings_bytes += bytes;
	processes->mappings_bytes -= process->mappings_count * sizeof(*mappings);
	free(process->mappings);
	process->mappings = mappings;
	process->mappings_count = facts->count;
	process->version = ++processes->versions;
	return 0;
}

/* If too many wait, it is opened when the process is read again: soon, as after something new. */
static void open_map(struct ctd_processes *processes, struct ctd_known_process *process,
		     bool *ret_new)
{
	int fd;

	if (process->waits)
		return;
	if (processes->waiting_count == CTD_MAPS_WAITING_MAX) {
		*ret_new = true;
		return;
	}
	if (ctd_jit_symbols_open((pid_t)process->tgid, &fd))
		return;
	processes->waiting[processes->waiting_count++] =
		(struct ctd_waiting_map){process->incarnation, fd};
	process->waits = true;
}

/* @return 0, -ENOMEM, -ESRCH or -ENOENT (it is gone), or another negative errno; what is known of
 * it stays. */
static int read_process(struct ctd_processes *processes, struct ctd_known_process *process,
			bool *ret_new)
{
	struct ctd_mappings_facts facts;
	int error = ctd_mappings_read(processes->executables, (pid_t)process->tgid,
				      process->cgroup_id, processes->scratch, &facts);

	if (!error)
		error = put_mappings(processes, process, &facts, ret_new);
	if (!error && process->has_memory)
		open_map(processes, process, ret_new);
	return error;
}

/* Waits from @p now_ns on. @p took_ns: CPU time of the reading. */
static void set_wait(struct ctd_known_process *process, uint64_t took_ns, uint64_t now_ns,
		     uint64_t wait_ns)
{
	if (wait_ns < took_ns * WAIT_FACTOR)
		wait_ns = took_ns * WAIT_FACTOR;
	process->wait_ns = wait_ns < WAIT_MOST_NS ? wait_ns : WAIT_MOST_NS;
	process->again_ns = now_ns + process->wait_ns;
}

int ctd_processes_learn(struct ctd_processes *processes, uint32_t tgid, uint64_t incarnation,
			uint64_t cgroup_id, uint64_t now_ns, struct ctd_known_process **ret_process)
{
	struct ctd_known_process *process = ctd_processes_find(processes, incarnation);
	bool found_new = false, in_exec;
	int error;

	if (process) {
		process->used = processes->round;
		*ret_process = process;
		return 0;
	}
	if (processes->by_incarnation.count >= PROCESSES_MAX ||
	    !make_room(processes, MAPPINGS_BYTES_MAX, is_any)) {
		processes->refused++;
		return -ENOSPC;
	}
	process = calloc(1, sizeof(*process));
	if (!process)
		return -ENOMEM;
	process->incarnation = incarnation;
	process->cgroup_id = cgroup_id;
	process->tgid = tgid;
	process->used = processes->round;
	error = read_process(processes, process, &found_new);
	in_exec = !error && !process->mappings_count;
	processes->read++;
	process->gone = error == -ESRCH || error == -ENOENT;
	processes->gone += process->gone;
	if (error != -ENOMEM)
		error = ctd_idmap_set(&processes->by_incarnation, incarnation, (uintptr_t)process);
	if (error) {
		process_free(processes, process);
		return -ENOMEM;
	}
	/* Whatever it took: most of that was for new files, which are not read again. */
	set_wait(process, 0, now_ns, in_exec ? EXEC_NS : WAIT_LEAST_NS);
	*ret_process = process;
	return 0;
}

int ctd_processes_look_again(struct ctd_processes *processes, struct ctd_known_process *process,
			     uint64_t now_ns)
{
	uint64_t began_ns = ctd_thread_cpu_ns();
	bool found_new = false;
	int error;

	if (now_ns < process->again_ns || process->gone || !processes->reads_left ||
	    !make_room(processes, MAPPINGS_BYTES_MAX, is_any))
		return 0;
	processes->reads_left--;
	processes->read_again++;
	error = read_process(processes, process, &found_new);
	set_wait(process, ctd_thread_cpu_ns() - began_ns, now_ns,
		 found_new ? WAIT_LEAST_NS : 2 * process->wait_ns);
	return error == -ENOMEM ? error : 0;
}

/* Puts a map in the place of the one that was known, if there is room. @return whether anything is
 * new. */
static bool put_map(struct ctd_processes *processes, struct ctd_known_process *process,
		    struct ctd_symbols *map)
{
	struct ctd_symbols old = process->jit;
	size_t bytes = ctd_symbols_bytes(map);
	bool fits;

	/* So the old one is not what makes room. */
	process->jit = (struct ctd_symbols){0};
	processes->maps_bytes -= ctd_symbols_bytes(&old);
	/* What leaves no room for mappings would be freed for the next process. */
	fits = make_room(processes, bytes + MAPPINGS_BYTES_MAX, is_idle);
	process->jit = fits ? *map : old;
	*map = fits ? old : *map;
	processes->maps_bytes += ctd_symbols_bytes(&process->jit);
	processes->maps_refused += !fits;
	return process->jit.symbols_count != old.symbols_count;
}

int ctd_processes_read_map(struct ctd_processes *processes, uint64_t now_ns)
{
	uint64_t began_ns = ctd_thread_cpu_ns();
	auto_ctd_symbols struct ctd_symbols map = {0};
	struct ctd_known_process *process;
	autoclose int fd = -1;
	int error;
	bool found_new;

	if (!processes->waiting_count)
		return 0;
	fd = processes->waiting[0].fd;
	process = ctd_processes_find(processes, processes->waiting[0].incarnation);
	memmove(processes->waiting, processes->waiting + 1,
		--processes->waiting_count * sizeof(*processes->waiting));
	/* It was forgotten meanwhile. */
	if (!process)
		return 1;
	process->waits = false;
	error = ctd_jit_symbols_read(fd, &map);
	if (error)
		return error == -ENOMEM ? error : 1;
	found_new = put_map(processes, process, &map);
	set_wait(process, ctd_thread_cpu_ns() - began_ns, now_ns,
		 found_new ? WAIT_LEAST_NS : process->wait_ns);
	return 1;
}

static const struct ctd_mapping *find_mapping(const struct ctd_known_process *process,
					      uint64_t address)
{
	size_t first = ctd_search_up_to(process->mappings, process->mappings_count,
					sizeof(*process->mappings), address);

	return first && address < process->mappings[first - 1].end ? &process->mappings[first - 1]
								   : NULL;
}

static const struct ctd_executable *executable_of(const struct ctd_processes *processes,
						  uint64_t file, uint32_t *ret_number)
{
	const struct ctd_executable *executable;
	uintptr_t known;

	if (!file || !ctd_idmap_get(&processes->files, file, &known))
		return NULL;
	*ret_number = (uint32_t)(known % CTD_EXECUTABLES_MAX);
	executable = ctd_executables_get(processes->executables, *ret_number);
	return executable && executable->born == known / CTD_EXECUTABLES_MAX ? executable : NULL;
}

static bool ghost_mapping(const struct ctd_processes *processes, const struct ctd_ghost *ghost,
			  struct ctd_mapping *ret_mapping)
{
	struct ctd_mapping mapping = {.start = ghost->start, .end = ghost->end};
	uint64_t bias;

	if (!executable_of(processes, ghost->file, &mapping.executable) ||
	    ctd_executables_bias(processes->executables, mapping.executable, ghost->start,
				 ghost->offset, &bias))
		return false;
	mapping.bias = bias;
	*ret_mapping = mapping;
	return true;
}

bool ctd_processes_mapping(const struct ctd_processes *processes,
			   const struct ctd_known_process *process, uint64_t address,
			   struct ctd_mapping *ret_mapping)
{
	const struct ctd_mapping *mapping = find_mapping(process, address);

	if (mapping)
		*ret_mapping = *mapping;
	for (size_t i = 0; !mapping && i < process->ghosts_count; i++) {
		const struct ctd_ghost *ghost = &process->ghosts[i];

		if (address >= ghost->start && address < ghost->end)
			return ghost_mapping(processes, ghost, ret_mapping);
	}
	return mapping;
}

static void note_ghost(struct ctd_known_process *process, const struct ctd_unwind_request *request)
{
	for (size_t i = 0; i < process->ghosts_count; i++)
		if (process->ghosts[i].start == request->start)
			return;
	if (process->ghosts_count < CTD_GHOSTS_MAX)
		process->ghosts[process->ghosts_count++] = (struct ctd_ghost){
			request->file, request->start, request->end, request->offset};
}

void ctd_processes_note(struct ctd_processes *processes, struct ctd_known_process *process,
			const struct ctd_unwind_request *request)
{
	const struct ctd_mapping *mapping = find_mapping(process, request->pc);
	const struct ctd_executable *executable;

	if (!request->file)
		return;
	if (!process->mappings) {
		note_ghost(process, request);
		return;
	}
	/* Another one at the same address: it has executed another program meanwhile. */
	if (!mapping || mapping->start != request->start || mapping->end != request->end)
		return;
	executable = ctd_executables_get(processes->executables, mapping->executable);
	if (!executable)
		return;
	if (processes->files.count >= FILES_MAX)
		ctd_idmap_free(&processes->files);
	ctd_idmap_set(&processes->files, request->file,
		      executable->born * CTD_EXECUTABLES_MAX + mapping->executable);
}

static bool has_retired(const struct ctd_processes *processes,
			const struct ctd_known_process *process)
{
	for (size_t i = 0; i < process->mappings_count; i++) {
		const struct ctd_mapping *mapping = &process->mappings[i];
		const struct ctd_executable *executable =
			ctd_executables_get(processes->executables, mapping->executable
									    ? mapping->executable
									    : mapping->unread);

		if (executable && executable->state == CTD_EXECUTABLE_RETIRED)
			return true;
	}
	return false;
}

/* Forgets those that @p is_old says. */
static void forget(struct ctd_processes *processes, is_process *is_old)
{
	size_t cursor = 0, count = 0, all = processes->by_incarnation.count;
	uint64_t *old = malloc((all + 1) * sizeof(*old)), incarnation;
	uintptr_t at;

	/* The map must not change while it is walked. Without memory: the next time. */
	while (old && ctd_idmap_next(&processes->by_incarnation, &cursor, &incarnation, &at))
		if (is_old(processes, (struct ctd_known_process *)at))
			old[count++] = incarnation;
	for (size_t i = 0; i < count; i++) {
		struct ctd_known_process *process = ctd_processes_find(processes, old[i]);

		ctd_idmap_remove(&processes->by_incarnation, old[i]);
		process_free(processes, process);
	}
	free(old);
}

static bool was_not_in_last_round(const struct ctd_processes *processes,
				  const struct ctd_known_process *process)
{
	return process->used + 1 < processes->round;
}

static size_t mappings_count(const struct ctd_processes *processes)
{
	return processes->mappings_bytes / sizeof(struct ctd_mapping);
}

void ctd_processes_end_round(struct ctd_processes *processes)
{
	processes->round++;
	processes->reads_left = READS_PER_ROUND;
	if (processes->by_incarnation.count > PROCESSES_MANY ||
	    mappings_count(processes) > MAPPINGS_MANY)
		forget(processes, is_idle);
	if (processes->by_incarnation.count > PROCESSES_MAX / 2 ||
	    mappings_count(processes) > MAPPINGS_TOO_MANY)
		forget(processes, was_not_in_last_round);
	if (ctd_executables_end_round(processes->executables))
		forget(processes, has_retired);
}

void ctd_processes_free(struct ctd_processes *processes)
{
	uint64_t incarnation;
	uintptr_t at;

	for (size_t cursor = 0;
	     ctd_idmap_next(&processes->by_incarnation, &cursor, &incarnation, &at);)
		process_free(processes, (struct ctd_known_process *)at);
	for (size_t i = 0; i < processes->waiting_count; i++)
		close(processes->waiting[i].fd);
	ctd_idmap_free(&processes->by_incarnation);
	ctd_idmap_free(&processes->files);
}
