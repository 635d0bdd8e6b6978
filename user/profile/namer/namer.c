/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* namer.c - finds the function of a frame in what its process had mapped. */
#include "profile/namer/namer.h"

#include <cgtopdown/profile_abi.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/idmap.h"
#include "base/root.h"
#include "profile/executable/executables.h"
#include "profile/executable/jit.h"
#include "profile/executable/mappings.h"
#include "profile/symbols/demangle.h"
#include "profile/symbols/text_lines.h"

/* For tables and functions of all files. */
/* Of 120,000 functions: 6 MB. */
#define KALLSYMS_BYTES_MAX (64 << 20)
#define EXECUTABLES_BYTES_MAX (64u << 20)
/* Of processes: those that come when so many are known are forgotten with all others. */
#define PROCESSES_MAX 4096

/* What a process had mapped when it was sampled first. */
struct process {
	uint64_t incarnation;
	struct ctd_mapping *mappings; /* owned; by address */
	size_t mappings_count;
	struct ctd_symbols jit; /* owned */
};

struct ctd_namer {
	struct ctd_executables *executables; /* owned */
	struct ctd_symbols kernel; /* owned */
	struct ctd_idmap processes; /* owned, with the processes; by tgid */
	struct ctd_mapping mappings[CTD_PROCESS_MAPPINGS_MAX]; /* scratch */
	struct ctd_strbuf name; /* owned: the answer of the last question */
	char build_id[2 * CTD_BUILD_ID_BYTES_MAX + 1];
};

static void process_free(struct process *process)
{
	if (!process)
		return;
	free(process->mappings);
	ctd_symbols_free(&process->jit);
	free(process);
}

static void forget_processes(struct ctd_namer *namer)
{
	uintptr_t process;
	uint64_t tgid;

	for (size_t cursor = 0; ctd_idmap_next(&namer->processes, &cursor, &tgid, &process);)
		process_free((struct process *)process);
	ctd_idmap_free(&namer->processes);
}

/* Without the right to see addresses, functions of the kernel have no names. */
static int read_kernel(struct ctd_namer *namer)
{
	autofree char *text = NULL;
	char path[CTD_PATH_MAX];
	size_t bytes;

	if (ctd_root_path(path, "/proc/kallsyms") ||
	    ctd_read_file(path, KALLSYMS_BYTES_MAX, &text, &bytes))
		return 0;
	return ctd_kallsyms_parse(text, bytes, &namer->kernel);
}

int ctd_namer_new(struct ctd_namer **ret_namer)
{
	struct ctd_namer *namer = calloc(1, sizeof(*namer));
	int error =
		namer ? ctd_executables_new(EXECUTABLES_BYTES_MAX, &namer->executables) : -ENOMEM;

	if (!error)
		error = read_kernel(namer);
	if (error) {
		ctd_namer_free(namer);
		return error;
	}
	*ret_namer = namer;
	return 0;
}

void ctd_namer_free(struct ctd_namer *namer)
{
	if (!namer)
		return;
	forget_processes(namer);
	ctd_executables_free(namer->executables);
	ctd_symbols_free(&namer->kernel);
	ctd_strbuf_free(&namer->name);
	free(namer);
}

static struct process *find_process(const struct ctd_namer *namer, uint32_t tgid)
{
	uintptr_t found;

	if (!ctd_idmap_get(&namer->processes, tgid, &found))
		return NULL;
	return (struct process *)found;
}

/* A process that is gone already is known, too: it is not looked for again. */
static int read_process(struct ctd_namer *namer, pid_t pid, struct process *process)
{
	int error = ctd_mappings_read(namer->executables, pid, namer->mappings,
				      &process->mappings_count);

	if (!error && process->mappings_count) {
		process->mappings = malloc(process->mappings_count * sizeof(*process->mappings));
		if (!process->mappings)
			return -ENOMEM;
		memcpy(process->mappings, namer->mappings,
		       process->mappings_count * sizeof(*process->mappings));
	}
	if (!error)
		error = ctd_jit_symbols_read(pid, &process->jit);
	return error == -ENOMEM ? error : 0;
}

static int add_process(struct ctd_namer *namer, uint32_t tgid, uint64_t incarnation)
{
	struct process *process = calloc(1, sizeof(*process));
	int error = process ? read_process(namer, (pid_t)tgid, process) : -ENOMEM;

	if (!error)
		error = ctd_idmap_set(&namer->processes, tgid, (uintptr_t)process);
	if (error)
		process_free(process);
	else
		process->incarnation = incarnation;
	return error;
}

