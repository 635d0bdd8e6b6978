/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* add_samples.c - makes stacks of functions of samples, which are stacks of addresses. */
#include <cgtopdown/stacks.h>

#include <errno.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/intern.h"

#define NO_MODULE 0 /* the first that each set has */
/* The kernel's and the user's part, and a frame that says that one is not complete. */
#define FUNCTIONS_MAX (2 * CTD_STACK_FRAMES_MAX + 1)

/* A frame of one process. */
struct frame {
	uint64_t frame, incarnation;
	uint32_t tgid;
	uint32_t function; /* what it was found to be in */
};

struct adding {
	struct ctd_stacks *stacks;
	ctd_name_frame *name;
	void *context;
	struct ctd_intern known;
	struct frame *frames; /* owned; of `known` */
	size_t capacity;
	uint64_t count[CTD_COUNTS_MAX];
};

static void adding_free(struct adding *adding)
{
	ctd_intern_free(&adding->known);
	free(adding->frames);
}

struct wanted {
	const struct frame *frames, *frame;
};

static bool is_frame(size_t index, const void *context)
{
	const struct wanted *wanted = context;
	const struct frame *a = &wanted->frames[index], *b = wanted->frame;

	return a->frame == b->frame && a->tgid == b->tgid && a->incarnation == b->incarnation;
}

static int ask(struct adding *adding, const struct ctd_sample *sample, uint64_t frame,
	       uint32_t *ret_function)
{
	struct ctd_frame_name name;
	uint32_t module;
	int error = adding->name(sample, frame, &name, adding->context);

	if (!error)
		error = ctd_stacks_module(adding->stacks, name.file, name.build_id, name.kernel,
					  &module);
	if (!error)
		error = ctd_stacks_function(adding->stacks, module, name.address, name.name,
					    ret_function);
	if (!error && name.place)
		error = ctd_stacks_place(adding->stacks, *ret_function,
					 &(struct ctd_function){.place = name.place}, ret_function);
	return error;
}

/* Each frame is asked for once: names take long to find. */
static int find_function(struct adding *adding, const struct ctd_sample *sample, uint64_t frame,
			 uint32_t *ret_function)
{
	struct frame wanted_frame = {
		.frame = frame, .incarnation = sample->incarnation, .tgid = sample->tgid};
	struct wanted wanted = {adding->frames, &wanted_frame};
	uint64_t key[] = {frame, sample->incarnation, sample->tgid};
	uint64_t hash = ctd_hash(key, sizeof(key));
	size_t at = ctd_intern_find(&adding->known, hash, is_frame, &wanted);
	int error;

	if (at < adding->known.count) {
		*ret_function = adding->frames[at].function;
		return 0;
	}
	if (at == adding->capacity) {
		size_t capacity = at ? 2 * at : 256;
		void *larger = reallocarray(adding->frames, capacity, sizeof(*adding->frames));

		if (!larger)
			return -ENOMEM;
		adding->frames = larger;
		adding->capacity = capacity;
	}
	error = ask(adding, sample, frame, &wanted_frame.function);
	if (error || ctd_intern_reserve(&adding->known))
		return error ? error : -ENOMEM;
	adding->frames[at] = wanted_frame;
	ctd_intern_add(&adding->known, hash);
	*ret_function = wanted_frame.function;
	return 0;
}

static int find_functions(struct adding *adding, const struct ctd_sample *sample,
			  const uint64_t *frames, size_t frames_count, uint32_t *functions,
			  size_t *count)
{
	for (size_t i = 0; i < frames_count; i++) {
		int error = find_function(adding, sample, frames[i], &functions[*count]);

		if (error)
			return error;
		(*count)++;
	}
	return 0;
}

/* By frame pointers, nothing tells what is missing. */
static enum ctd_trace_end trace_end(enum ctd_stack_end end)
{
	if (end == CTD_STACK_TRUNCATED)
		return CTD_TRACE_TRUNCATED;
	return end == CTD_STACK_BROKEN ? CTD_TRACE_BROKEN : CTD_TRACE_COMPLETE;
}

