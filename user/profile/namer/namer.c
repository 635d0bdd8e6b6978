/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* namer.c - finds the function of a frame in what its process had mapped. */
#include "profile/namer/namer.h"

#include <cgtopdown/profile_abi.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "profile/namer/known_names.h"
#include "profile/symbols/demangle.h"
#include "profile/symbols/kernel.h"

/* For tables and functions of all files: with what processes may have, 64 MB. */
#define EXECUTABLES_BYTES_MAX ((64u << 20) - CTD_PROCESSES_BYTES_MAX)
_Static_assert(EXECUTABLES_BYTES_MAX / 2 > CTD_UNWIND_WORDS_MAX * sizeof(uint32_t) +
						   CTD_RULES_OF_ONE_MAX * sizeof(uint16_t),
	       "the table of one file has room without its functions");
/* What somebody asked for goes before anything else, however much that is sampled. */
#define FIRST_WEIGHT (UINT64_C(1) << 32)

struct ctd_namer {
	struct ctd_executables *executables; /* owned */
	struct ctd_processes processes; /* owned */
	struct ctd_kernel_symbols kernel; /* owned */
	struct ctd_line_files *line_files; /* borrowed; NULL: lines are not wanted */
	ctd_rank_name *rank;
	void *rank_context;
	struct ctd_known_names known_names; /* owned */
	struct ctd_symbol_text text; /* of the last name that was read */
	struct ctd_strbuf name; /* owned: the answer of the last question */
	char build_id[CTD_BUILD_ID_TEXT_BYTES];
};

int ctd_namer_new(struct ctd_namer **ret_namer)
{
	struct ctd_namer *namer = calloc(1, sizeof(*namer));
	int error =
		namer ? ctd_executables_new(EXECUTABLES_BYTES_MAX, &namer->executables) : -ENOMEM;

	if (!error) {
		namer->processes.executables = namer->executables;
		error = ctd_kernel_symbols_follow(&namer->kernel, ctd_monotonic_ns());
	}
	if (error) {
		ctd_namer_free(namer);
		return error;
	}
	ctd_namer_end_round(namer);
	*ret_namer = namer;
	return 0;
}

void ctd_namer_free(struct ctd_namer *namer)
{
	if (!namer)
		return;
	ctd_processes_free(&namer->processes);
	ctd_executables_free(namer->executables);
	ctd_kernel_symbols_free(&namer->kernel);
	ctd_known_names_free(&namer->known_names);
	ctd_strbuf_free(&namer->name);
	free(namer);
}

void ctd_namer_keep_lines(struct ctd_namer *namer, struct ctd_line_files *files)
{
	namer->line_files = files;
	ctd_executables_keep_lines(namer->executables, files);
}

void ctd_namer_see_host(struct ctd_namer *namer, const char *root)
{
	ctd_executables_see_host(namer->executables, root);
}

void ctd_namer_prefer(struct ctd_namer *namer, ctd_rank_name *rank, void *context)
{
	namer->rank = rank;
	namer->rank_context = context;
}

static enum ctd_name_rank rank_of(const struct ctd_namer *namer, uint64_t cgroup_id, uint32_t tgid)
{
	return namer->rank ? namer->rank(cgroup_id, tgid, namer->rank_context) : CTD_NAME_LATER;
}

static enum ctd_name_rank rank_of_sample(const struct ctd_namer *namer,
					 const struct ctd_sample *sample)
{
	return rank_of(namer, sample->cgroup_id, sample->tgid);
}

/* Too many are known: its frames have no names. */
static int learn(struct ctd_namer *namer, uint32_t tgid, uint64_t incarnation, uint64_t cgroup_id,
		 struct ctd_known_process **ret_process)
{
	int error = ctd_processes_learn(&namer->processes, tgid, incarnation, cgroup_id,
					ctd_monotonic_ns(), ret_process);

	return error == -ENOSPC ? 0 : error;
}

static int learn_ranked(struct ctd_namer *namer, const struct ctd_samples *samples,
			enum ctd_name_rank rank)
{
	for (size_t i = 0; i < samples->samples_count; i++) {
		const struct ctd_sample *sample = &samples->samples[i];
		struct ctd_known_process *process;
		int error = 0;

		if (sample->tgid && rank_of_sample(namer, sample) == rank)
			error = learn(namer, sample->tgid, sample->incarnation, sample->cgroup_id,
				      &process);
		if (error)
			return error;
	}
	return 0;
}

/* Does the mapping of a JIT lack the function at an address? */
static bool lacks_function(const struct ctd_known_process *process, uint64_t address)
{
	return !ctd_symbols_find(&process->jit, address);
}

