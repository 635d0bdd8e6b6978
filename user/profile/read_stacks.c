/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* read_stacks.c - takes stacks out of the blocks of a recording, believing nothing that they say. */
#include <cgtopdown/recorded_stacks.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/varint.h"
#include "profile/lines/lines.h"
#include "profile/recorded.h"

#define PERIOD_NS_MAX UINT64_C(1000000000000)
#define EVENT_PERIOD_MAX UINT64_C(1000000000000)
#define FRAMES_MAX 1024 /* of a trace */
#define STACKS_MAX (2 * (size_t)CTD_RECORDED_ELEMENTS_MAX)

/* What the recording calls by its number, by what the reader's stacks call it. */
struct table {
	uint32_t *index; /* owned */
	size_t count;
};

struct ctd_stacks_reader {
	struct ctd_stacks *stacks; /* owned; NULL before the first block */
	struct table modules, functions, traces;
	bool wants_lines, has_lines;
	/* Owned; where lines are wanted, all sets before the one at hand, with theirs: the places
	 * of two sets are nowhere equal, but their lines are. NULL: there was none. */
	struct ctd_stacks *sets;
};

/* Where in a payload the reader is. */
struct block {
	struct ctd_stacks_reader *reader;
	const unsigned char *at, *end;
	const char **why;
};

static int bad(const struct block *block, const char *why)
{
	*block->why = why;
	return -EBADMSG;
}

/* A number up to @p max. */
static int take(struct block *block, uint64_t max, uint64_t *ret_value)
{
	uint64_t value;

	if (ctd_varint_take(&block->at, block->end, &value) || value > max)
		return bad(block, "impossible number in a profile");
	*ret_value = value;
	return 0;
}

/* *ret_text: free(3). */
static int take_text(struct block *block, char **ret_text)
{
	uint64_t bytes;
	int error = take(block, CTD_RECORDED_TEXT_MAX, &bytes);

	if (error)
		return error;
	if (bytes > (size_t)(block->end - block->at) || memchr(block->at, '\0', bytes))
		return bad(block, "impossible name in a profile");
	*ret_text = strndup((const char *)block->at, bytes);
	block->at += bytes;
	return *ret_text ? 0 : -ENOMEM;
}

/* Room for one more: no more is allocated than the payload has elements. */
static int reserve(const struct block *block, struct table *table)
{
	if (table->count >= CTD_RECORDED_ELEMENTS_MAX)
		return bad(block, "too much in a profile");
	return ctd_array_reserve(&table->index, table->count, 1, sizeof(*table->index));
}

static int take_module(struct block *block, struct table *modules)
{
	autofree char *file = NULL, *build_id = NULL;
	uint64_t kernel;
	int error = take(block, 1, &kernel);

	if (!error)
		error = take_text(block, &file);
	if (!error)
		error = take_text(block, &build_id);
	return error ? error
		     : ctd_stacks_module(block->reader->stacks, file, build_id, kernel,
					 &modules->index[modules->count]);
}

/* @p table has the one that the next number says. */
static int take_index(struct block *block, const struct table *table, uint32_t *ret_index)
{
	uint64_t number;

	if (take(block, UINT32_MAX, &number) || number >= table->count)
		return bad(block, "reference to nothing in a profile");
	*ret_index = table->index[number];
	return 0;
}

static int take_function(struct block *block, struct table *functions)
{
	autofree char *name = NULL;
	uint64_t address = 0;
	uint32_t module;
	int error = take_index(block, &block->reader->modules, &module);

	if (!error)
		error = take(block, UINT64_MAX, &address);
	if (!error)
		error = take_text(block, &name);
	if (!error)
		error = ctd_stacks_function(block->reader->stacks, module, address, name,
					    &functions->index[functions->count]);
	/* It may be one place of several: its number in the set stands for it. */
	if (!error && block->reader->wants_lines)
		error = ctd_stacks_place(block->reader->stacks, functions->index[functions->count],
					 &(struct ctd_function){.place = functions->count + 1},
					 &functions->index[functions->count]);
	return error;
}

static int take_trace(struct block *block, struct table *traces)
{
	uint32_t functions[FRAMES_MAX];
	uint64_t end, count = 0;
	int error = take(block, CTD_TRACE_BROKEN, &end);

	if (!error)
		error = take(block, FRAMES_MAX, &count);
	for (uint64_t i = 0; !error && i < count; i++)
		error = take_index(block, &block->reader->functions, &functions[i]);
	return error ? error
		     : ctd_stacks_trace(block->reader->stacks, functions, count,
					(enum ctd_trace_end)end, &traces->index[traces->count]);
}