static int make_trace(struct adding *adding, const struct ctd_samples *samples,
		      const struct ctd_sample *sample, uint32_t *ret_trace, uint32_t *ret_innermost)
{
	const uint64_t *frames = &samples->frames[sample->first_frame];
	enum ctd_trace_end kernel_end = trace_end(sample->kernel_end);
	enum ctd_trace_end end = sample->user_frames || sample->user_end == CTD_STACK_BROKEN
					 ? trace_end(sample->user_end)
					 : kernel_end;
	uint32_t functions[FUNCTIONS_MAX] = {0};
	size_t count = 0;
	int error =
		find_functions(adding, sample, frames, sample->kernel_frames, functions, &count);

	/* Between the two parts something is missing. */
	if (!error && sample->user_frames && kernel_end != CTD_TRACE_COMPLETE)
		error = ctd_stacks_function(adding->stacks, NO_MODULE, 0,
					    kernel_end == CTD_TRACE_BROKEN ? "[broken]"
									   : "[truncated]",
					    &functions[count++]);
	if (!error)
		error = find_functions(adding, sample, frames + sample->kernel_frames,
				       sample->user_frames, functions, &count);
	if (error)
		return error;
	*ret_innermost = functions[0];
	return ctd_stacks_trace(adding->stacks, functions, count, end, ret_trace);
}

/* Did the window begin in the function in which it ended? */
static int judge_window(struct adding *adding, const struct ctd_sample *sample, uint32_t innermost,
			bool *ret_agrees)
{
	uint32_t begin;
	int error;

	*ret_agrees = false;
	if (!sample->windows || !sample->begin_frame ||
	    !(sample->kernel_frames + sample->user_frames) ||
	    sample->group >= (uint32_t)adding->stacks->groups_count)
		return 0;
	error = find_function(adding, sample, sample->begin_frame, &begin);
	*ret_agrees = !error && adding->stacks->functions[begin].whole ==
					adding->stacks->functions[innermost].whole;
	return error;
}

int ctd_stacks_not_shown(struct ctd_stacks *stacks, uint32_t *ret_trace)
{
	uint32_t function;
	int error = ctd_stacks_function(stacks, NO_MODULE, 0, "[other processes]", &function);

	return error ? error
		     : ctd_stacks_trace(stacks, &function, 1, CTD_TRACE_COMPLETE, ret_trace);
}

static int add_sample(struct adding *adding, const struct ctd_samples *samples,
		      const struct ctd_sample *sample)
{
	uint32_t counters = (uint32_t)adding->stacks->counters_count, innermost = 0;
	struct ctd_stack stack = {
		.cgroup_id = sample->cgroup_id,
		.kind = (enum ctd_row_kind)sample->kind,
		.core_type = sample->core_type,
		.trace = CTD_TRACE_OTHER,
		.samples = sample->samples,
		.count = adding->count,
	};
	bool agrees = false;
	int error = 0;

	if (!sample->other)
		error = make_trace(adding, samples, sample, &stack.trace, &innermost);
	/* Its windows are of what is not shown, whatever functions that has. */
	if (error > 0) {
		error = ctd_stacks_not_shown(adding->stacks, &stack.trace);
		agrees = sample->windows && sample->group < (uint32_t)adding->stacks->groups_count;
	} else if (!error) {
		error = judge_window(adding, sample, innermost, &agrees);
	}
	if (error)
		return error;
	for (uint32_t i = 0; agrees && i < counters; i++)
		adding->count[sample->group * counters + i] = sample->count[i];
	stack.windows = agrees ? sample->windows : 0;
	stack.windows_ns = agrees ? sample->windows_ns : 0;
	error = ctd_stacks_add(adding->stacks, &stack);
	for (uint32_t i = 0; agrees && i < counters; i++)
		adding->count[sample->group * counters + i] = 0;
	return error;
}

int ctd_stacks_add_samples(struct ctd_stacks *stacks, const struct ctd_samples *samples,
			   ctd_name_frame *name, void *context)
{
	__attribute__((cleanup(adding_free))) struct adding adding = {
		.stacks = stacks, .name = name, .context = context};

	for (size_t i = 0; i < samples->samples_count; i++) {
		int error = add_sample(&adding, samples, &samples->samples[i]);

		if (error)
			return error;
	}
	return 0;
}