/* Notes which files are waited for. *ret_strange: something is not in what is known of it. */
static void want_frame(struct ctd_namer *namer, const struct ctd_known_process *process,
		       uint64_t frame, uint64_t weight, bool *ret_strange)
{
	uint32_t executable = CTD_FRAME_EXECUTABLE(frame);
	uint64_t address = CTD_FRAME_ADDRESS(frame);
	struct ctd_mapping mapping = {0};

	if (executable == CTD_FRAME_KERNEL)
		return;
	if (!executable && process) {
		bool found = ctd_processes_mapping(&namer->processes, process, address, &mapping);

		executable = mapping.executable ? mapping.executable : mapping.unread;
		*ret_strange |= !found || (!mapping.executable && lacks_function(process, address));
	}
	if (executable)
		ctd_executables_want(namer->executables, executable, weight);
}

static int want_sample(struct ctd_namer *namer, const struct ctd_samples *samples,
		       const struct ctd_sample *sample)
{
	enum ctd_name_rank rank = rank_of_sample(namer, sample);
	uint64_t weight = sample->samples * (rank == CTD_NAME_FIRST ? FIRST_WEIGHT : 1);
	struct ctd_known_process *process;
	bool strange = false;

	if (!sample->tgid || rank == CTD_NAME_NEVER)
		return 0;
	process = ctd_processes_find(&namer->processes, sample->incarnation);
	for (size_t i = 0; i < sample->user_frames; i++)
		want_frame(namer, process,
			   samples->frames[sample->first_frame + sample->kernel_frames + i], weight,
			   &strange);
	return strange ? ctd_processes_look_again(&namer->processes, process, ctd_monotonic_ns())
		       : 0;
}

int ctd_namer_learn(struct ctd_namer *namer, const struct ctd_samples *samples)
{
	int error = ctd_kernel_symbols_follow(&namer->kernel, ctd_monotonic_ns());

	if (!error)
		error = learn_ranked(namer, samples, CTD_NAME_FIRST);
	if (!error)
		error = learn_ranked(namer, samples, CTD_NAME_LATER);
	ctd_executables_begin_wants(namer->executables);
	for (size_t i = 0; i < samples->samples_count && !error; i++)
		error = want_sample(namer, samples, &samples->samples[i]);
	return error;
}

/* One of each, as there may be any number of either. @return as ctd_namer_work(). */
static int read_next(struct ctd_namer *namer)
{
	int map = ctd_processes_read_map(&namer->processes, ctd_monotonic_ns());
	int file = map < 0 ? map : ctd_executables_make(namer->executables);

	return file ? file : map;
}

int ctd_namer_work(struct ctd_namer *namer, uint64_t until_ns)
{
	int got = 1;

	while (got > 0 && ctd_monotonic_ns() < until_ns)
		got = read_next(namer);
	return got;
}

bool ctd_namer_is_behind(const struct ctd_namer *namer)
{
	return namer->processes.waiting_count || ctd_executables_is_behind(namer->executables);
}

void ctd_namer_end_round(struct ctd_namer *namer)
{
	ctd_processes_end_round(&namer->processes);
}

static int look_at(struct ctd_namer *namer, const struct ctd_unwind_request *request)
{
	struct ctd_known_process *process = NULL;
	struct ctd_mapping mapping;
	int error = learn(namer, request->tgid, request->incarnation, request->cgroup_id, &process);

	if (error || !process)
		return error;
	ctd_processes_note(&namer->processes, process, request);
	if (process->whole &&
	    (request->reason != CTD_UNWIND_NO_MAPPING ||
	     ctd_processes_mapping(&namer->processes, process, request->pc, &mapping)))
		return 0;
	return ctd_processes_look_again(&namer->processes, process, ctd_monotonic_ns());
}

int ctd_namer_requests(struct ctd_namer *namer, const struct ctd_unwind_request *requests,
		       size_t count)
{
	for (enum ctd_name_rank rank = CTD_NAME_FIRST; rank > CTD_NAME_NEVER; rank--) {
		for (size_t i = 0; i < count; i++) {
			const struct ctd_unwind_request *request = &requests[i];
			int error = 0;

			if (rank_of(namer, request->cgroup_id, request->tgid) == rank)
				error = look_at(namer, request);
			if (error)
				return error;
		}
	}
	return 0;
}

const struct ctd_known_process *ctd_namer_process(const struct ctd_namer *namer,
						  uint64_t incarnation)
{
	return ctd_processes_find(&namer->processes, incarnation);
}