/* Another program in the place of one that is known replaces it. */
static int learn(struct ctd_namer *namer, uint32_t tgid, uint64_t incarnation)
{
	struct process *known = find_process(namer, tgid);

	if (known && known->incarnation == incarnation)
		return 0;
	if (known) {
		ctd_idmap_remove(&namer->processes, tgid);
		process_free(known);
	} else if (namer->processes.count >= PROCESSES_MAX) {
		forget_processes(namer);
	}
	return add_process(namer, tgid, incarnation);
}

int ctd_namer_learn(struct ctd_namer *namer, const struct ctd_samples *samples)
{
	for (size_t i = 0; i < samples->samples_count; i++) {
		const struct ctd_sample *sample = &samples->samples[i];
		int error = sample->tgid ? learn(namer, sample->tgid, sample->incarnation) : 0;

		if (error)
			return error;
	}
	return 0;
}

int ctd_namer_mappings(struct ctd_namer *namer, uint32_t tgid, uint64_t incarnation,
		       const struct ctd_mapping **ret_mappings, size_t *ret_count)
{
	int error = learn(namer, tgid, incarnation);
	const struct process *process;

	if (error)
		return error;
	process = find_process(namer, tgid);
	*ret_mappings = process->mappings;
	*ret_count = process->mappings_count;
	return 0;
}

const struct ctd_executables *ctd_namer_executables(const struct ctd_namer *namer)
{
	return namer->executables;
}

static const char *hex(struct ctd_namer *namer, const struct ctd_build_id *build_id)
{
	size_t count = build_id->count;

	for (size_t i = 0; i < count; i++)
		snprintf(&namer->build_id[2 * i], 3, "%02x", build_id->bytes[i]);
	namer->build_id[2 * count] = '\0';
	return namer->build_id;
}

static void take_name(struct ctd_namer *namer, const char *name, struct ctd_frame_name *ret_name)
{
	namer->name.bytes = 0;
	ctd_strbuf_add(&namer->name, "");
	ctd_demangle(&namer->name, name);
	ret_name->name = namer->name.failed ? "" : namer->name.text;
}

static void name_by_symbols(struct ctd_namer *namer, const struct ctd_symbols *symbols,
			    uint64_t address, struct ctd_frame_name *ret_name)
{
	const char *name = "";
	uint64_t start = address;

	if (!ctd_symbols_find(symbols, address, &name, &start))
		return;
	ret_name->address = start;
	if (*name)
		take_name(namer, name, ret_name);
}

static void name_in_file(struct ctd_namer *namer, uint32_t number, uint64_t address,
			 struct ctd_frame_name *ret_name)
{
	const struct ctd_executable *executable = ctd_executables_get(namer->executables, number);

	if (!executable)
		return;
	ret_name->file = executable->path;
	ret_name->build_id = hex(namer, &executable->build_id);
	ret_name->address = address;
	name_by_symbols(namer, &executable->symbols, address, ret_name);
}

static const struct ctd_mapping *find_mapping(const struct process *process, uint64_t address)
{
	for (size_t i = 0; i < process->mappings_count; i++)
		if (address >= process->mappings[i].start && address < process->mappings[i].end)
			return &process->mappings[i];
	return NULL;
}

static void name_in_process(struct ctd_namer *namer, const struct ctd_sample *sample,
			    uint64_t address, struct ctd_frame_name *ret_name)
{
	const struct process *process = find_process(namer, sample->tgid);
	const struct ctd_mapping *mapping;

	if (!process || process->incarnation != sample->incarnation)
		return;
	mapping = find_mapping(process, address);
	if (mapping && mapping->executable) {
		name_in_file(namer, mapping->executable, address - mapping->bias, ret_name);
		return;
	}
	ret_name->file = "[memory]";
	name_by_symbols(namer, &process->jit, address, ret_name);
}

int ctd_namer_name(const struct ctd_sample *sample, uint64_t frame, struct ctd_frame_name *ret_name,
		   void *context)
{
	struct ctd_namer *namer = context;
	uint32_t executable = CTD_FRAME_EXECUTABLE(frame);

	*ret_name = (struct ctd_frame_name){.file = "[unknown]", .build_id = "", .name = ""};
	ret_name->address = CTD_FRAME_ADDRESS(frame);
	if (executable == CTD_FRAME_KERNEL) {
		ret_name->file = "[kernel]";
		ret_name->kernel = true;
		/* One function for all of it, where addresses may not be seen. */
		ret_name->address = 0;
		name_by_symbols(namer, &namer->kernel, frame, ret_name);
	} else if (executable) {
		name_in_file(namer, executable, CTD_FRAME_ADDRESS(frame), ret_name);
	} else {
		name_in_process(namer, sample, CTD_FRAME_ADDRESS(frame), ret_name);
	}
	return namer->name.failed ? -ENOMEM : 0;
}
