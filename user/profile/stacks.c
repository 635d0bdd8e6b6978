/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* stacks.c - collects stacks, each module, function, trace and stack once. */
#include <cgtopdown/stacks.h>

#include <assert.h>
#include <cgtopdown/functions.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/hash.h"
#include "base/intern.h"

struct ctd_stacks_index {
	struct ctd_intern modules, functions, traces, stacks;
	uint32_t no_module; /* of functions that stand for none */
	uint32_t truncated, broken; /* functions: the frames that end a trace */
};

/* What an element is compared with. */
struct wanted {
	const struct ctd_stacks *stacks;
	const void *element;
	const uint32_t *frames; /* of a trace */
};

/* No room for one more of which there are @p count. */
static bool is_full(const struct ctd_stacks *stacks, size_t count)
{
	return stacks->elements_max && count >= stacks->elements_max;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15) + (hash >> 29);
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
	return mix(hash, ctd_hash(text, strlen(text)));
}

static bool is_module(size_t index, const void *context)
{
	const struct wanted *wanted = context;
	const struct ctd_module *a = &wanted->stacks->modules[index], *b = wanted->element;

	return a->kernel == b->kernel && strcmp(a->file, b->file) == 0 &&
	       strcmp(a->build_id, b->build_id) == 0;
}

int ctd_stacks_module(struct ctd_stacks *stacks, const char *file, const char *build_id,
		      bool kernel, uint32_t *ret_module)
{
	struct ctd_module module = {(char *)file, (char *)build_id, kernel};
	struct wanted wanted = {.stacks = stacks, .element = &module};
	struct ctd_intern *known = &stacks->index->modules;
	uint64_t hash = hash_text(hash_text(kernel, file), build_id);
	size_t at = ctd_intern_find(known, hash, is_module, &wanted);

	if (at == known->count && is_full(stacks, known->count)) {
		at = stacks->index->no_module;
	} else if (at == known->count) {
		autofree char *own_file = strdup(file), *own_id = strdup(build_id);

		if (!own_file || !own_id || ctd_intern_reserve(known) ||
		    ctd_array_reserve(&stacks->modules, stacks->modules_count, 1, sizeof(module)))
			return -ENOMEM;
		ctd_intern_add(known, hash);
		stacks->modules[stacks->modules_count++] =
			(struct ctd_module){take_ptr(own_file), take_ptr(own_id), kernel};
	}
	*ret_module = (uint32_t)at;
	return 0;
}