/* Elements with their number ahead of them; each is added to @p table. */
static int take_elements(struct block *block, struct table *table,
			 int (*take_one)(struct block *, struct table *))
{
	uint64_t count;
	int error = take(block, UINT32_MAX, &count);

	for (uint64_t i = 0; !error && i < count; i++) {
		error = reserve(block, table);
		if (!error)
			error = take_one(block, table);
		table->count += !error;
	}
	return error;
}

static int take_windows(struct block *block, struct ctd_stack *stack)
{
	const struct ctd_stacks *stacks = block->reader->stacks;
	int counts = stacks->counters_count * stacks->groups_count;
	int error = take(block, stack->samples, &stack->windows);

	if (error || !stack->windows)
		return error;
	error = take(block, UINT64_MAX, &stack->windows_ns);
	for (int i = 0; !error && i < counts; i++)
		error = take(block, UINT64_MAX, &stack->count[i]);
	return error;
}

static int take_stack(struct block *block)
{
	struct ctd_stacks *stacks = block->reader->stacks;
	uint64_t count[CTD_COUNTS_MAX] = {0}, kind, core_type;
	struct ctd_stack stack = {.count = count};
	int error = take(block, CTD_ROW_KINDS - 1, &kind);

	if (!error)
		error = take(block, kind == CTD_ROW_CGROUP ? UINT64_MAX : 0, &stack.cgroup_id);
	if (!error)
		error = take(block, CTD_CORE_TYPES_MAX - 1, &core_type);
	if (!error)
		error = take_index(block, &block->reader->traces, &stack.trace);
	if (!error)
		error = take(block, UINT64_MAX, &stack.samples);
	if (!error)
		error = take_windows(block, &stack);
	if (error)
		return error;
	stack.kind = (enum ctd_row_kind)kind;
	stack.core_type = (uint32_t)core_type;
	/* Those of cgroups without end that found no room. */
	if (stacks->stacks_count >= STACKS_MAX ||
	    (block->reader->sets && block->reader->sets->stacks_count >= STACKS_MAX))
		return bad(block, "too many cgroups in a profile");
	return ctd_stacks_add(stacks, &stack);
}

static int take_stacks(struct block *block)
{
	uint64_t count;
	int error = take(block, UINT32_MAX, &count);

	for (uint64_t i = 0; !error && i < count; i++)
		error = take_stack(block);
	if (!error && block->at != block->end)
		return bad(block, "impossible size of a profile");
	return error;
}

/* Names of events are in all outputs. */
static bool is_event_name(const char *name)
{
	size_t bytes = strlen(name);

	for (size_t i = 0; i < bytes; i++)
		if (name[i] <= ' ' || name[i] > '~')
			return false;
	return bytes && bytes < sizeof(((struct ctd_stacks_event *)NULL)->name);
}

static int take_event(struct block *block, struct ctd_stacks_event *event)
{
	autofree char *name = NULL;
	uint64_t precision = 0, core_types = 0;
	int error = take_text(block, &name);

	if (!error)
		error = take(block, EVENT_PERIOD_MAX, &event->period);
	if (!error)
		error = take(block, CTD_PRECISIONS - 1, &precision);
	if (!error)
		error = take(block, (UINT64_C(1) << CTD_CORE_TYPES_MAX) - 1, &core_types);
	if (error)
		return error;
	if (!event->period || !core_types || !is_event_name(name))
		return bad(block, "impossible event in a profile");
	event->precision = (enum ctd_precision)precision;
	event->core_types = (uint32_t)core_types;
	strcpy(event->name, name);
	return 0;
}