struct ctd_executables *ctd_namer_executables(const struct ctd_namer *namer)
{
	return namer->executables;
}

void ctd_namer_health(const struct ctd_namer *namer, struct ctd_namer_health *ret_health)
{
	const struct ctd_processes *processes = &namer->processes;

	*ret_health = (struct ctd_namer_health){
		.processes = processes->by_incarnation.count,
		.processes_read = processes->read,
		.processes_read_again = processes->read_again,
		.processes_gone = processes->gone,
		.processes_refused = processes->refused,
		.processes_bytes = processes->mappings_bytes + processes->maps_bytes,
		.maps_evicted = processes->maps_evicted,
		.maps_refused = processes->maps_refused,
	};
	ctd_executables_health(namer->executables, &ret_health->executables);
}

/* @return the name as it is shown, borrowed until the next one. */
static const char *read_name(struct ctd_namer *namer, const struct ctd_symbols *symbols,
			     const struct ctd_symbol *symbol)
{
	const char *known = ctd_known_names_find(&namer->known_names, symbols, symbol);

	if (known)
		return known;
	namer->name.bytes = 0;
	ctd_strbuf_add(&namer->name, "");
	ctd_demangle(&namer->name, ctd_symbols_name(symbols, symbol, &namer->text));
	if (namer->name.failed)
		return "";
	ctd_known_names_keep(&namer->known_names, symbols, symbol, namer->name.text);
	return namer->name.text;
}

static void name_by_symbols(struct ctd_namer *namer, const struct ctd_symbols *symbols,
			    uint64_t address, struct ctd_frame_name *ret_name)
{
	const struct ctd_symbol *symbol = ctd_symbols_find(symbols, address);

	if (!symbol)
		return;
	ret_name->address = symbol->start;
	if (symbol->name)
		ret_name->name = read_name(namer, symbols, symbol);
}

static void name_in_file(struct ctd_namer *namer, const struct ctd_sample *sample, uint32_t number,
			 uint64_t address, struct ctd_frame_name *ret_name)
{
	const struct ctd_executable *executable = ctd_executables_get(namer->executables, number);

	if (!executable)
		return;
	ret_name->file = executable->path;
	ctd_build_id_write(&executable->build_id, namer->build_id);
	ret_name->build_id = namer->build_id;
	ret_name->address = address;
	if (namer->line_files)
		ret_name->place = ctd_line_files_place(namer->line_files, executable->line_file,
						       address, sample->cgroup_id);
	name_by_symbols(namer, &executable->symbols, address, ret_name);
}

static void name_in_process(struct ctd_namer *namer, const struct ctd_sample *sample,
			    uint64_t address, struct ctd_frame_name *ret_name)
{
	const struct ctd_known_process *process =
		ctd_processes_find(&namer->processes, sample->incarnation);
	struct ctd_mapping mapping;

	if (!process || !ctd_processes_mapping(&namer->processes, process, address, &mapping))
		return;
	ret_name->address = address;
	if (mapping.executable) {
		name_in_file(namer, sample, mapping.executable, address - mapping.bias, ret_name);
		return;
	}
	if (mapping.unread)
		name_in_file(namer, sample, mapping.unread, address - mapping.bias, ret_name);
	else
		ret_name->file = "[memory]";
	/* A JIT may have its code in a file, too, which it deleted. */
	name_by_symbols(namer, &process->jit, address, ret_name);
}

int ctd_namer_name(const struct ctd_sample *sample, uint64_t frame, struct ctd_frame_name *ret_name,
		   void *context)
{
	struct ctd_namer *namer = context;
	uint32_t executable = CTD_FRAME_EXECUTABLE(frame);

	/* Without memory for one there may be some for the next. */
	namer->name.failed = false;
	/* One function for all that is in no mapping: where there are no frame pointers, anything
	 * may be taken for one. */
	*ret_name = (struct ctd_frame_name){.file = "[unknown]", .build_id = "", .name = ""};
	if (rank_of_sample(namer, sample) == CTD_NAME_NEVER)
		return 1;
	if (executable == CTD_FRAME_KERNEL) {
		ret_name->file = "[kernel]";
		ret_name->kernel = true;
		/* One function for all of it, where addresses may not be seen. */
		name_by_symbols(namer, &namer->kernel.symbols, frame, ret_name);
	} else if (executable) {
		name_in_file(namer, sample, executable, CTD_FRAME_ADDRESS(frame), ret_name);
	} else {
		name_in_process(namer, sample, CTD_FRAME_ADDRESS(frame), ret_name);
	}
	return namer->name.failed ? -ENOMEM : 0;
}
