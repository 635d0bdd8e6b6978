/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* add_lines.c - makes stacks of lines, and of functions that were inlined, of stacks of places. */
#include <cgtopdown/stacks.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "profile/lines/lines.h"

/* With more functions in it, those of the outer frames that were inlined are left out. */
#define FRAMES_MAX 1024

struct adding {
	const struct ctd_stacks *from;
	struct ctd_stacks *to;
	const struct ctd_lines *lines;
	const struct ctd_line_chain **chain_of; /* owned; of each function; NULL: none */
};

static void adding_free(struct adding *adding)
{
	free(adding->chain_of);
}

/* @p function: of what symbols tell. */
static int find_frame(struct adding *adding, const struct ctd_function *function,
		      const struct ctd_line_frame *frame, uint32_t *ret_function)
{
	const struct ctd_module *module = &adding->from->modules[function->module];
	char *const *texts = adding->lines->texts;
	struct ctd_function place = {0};
	uint32_t in;
	int error =
		ctd_stacks_module(adding->to, module->file, module->build_id, module->kernel, &in);

	if (!error)
		error = ctd_stacks_function(
			adding->to, in, frame && frame->name ? 0 : function->address,
			frame && frame->name ? texts[frame->name] : function->name, ret_function);
	if (error || !frame || (!frame->name && !frame->source))
		return error;
	place.source = frame->source ? texts[frame->source] : NULL;
	place.line = frame->line;
	place.start_line = frame->start_line;
	place.inlined = frame->name;
	return ctd_stacks_place(adding->to, *ret_function, &place, ret_function);
}

/* Adds what a frame of a trace stands for to @p frames. */
static int find_frames(struct adding *adding, uint32_t at, size_t room, uint32_t *frames,
		       size_t *count)
{
	const struct ctd_function *function = &adding->from->functions[at];
	const struct ctd_line_chain *chain = adding->chain_of[at];
	const struct ctd_line_frame *its = chain ? &adding->lines->frames[chain->first] : NULL;
	int error = 0;

	if (!chain)
		return find_frame(adding, function, NULL, &frames[(*count)++]);
	for (uint32_t i = chain->count > room ? chain->count - 1 : 0; !error && i < chain->count;
	     i++)
		error = find_frame(adding, function, &its[i], &frames[(*count)++]);
	return error;
}

/* The frame that says that a trace is not complete is made anew. */
static int add_trace(struct adding *adding, uint32_t at, uint32_t *ret_trace)
{
	const struct ctd_trace *trace = &adding->from->traces[at];
	size_t its = trace->frames_count - (trace->end != CTD_TRACE_COMPLETE), count = 0;
	autofree uint32_t *frames = malloc((FRAMES_MAX + its + 1) * sizeof(*frames));
	int error = frames ? 0 : -ENOMEM;

	for (size_t i = 0; !error && i < its; i++)
		error = find_frames(adding, adding->from->frames[trace->first + i],
				    count < FRAMES_MAX ? FRAMES_MAX - count : 1, frames, &count);
	return error ? error : ctd_stacks_trace(adding->to, frames, count, trace->end, ret_trace);
}

static int prepare(struct adding *adding)
{
	const struct ctd_stacks *from = adding->from;

	adding->chain_of = calloc(from->functions_count + 1, sizeof(*adding->chain_of));
	if (!adding->chain_of)
		return -ENOMEM;
	for (size_t i = 0; i < adding->lines->chains_count; i++) {
		const struct ctd_line_chain *chain = &adding->lines->chains[i];

		/* A recording may say anything. */
		if (chain->key < from->functions_count && from->functions[chain->key].place)
			adding->chain_of[chain->key] = chain;
	}
	return 0;
}

int ctd_stacks_add_lines(const struct ctd_stacks *from, const struct ctd_lines *lines,
			 struct ctd_stacks **to)
{
	__attribute__((cleanup(adding_free))) struct adding adding = {.from = from, .lines = lines};
	autofree uint32_t *traces = malloc((from->traces_count + 1) * sizeof(*traces));
	int error = !traces ? -ENOMEM : *to ? 0 : ctd_stacks_new_like(from, to);

	if (!error) {
		adding.to = *to;
		error = prepare(&adding);
	}
	for (uint32_t i = 0; !error && i < from->traces_count; i++) {
		traces[i] = i;
		if (i >= CTD_TRACES_FIXED)
			error = add_trace(&adding, i, &traces[i]);
	}
	for (size_t i = 0; !error && i < from->stacks_count; i++) {
		struct ctd_stack stack = from->stacks[i];

		stack.trace = traces[stack.trace];
		error = ctd_stacks_add(adding.to, &stack);
	}
	return error;
}