/* The first block says what the stacks are of; the others say the same. */
static int take_head(struct block *block)
{
	struct ctd_stacks_reader *reader = block->reader;
	struct ctd_stacks_event event = {0};
	uint64_t period_ns, counters, groups;
	int error = take(block, PERIOD_NS_MAX, &period_ns);

	if (!error && !period_ns)
		error = take_event(block, &event);
	if (!error)
		error = take(block, CTD_COUNTERS_MAX, &counters);
	if (!error)
		error = take(block, CTD_GROUPS_MAX, &groups);
	if (error)
		return error;
	if (!groups)
		return bad(block, "impossible sampling in a profile");
	if (!reader->stacks) {
		error = ctd_stacks_new(period_ns, (int)counters, (int)groups, &reader->stacks);
		if (error)
			return error;
		reader->stacks->event = event;
		reader->stacks->elements_max = CTD_RECORDED_ELEMENTS_MAX;
		return 0;
	}
	if (period_ns != reader->stacks->period_ns ||
	    event.period != reader->stacks->event.period ||
	    strcmp(event.name, reader->stacks->event.name) != 0 ||
	    event.core_types != reader->stacks->event.core_types ||
	    (int)counters != reader->stacks->counters_count ||
	    (int)groups != reader->stacks->groups_count)
		return bad(block, "profile that was sampled otherwise");
	return 0;
}

/* The stacks of the set at hand get their lines, and go to those of the sets before. */
static int end_set(struct ctd_stacks_reader *reader, const struct ctd_lines *lines)
{
	struct ctd_stacks *next;
	int error = ctd_stacks_add_lines(reader->stacks, lines, &reader->sets);

	if (!error)
		error = ctd_stacks_new_like(reader->stacks, &next);
	if (error)
		return error;
	ctd_stacks_free(reader->stacks);
	reader->stacks = next;
	reader->modules.count = reader->functions.count = reader->traces.count = 0;
	reader->has_lines |= lines->chains_count;
	return 0;
}

/* What the writer takes for known: all that was read, or nothing, where it begins a new set. */
static int take_known(struct block *block)
{
	struct ctd_stacks_reader *reader = block->reader;
	uint64_t modules, functions, traces;
	int error = take(block, UINT32_MAX, &modules);

	if (!error)
		error = take(block, UINT32_MAX, &functions);
	if (!error)
		error = take(block, UINT32_MAX, &traces);
	if (error)
		return error;
	if (!modules && !functions && !traces && reader->wants_lines)
		error = end_set(reader, &(struct ctd_lines){0});
	if (error)
		return error;
	if (!modules && !functions && !traces)
		reader->modules.count = reader->functions.count = reader->traces.count = 0;
	if (modules != reader->modules.count || functions != reader->functions.count ||
	    traces != reader->traces.count)
		return bad(block, "profile whose beginning is missing");
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
	struct block block = {
		.reader = reader,
		.at = payload,
		.end = (const unsigned char *)payload + bytes,
		.why = ret_why,
	};
	int error = take_head(&block);

	if (!error)
		error = take_known(&block);
	if (!error)
		error = take_elements(&block, &reader->modules, take_module);
	if (!error)
		error = take_elements(&block, &reader->functions, take_function);
	if (!error)
		error = take_elements(&block, &reader->traces, take_trace);
	return error ? error : take_stacks(&block);
}

void ctd_stacks_reader_want_lines(struct ctd_stacks_reader *reader)
{
	reader->wants_lines = true;
}

int ctd_stacks_reader_take_lines(struct ctd_stacks_reader *reader, const void *payload,
				 size_t bytes)
{
	auto_ctd_lines struct ctd_lines lines = {0};
	int damaged, error;

	if (!reader->wants_lines || !reader->stacks)
		return 0;
	damaged = ctd_lines_read(payload, bytes, &lines);
	if (damaged && damaged != -EBADMSG)
		return damaged;
	/* The recording numbers the functions of the set. */
	for (size_t i = 0; i < lines.chains_count; i++)
		lines.chains[i].key = lines.chains[i].key < reader->functions.count
					      ? reader->functions.index[lines.chains[i].key]
					      : UINT64_MAX;
	error = end_set(reader, &lines);
	return error ? error : damaged;
}

int ctd_stacks_reader_add_lines(struct ctd_stacks_reader *reader, bool *ret_any)
{
	int error = end_set(reader, &(struct ctd_lines){0});

	if (error)
		return error;
	ctd_stacks_free(reader->stacks);
	reader->stacks = take_ptr(reader->sets);
	*ret_any = reader->has_lines;
	return 0;
}

void ctd_stacks_reader_clear(struct ctd_stacks_reader *reader)
{
	if (reader->stacks)
		ctd_stacks_clear(reader->stacks);
	if (reader->sets)
		ctd_stacks_clear(reader->sets);
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
	ctd_stacks_free(reader->sets);
	free(reader->modules.index);
	free(reader->functions.index);
	free(reader->traces.index);
	free(reader);
}
