/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* trace.c - gathers the samples of one time from the lines of a trace. */
#include "neighbour/trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/hash.h"
#include "base/idmap.h"
#include "base/json_walk.h"
#include "neighbour/trace_line.h"

#define LINES_MAX 100000

struct lines {
	json_t **roots; /* owned, each; the samples' texts are theirs */
	struct ctd_neighbour_sample *samples; /* owned */
	size_t count, capacity;
	uint64_t time_ns;
};

struct ctd_neighbour_trace {
	struct lines now, before;
	struct ctd_neighbour_pair *pairs; /* owned; of the batch that was handed out */
	struct ctd_caches caches; /* that lines have told of */
	struct ctd_neighbour_batch batch;
};

static void clear(struct lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		json_decref(lines->roots[i]);
	lines->count = 0;
}

static int reserve(struct lines *lines)
{
	size_t capacity = lines->capacity ? 2 * lines->capacity : 64;
	void *grown;

	if (lines->count < lines->capacity)
		return 0;
	grown = reallocarray(lines->samples, capacity, sizeof(*lines->samples));
	if (!grown)
		return -ENOMEM;
	lines->samples = grown;
	grown = reallocarray(lines->roots, capacity, sizeof(json_t *));
	if (!grown)
		return -ENOMEM;
	lines->roots = grown;
	lines->capacity = capacity;
	return 0;
}

/* Finds the others that the lines of the batch name. Those without a line of their own are left
 * out. @return 0 or -ENOMEM. */
static int take_pairs(struct ctd_neighbour_trace *trace)
{
	struct lines *lines = &trace->before;
	struct ctd_idmap by_key = {0};
	struct ctd_neighbour_batch *batch = &trace->batch;
	size_t room = 0, i;
	int error = 0;

	for (size_t k = lines->count; !error && k-- > 0;) {
		const char *key = lines->samples[k].names.key;

		room += json_array_size(json_object_get(lines->roots[k], "pairs"));
		error = ctd_idmap_set(&by_key, ctd_hash(key, strlen(key)), k);
	}
	free(trace->pairs);
	trace->pairs = error ? NULL : calloc(room + 1, sizeof(*trace->pairs));
	batch->pairs = trace->pairs;
	batch->pairs_count = 0;
	for (size_t k = 0; trace->pairs && k < lines->count; k++) {
		json_t *element, *pairs = json_object_get(lines->roots[k], "pairs");

		json_array_foreach(pairs, i, element)
		{
			struct ctd_neighbour_pair *pair = &trace->pairs[batch->pairs_count];
			char why[CTD_TRACE_WHY_BYTES];
			const char *key;
			uintptr_t other;

			*pair = (struct ctd_neighbour_pair){.victim = (uint32_t)k};
			if (ctd_trace_take_pair(element, &key, pair, why) ||
			    !ctd_idmap_get(&by_key, ctd_hash(key, strlen(key)), &other))
				continue;
			pair->other = (uint32_t)other;
			batch->pairs_count++;
		}
	}
	ctd_idmap_free(&by_key);
	return trace->pairs ? 0 : -ENOMEM;
}

/* The lines of one time are all there; that the next begins at @p next_ns tells how long it was
 * where no time before does. */
static int complete(struct ctd_neighbour_trace *trace, uint64_t next_ns)
{
	struct lines emptied = trace->before;
	uint64_t since_ns = trace->batch.time_ns;

	clear(&emptied);
	trace->before = trace->now;
	trace->now = emptied;
	trace->batch = (struct ctd_neighbour_batch){
		.time_ns = trace->before.time_ns,
		.window_ns = since_ns ? trace->before.time_ns - since_ns
				      : next_ns - trace->before.time_ns,
		.samples = trace->before.samples,
		.samples_count = trace->before.count,
		.caches = trace->caches.count > 1 ? &trace->caches : NULL,
	};
	return take_pairs(trace);
}

static int add(struct ctd_neighbour_trace *trace, json_t *root,
	       const struct ctd_neighbour_sample *sample, uint64_t time_ns,
	       char why[CTD_TRACE_WHY_BYTES])
{
	struct lines *lines = &trace->now;

	if (lines->count >= LINES_MAX)
		return ctd_trace_refuse(why, "the line", "is one of too many of one time");
	if (reserve(lines))
		return -ENOMEM;
	lines->time_ns = time_ns;
	lines->samples[lines->count] = *sample;
	lines->roots[lines->count++] = json_incref(root);
	return 0;
}

int ctd_neighbour_trace_line(struct ctd_neighbour_trace *trace, const char *line, size_t bytes,
			     const struct ctd_neighbour_batch **ret_batch,
			     char ret_why[CTD_TRACE_WHY_BYTES])
{
	struct ctd_neighbour_sample sample = {0};
	json_error_t problem;
	auto_json json_t *root = json_loadb(line, bytes, JSON_REJECT_DUPLICATES, &problem);
	uint64_t time_ns = 0;
	int error;

	*ret_batch = NULL;
	if (!root)
		return ctd_trace_refuse(ret_why, "no JSON:", problem.text);
	error = ctd_trace_take_line(root, &sample, &trace->caches, &time_ns, ret_why);
	if (error)
		return error;
	if (trace->now.count && time_ns < trace->now.time_ns)
		return ctd_trace_refuse(ret_why, "time", "goes back");
	if (trace->now.count && time_ns > trace->now.time_ns) {
		error = complete(trace, time_ns);
		if (error)
			return error;
		*ret_batch = &trace->batch;
	}
	return add(trace, root, &sample, time_ns, ret_why);
}

const struct ctd_neighbour_batch *ctd_neighbour_trace_end(struct ctd_neighbour_trace *trace)
{
	if (!trace->batch.time_ns || !trace->now.count || complete(trace, 0))
		return NULL;
	return &trace->batch;
}

int ctd_neighbour_trace_new(struct ctd_neighbour_trace **ret_trace)
{
	*ret_trace = calloc(1, sizeof(**ret_trace));
	return *ret_trace ? 0 : -ENOMEM;
}

void ctd_neighbour_trace_free(struct ctd_neighbour_trace *trace)
{
	if (!trace)
		return;
	clear(&trace->now);
	clear(&trace->before);
	free(trace->now.roots);
	free(trace->now.samples);
	free(trace->before.roots);
	free(trace->before.samples);
	free(trace->pairs);
	free(trace);
}
