/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* read_stacks.c - takes stacks out of the blocks of a recording, believing nothing that they say. */
#include <cgtopdown/recorded_stacks.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/varint.h"
#include "profile/recorded.h"

#define PERIOD_NS_MAX UINT64_C(1000000000000)
#define FRAMES_MAX 1024 /* of a trace */

/* What the recording calls by its number, by what the reader's stacks call it. */
struct table {
	uint32_t *index; /* owned */
	size_t count, capacity;
};

struct ctd_stacks_reader {
	struct ctd_stacks *stacks; /* owned; NULL before the first block */
	struct table modules, functions, traces;
};

/* Where in a payload the reader is. */
struct reading {
	struct ctd_stacks_reader *reader;
	const unsigned char *at, *end;
	const char **why;
};

static int bad(const struct reading *reading, const char *why)
{
	*reading->why = why;
	return -EBADMSG;
}

/* A number up to @p max. */
static int take(struct reading *reading, uint64_t max, uint64_t *ret_value)
{
	uint64_t value;

	if (ctd_varint_take(&reading->at, reading->end, &value) || value > max)
		return bad(reading, "impossible number in a profile");
	*ret_value = value;
	return 0;
}

/* *ret_text: free(3). */
static int take_text(struct reading *reading, char **ret_text)
{
	uint64_t bytes;
	int error = take(reading, CTD_RECORDED_TEXT_MAX, &bytes);

	if (error)
		return error;
	if (bytes > (size_t)(reading->end - reading->at) || memchr(reading->at, '\0', bytes))
		return bad(reading, "impossible name in a profile");
	*ret_text = strndup((const char *)reading->at, bytes);
	reading->at += bytes;
	return *ret_text ? 0 : -ENOMEM;
}

/* Room for one more: no more is allocated than the payload has elements. */
static int reserve(const struct reading *reading, struct table *table)
{
	size_t capacity = table->capacity ? 2 * table->capacity : 64;
	uint32_t *index;

	if (table->count >= CTD_RECORDED_ELEMENTS_MAX)
		return bad(reading, "too much in a profile");
	if (table->count < table->capacity)
		return 0;
	index = reallocarray(table->index, capacity, sizeof(*index));
	if (!index)
		return -ENOMEM;
	table->index = index;
	table->capacity = capacity;
	return 0;
}

static int take_module(struct reading *reading, struct table *modules)
{
	autofree char *file = NULL, *build_id = NULL;
	uint64_t kernel;
	int error = take(reading, 1, &kernel);

	if (!error)
		error = take_text(reading, &file);
	if (!error)
		error = take_text(reading, &build_id);
	return error ? error
		     : ctd_stacks_module(reading->reader->stacks, file, build_id, kernel,
					 &modules->index[modules->count]);
}

/* @p table has the one that the next number says. */
static int take_index(struct reading *reading, const struct table *table, uint32_t *ret_index)
{
	uint64_t number;

	if (take(reading, UINT32_MAX, &number) || number >= table->count)
		return bad(reading, "reference to nothing in a profile");
	*ret_index = table->index[number];
	return 0;
}

static int take_function(struct reading *reading, struct table *functions)
{
	autofree char *name = NULL;
	uint64_t address = 0;
	uint32_t module;
	int error = take_index(reading, &reading->reader->modules, &module);

	if (!error)
		error = take(reading, UINT64_MAX, &address);
	if (!error)
		error = take_text(reading, &name);
	return error ? error
		     : ctd_stacks_function(reading->reader->stacks, module, address, name,
					   &functions->index[functions->count]);
}

static int take_trace(struct reading *reading, struct table *traces)
{
	uint32_t functions[FRAMES_MAX];
	uint64_t end, count = 0;
	int error = take(reading, CTD_TRACE_BROKEN, &end);

	if (!error)
		error = take(reading, FRAMES_MAX, &count);
	for (uint64_t i = 0; !error && i < count; i++)
		error = take_index(reading, &reading->reader->functions, &functions[i]);
	return error ? error
		     : ctd_stacks_trace(reading->reader->stacks, functions, count,
					(enum ctd_trace_end)end, &traces->index[traces->count]);
}

/* Elements with their number ahead of them; each is added to @p table. */
static int take_elements(struct reading *reading, struct table *table,
			 int (*take_one)(struct reading *, struct table *))
{
	uint64_t count;
	int error = take(reading, UINT32_MAX, &count);

	for (uint64_t i = 0; !error && i < count; i++) {
		error = reserve(reading, table);
		if (!error)
			error = take_one(reading, table);
		table->count += !error;
	}
	return error;
}

static int take_windows(struct reading *reading, struct ctd_stack *stack)
{
	const struct ctd_stacks *stacks = reading->reader->stacks;
	int counts = stacks->counters_count * stacks->groups_count;
	int error = take(reading, stack->samples, &stack->windows);

	if (error || !stack->windows)
		return error;
	error = take(reading, UINT64_MAX, &stack->windows_ns);
	for (int i = 0; !error && i < counts; i++)
		error = take(reading, UINT64_MAX, &stack->count[i]);
	return error;
}

