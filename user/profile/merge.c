/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* merge.c - adds stacks to those of another time. */
#include <cgtopdown/stacks.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"

#define NONE UINT32_MAX

/* Where what is in `from` is in `to`. */
struct merging {
	struct ctd_stacks *to;
	const struct ctd_stacks *from;
	uint32_t *functions, *traces; /* owned; NONE: not looked for yet */
	uint32_t *frames; /* owned; of one trace */
};

static void merging_free(struct merging *merging)
{
	free(merging->functions);
	free(merging->traces);
	free(merging->frames);
}

static uint32_t *make_map(size_t count)
{
	uint32_t *map = malloc((count + 1) * sizeof(*map));

	if (map)
		memset(map, 0xff, (count + 1) * sizeof(*map));
	return map;
}

static int prepare(struct merging *merging)
{
	const struct ctd_stacks *from = merging->from;
	uint32_t most = 0;

	for (size_t i = 0; i < from->traces_count; i++)
		if (from->traces[i].frames_count > most)
			most = from->traces[i].frames_count;
	merging->functions = make_map(from->functions_count);
	merging->traces = make_map(from->traces_count);
	merging->frames = make_map(most);
	if (!merging->functions || !merging->traces || !merging->frames)
		return -ENOMEM;
	for (uint32_t i = 0; i < CTD_TRACES_FIXED; i++)
		merging->traces[i] = i;
	return 0;
}

static int find_function(struct merging *merging, uint32_t function, uint32_t *ret_function)
{
	const struct ctd_function *from = &merging->from->functions[function];
	const struct ctd_module *module = &merging->from->modules[from->module];
	uint32_t *found = &merging->functions[function], place = 0;
	int error = 0;

	if (*found == NONE)
		error = ctd_stacks_module(merging->to, module->file, module->build_id,
					  module->kernel, &place);
	if (*found == NONE && !error)
		error = ctd_stacks_function(merging->to, place, from->address, from->name, found);
	*ret_function = *found;
	return error;
}

/* The frame that says that a trace is not complete is made anew. */
static int find_trace(struct merging *merging, uint32_t trace, uint32_t *ret_trace)
{
	const struct ctd_trace *from = &merging->from->traces[trace];
	size_t count = from->frames_count - (from->end != CTD_TRACE_COMPLETE);
	int error = 0;

	*ret_trace = merging->traces[trace];
	if (*ret_trace != NONE)
		return 0;
	for (size_t i = 0; !error && i < count; i++)
		error = find_function(merging, merging->from->frames[from->first + i],
				      &merging->frames[i]);
	if (!error)
		error = ctd_stacks_trace(merging->to, merging->frames, count, from->end,
					 &merging->traces[trace]);
	if (!error)
		*ret_trace = merging->traces[trace];
	return error;
}

int ctd_stacks_merge(struct ctd_stacks *stacks, const struct ctd_stacks *from)
{
	__attribute__((cleanup(merging_free))) struct merging merging = {.to = stacks,
									 .from = from};
	int error = 0;

	if (stacks->counters_count != from->counters_count ||
	    stacks->groups_count != from->groups_count)
		return -EBADMSG;
	if (prepare(&merging))
		return -ENOMEM;
	stacks->period_ns = from->period_ns;
	stacks->event = from->event;
	for (size_t i = 0; !error && i < from->stacks_count; i++) {
		struct ctd_stack stack = from->stacks[i];

		error = find_trace(&merging, from->stacks[i].trace, &stack.trace);
		if (!error)
			error = ctd_stacks_add(stacks, &stack);
	}
	return error;
}