static bool is_function(size_t index, const void *context)
{
	const struct wanted *wanted = context;
	const struct ctd_function *a = &wanted->stacks->functions[index], *b = wanted->element;

	return a->module == b->module && a->address == b->address && a->place == b->place &&
	       a->line == b->line && a->inlined == b->inlined && !a->source == !b->source &&
	       (!a->source || strcmp(a->source, b->source) == 0) && strcmp(a->name, b->name) == 0;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* "name\0label\0" in one allocation; the label is the name where there is one. */
static char *name_and_label(const struct ctd_module *module, const struct ctd_function *function)
{
	const char *name = function->name;
	char *text;

	/* What a place has more than its function. */
	if (function->source)
		return asprintf(&text, "%s%c%s (%s:%" PRIu32 ")", name, '\0', function->label,
				base_name(function->source), function->line) < 0
			       ? NULL
			       : text;
	if (*name)
		return strdup(name);
	/* What stands for no file has no addresses: "[unknown]". */
	if (*module->file == '[' && !function->address)
		return asprintf(&text, "%c%s", '\0', module->file) < 0 ? NULL : text;
	if (asprintf(&text, "%c%s+0x%" PRIx64, '\0', base_name(module->file), function->address) <
	    0)
		return NULL;
	return text;
}

/* @p function is borrowed, with its texts; of a place `whole` and `label` are those of its
 * function. */
static int find_function(struct ctd_stacks *stacks, struct ctd_function *function, bool is_place,
			 uint32_t *ret_function)
{
	struct wanted wanted = {.stacks = stacks, .element = function};
	struct ctd_intern *known = &stacks->index->functions;
	uint64_t hash = hash_text(mix(function->address, function->module), function->name);
	size_t at;

	if (is_place)
		hash = mix(mix(hash_text(hash, function->source ? function->source : ""),
			       function->place),
			   2 * (uint64_t)function->line + function->inlined);
	at = ctd_intern_find(known, hash, is_function, &wanted);
	assert(function->module < stacks->modules_count);
	if (at == known->count && is_full(stacks, known->count)) {
		at = stacks->frames[stacks->traces[CTD_TRACE_OTHER].first];
	} else if (at == known->count) {
		autofree char *own = name_and_label(&stacks->modules[function->module], function);
		autofree char *source = function->source ? strdup(function->source) : NULL;

		if (!own || (function->source && !source) || ctd_intern_reserve(known) ||
		    ctd_array_reserve(&stacks->functions, stacks->functions_count, 1,
				      sizeof(*function)))
			return -ENOMEM;
		ctd_intern_add(known, hash);
		if (!is_place)
			function->whole = (uint32_t)at;
		function->label = function->source || !*own ? own + strlen(own) + 1 : own;
		function->name = take_ptr(own);
		function->source = take_ptr(source);
		stacks->functions[stacks->functions_count++] = *function;
	}
	*ret_function = (uint32_t)at;
	return 0;
}

int ctd_stacks_function(struct ctd_stacks *stacks, uint32_t module, uint64_t address,
			const char *name, uint32_t *ret_function)
{
	struct ctd_function function = {.module = module, .address = address, .name = (char *)name};

	return find_function(stacks, &function, false, ret_function);
}

int ctd_stacks_place(struct ctd_stacks *stacks, uint32_t whole, const struct ctd_function *place,
		     uint32_t *ret_function)
{
	const struct ctd_function *of = &stacks->functions[whole];
	struct ctd_function function = {
		.module = of->module,
		.whole = whole,
		.address = of->address,
		.name = of->name,
		.label = of->label,
		.place = place->place,
		.source = place->source,
		.line = place->line,
		.start_line = place->start_line,
		.inlined = place->inlined,
	};

	assert(of->whole == whole);
	return find_function(stacks, &function, true, ret_function);
}

static bool is_trace(size_t index, const void *context)
{
	const struct wanted *wanted = context;
	const struct ctd_trace *a = &wanted->stacks->traces[index], *b = wanted->element;

	return a->end == b->end && a->frames_count == b->frames_count &&
	       memcmp(&wanted->stacks->frames[a->first], wanted->frames,
		      a->frames_count * sizeof(*wanted->frames)) == 0;
}

/* The frames are behind those of the traces that there are: they stay if the trace is new. */
static int add_trace(struct ctd_stacks *stacks, size_t frames_count, enum ctd_trace_end end,
		     uint32_t *ret_trace)
{
	const uint32_t *frames = &stacks->frames[stacks->frames_count];
	struct ctd_trace trace = {stacks->frames_count, (uint32_t)frames_count, end};
	struct wanted wanted = {.stacks = stacks, .element = &trace, .frames = frames};
	struct ctd_intern *known = &stacks->index->traces;
	uint64_t hash = mix(ctd_hash(frames, frames_count * sizeof(*frames)), end);
	size_t at = ctd_intern_find(known, hash, is_trace, &wanted);

	if (at == known->count && is_full(stacks, known->count)) {
		at = CTD_TRACE_OTHER;
	} else if (at == known->count) {
		if (ctd_intern_reserve(known) ||
		    ctd_array_reserve(&stacks->traces, stacks->traces_count, 1, sizeof(trace)))
			return -ENOMEM;
		ctd_intern_add(known, hash);
		stacks->traces[stacks->traces_count++] = trace;
		stacks->frames_count += frames_count;
	}
	*ret_trace = (uint32_t)at;
	return 0;
}

int ctd_stacks_trace(struct ctd_stacks *stacks, const uint32_t *functions, size_t functions_count,
		     enum ctd_trace_end end, uint32_t *ret_trace)
{
	size_t count = functions_count;
	uint32_t *frames;

	if (ctd_array_reserve(&stacks->frames, stacks->frames_count, count + 1, sizeof(*frames)))
		return -ENOMEM;
	frames = &stacks->frames[stacks->frames_count];
	if (count)
		memcpy(frames, functions, count * sizeof(*frames));
	/* What has no frame at all has no caller either. */
	if (end == CTD_TRACE_COMPLETE && !count)
		end = CTD_TRACE_BROKEN;
	if (end != CTD_TRACE_COMPLETE)
		frames[count++] = end == CTD_TRACE_TRUNCATED ? stacks->index->truncated
							     : stacks->index->broken;
	return add_trace(stacks, count, end, ret_trace);
}

static bool is_stack(size_t index, const void *context)
{
	const struct wanted *wanted = context;
	const struct ctd_stack *a = &wanted->stacks->stacks[index], *b = wanted->element;

	return a->cgroup_id == b->cgroup_id && a->kind == b->kind && a->core_type == b->core_type &&
	       a->trace == b->trace;
}

/* What has no room is added to what its cgroup has in CTD_TRACE_OTHER, which always has. */
static int add_to_other(struct ctd_stacks *stacks, const struct ctd_stack *stack)
{
	struct ctd_stack other = *stack;

	other.trace = CTD_TRACE_OTHER;
	return ctd_stacks_add(stacks, &other);
}

int ctd_stacks_add(struct ctd_stacks *stacks, const struct ctd_stack *stack)
{
	struct wanted wanted = {.stacks = stacks, .element = stack};
	struct ctd_intern *known = &stacks->index->stacks;
	uint64_t hash =
		mix(mix(mix(stack->trace, stack->cgroup_id), stack->kind), stack->core_type);
	size_t counts = (size_t)stacks->counters_count * (size_t)stacks->groups_count;
	size_t at = ctd_intern_find(known, hash, is_stack, &wanted);
	struct ctd_stack *to;

	assert(stack->trace < stacks->traces_count);
	if (at == known->count && is_full(stacks, known->count) && stack->trace != CTD_TRACE_OTHER)
		return add_to_other(stacks, stack);
	if (at == known->count) {
		autofree uint64_t *count = calloc(counts + 1, sizeof(*count));

		if (!count || ctd_intern_reserve(known) ||
		    ctd_array_reserve(&stacks->stacks, stacks->stacks_count, 1, sizeof(*stack)))
			return -ENOMEM;
		ctd_intern_add(known, hash);
		stacks->stacks[stacks->stacks_count++] = (struct ctd_stack){
			.cgroup_id = stack->cgroup_id,
			.kind = stack->kind,
			.core_type = stack->core_type,
			.trace = stack->trace,
			.count = take_ptr(count),
		};
	}
	to = &stacks->stacks[at];
	to->samples += stack->samples;
	to->windows += stack->windows;
	to->windows_ns += stack->windows_ns;
	for (size_t i = 0; i < counts; i++)
		to->count[i] += stack->count[i];
	return 0;
}

static int add_fixed(struct ctd_stacks *stacks)
{
	static const char *const labels[CTD_TRACES_FIXED] = {
		[CTD_TRACE_NOT_SAMPLED] = CTD_FUNCTION_NOT_SAMPLED,
		[CTD_TRACE_OTHER] = CTD_FUNCTION_OTHER,
	};
	struct ctd_stacks_index *index = stacks->index;
	uint32_t function, trace;

	if (ctd_stacks_module(stacks, "", "", false, &index->no_module) ||
	    ctd_stacks_function(stacks, index->no_module, 0, "[truncated]", &index->truncated) ||
	    ctd_stacks_function(stacks, index->no_module, 0, "[broken]", &index->broken))
		return -ENOMEM;
	for (size_t i = 0; i < CTD_TRACES_FIXED; i++) {
		if (ctd_stacks_function(stacks, index->no_module, 0, labels[i], &function) ||
		    ctd_stacks_trace(stacks, &function, 1, CTD_TRACE_COMPLETE, &trace))
			return -ENOMEM;
		assert(trace == i);
	}
	return 0;
}

int ctd_stacks_new(uint64_t period_ns, int counters_count, int groups_count,
		   struct ctd_stacks **ret_stacks)
{
	struct ctd_stacks *stacks = calloc(1, sizeof(*stacks));

	if (!stacks)
		return -ENOMEM;
	stacks->period_ns = period_ns;
	stacks->counters_count = counters_count;
	stacks->groups_count = groups_count;
	stacks->index = calloc(1, sizeof(*stacks->index));
	if (!stacks->index || add_fixed(stacks)) {
		ctd_stacks_free(stacks);
		return -ENOMEM;
	}
	*ret_stacks = stacks;
	return 0;
}

int ctd_stacks_new_like(const struct ctd_stacks *like, struct ctd_stacks **ret_stacks)
{
	int error = ctd_stacks_new(like->period_ns, like->counters_count, like->groups_count,
				   ret_stacks);

	if (error)
		return error;
	(*ret_stacks)->event = like->event;
	(*ret_stacks)->elements_max = like->elements_max;
	return 0;
}

void ctd_stacks_clear(struct ctd_stacks *stacks)
{
	for (size_t i = 0; i < stacks->stacks_count; i++)
		free(stacks->stacks[i].count);
	stacks->stacks_count = 0;
	ctd_intern_free(&stacks->index->stacks);
}

void ctd_stacks_free(struct ctd_stacks *stacks)
{
	if (!stacks)
		return;
	for (size_t i = 0; i < stacks->modules_count; i++) {
		free(stacks->modules[i].file);
		free(stacks->modules[i].build_id);
	}
	for (size_t i = 0; i < stacks->functions_count; i++) {
		free(stacks->functions[i].name);
		free(stacks->functions[i].source);
	}
	for (size_t i = 0; i < stacks->stacks_count; i++)
		free(stacks->stacks[i].count);
	if (stacks->index) {
		ctd_intern_free(&stacks->index->modules);
		ctd_intern_free(&stacks->index->functions);
		ctd_intern_free(&stacks->index->traces);
		ctd_intern_free(&stacks->index->stacks);
	}
	free(stacks->index);
	free(stacks->modules);
	free(stacks->functions);
	free(stacks->frames);
	free(stacks->traces);
	free(stacks->stacks);
	free(stacks);
}