static int take_stack(struct reading *reading)
{
	struct ctd_stacks *stacks = reading->reader->stacks;
	uint64_t count[CTD_COUNTS_MAX] = {0}, kind, core_type;
	struct ctd_stack stack = {.count = count};
	int error = take(reading, CTD_ROW_KINDS - 1, &kind);

	if (!error)
		error = take(reading, kind == CTD_ROW_CGROUP ? UINT64_MAX : 0, &stack.cgroup_id);
	if (!error)
		error = take(reading, CTD_CORE_TYPES_MAX - 1, &core_type);
	if (!error)
		error = take_index(reading, &reading->reader->traces, &stack.trace);
	if (!error)
		error = take(reading, UINT64_MAX, &stack.samples);
	if (!error)
		error = take_windows(reading, &stack);
	if (error)
		return error;
	stack.kind = (enum ctd_row_kind)kind;
	stack.core_type = (uint32_t)core_type;
	/* Those of cgroups without end that found no room. */
	if (stacks->stacks_count >= 2 * (size_t)CTD_RECORDED_ELEMENTS_MAX)
		return bad(reading, "too many cgroups in a profile");
	return ctd_stacks_add(stacks, &stack);
}

static int take_stacks(struct reading *reading)
{
	uint64_t count;
	int error = take(reading, UINT32_MAX, &count);

	for (uint64_t i = 0; !error && i < count; i++)
		error = take_stack(reading);
	if (!error && reading->at != reading->end)
		return bad(reading, "impossible size of a profile");
	return error;
}

/* The first block says what the stacks are of; the others say the same. */
static int take_head(struct reading *reading)
{
	struct ctd_stacks_reader *reader = reading->reader;
	uint64_t period_ns, counters, groups;
	int error = take(reading, PERIOD_NS_MAX, &period_ns);

	if (!error)
		error = take(reading, CTD_COUNTERS_MAX, &counters);
	if (!error)
		error = take(reading, CTD_GROUPS_MAX, &groups);
	if (error)
		return error;
	if (!period_ns || !groups)
		return bad(reading, "impossible sampling in a profile");
	if (!reader->stacks) {
		error = ctd_stacks_new(period_ns, (int)counters, (int)groups, &reader->stacks);
		if (!error)
			reader->stacks->elements_max = CTD_RECORDED_ELEMENTS_MAX;
		return error;
	}
	if (period_ns != reader->stacks->period_ns ||
	    (int)counters != reader->stacks->counters_count ||
	    (int)groups != reader->stacks->groups_count)
		return bad(reading, "profile that was sampled otherwise");
	return 0;
}

/* What the writer takes for known: all that was read, or nothing, where it begins a new set. */
static int take_known(struct reading *reading)
{
	struct ctd_stacks_reader *reader = reading->reader;
	uint64_t modules, functions, traces;
	int error = take(reading, UINT32_MAX, &modules);

	if (!error)
		error = take(reading, UINT32_MAX, &functions);
	if (!error)
		error = take(reading, UINT32_MAX, &traces);
	if (error)
		return error;
	if (!modules && !functions && !traces)
		reader->modules.count = reader->functions.count = reader->traces.count = 0;
	if (modules != reader->modules.count || functions != reader->functions.count ||
	    traces != reader->traces.count)
		return bad(reading, "profile whose beginning is missing");
	return 0;
}

int ctd_stacks_reader_new(struct ctd_stacks_reader **ret_reader)
{
	struct ctd_stacks_reader *reader = calloc(1, sizeof(*reader));

	if (!reader)
		return -ENOMEM;
	*ret_reader = reader;
	return 0;
}

int ctd_stacks_reader_take(struct ctd_stacks_reader *reader, const void *payload, size_t bytes,
			   const char **ret_why)
{
	struct reading reading = {
		.reader = reader,
		.at = payload,
		.end = (const unsigned char *)payload + bytes,
		.why = ret_why,
	};
	int error = take_head(&reading);

	if (!error)
		error = take_known(&reading);
	if (!error)
		error = take_elements(&reading, &reader->modules, take_module);
	if (!error)
		error = take_elements(&reading, &reader->functions, take_function);
	if (!error)
		error = take_elements(&reading, &reader->traces, take_trace);
	return error ? error : take_stacks(&reading);
}

struct ctd_stacks *ctd_stacks_reader_stacks(struct ctd_stacks_reader *reader)
{
	return reader->stacks;
}

void ctd_stacks_reader_free(struct ctd_stacks_reader *reader)
{
	if (!reader)
		return;
	ctd_stacks_free(reader->stacks);
	free(reader->modules.index);
	free(reader->functions.index);
	free(reader->traces.index);
	free(reader);
}
