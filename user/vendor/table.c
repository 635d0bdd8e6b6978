/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* table.c - events and metrics by name, with all their strings in one place. */
#include "vendor/table.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/hash.h"
#include "base/intern.h"

/* The largest core has some 2,000 events and 400 metrics. */
#define EVENTS_MAX 20000
#define METRICS_MAX 5000
#define NOTES_MAX 200
#define CHUNK_BYTES ((size_t)64 << 10)
#define NAME_BYTES 256

struct chunk {
	struct chunk *next;
	size_t used, room;
	char text[];
};

struct ctd_vendor_store {
	struct chunk *chunks; /* owned; the newest first */
	struct ctd_intern events, metrics;
};

/* Arm has "percent of slots". */
bool ctd_vendor_is_percent(const struct ctd_vendor_metric *metric)
{
	return strchr(metric->unit, '%') || strncmp(metric->unit, "percent", 7) == 0;
}

int ctd_vendor_table_new(struct ctd_vendor_table *ret_table)
{
	struct ctd_vendor_table table = {.format = CTD_VENDOR_FORMATS, .where = "", .slots = NAN};

	table.store = calloc(1, sizeof(*table.store));
	if (!table.store)
		return -ENOMEM;
	*ret_table = table;
	return 0;
}

void ctd_vendor_table_free(struct ctd_vendor_table *table)
{
	struct ctd_vendor_store *store = table->store;

	for (struct chunk *chunk = store ? store->chunks : NULL, *next; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	if (store) {
		ctd_intern_free(&store->events);
		ctd_intern_free(&store->metrics);
	}
	free(store);
	free(table->events);
	free(table->metrics);
	free(table->notes);
	*table = (struct ctd_vendor_table){0};
}

static char *take_room(struct ctd_vendor_store *store, size_t bytes)
{
	struct chunk *chunk = store->chunks;

	if (!chunk || chunk->room - chunk->used < bytes) {
		size_t room = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;

		chunk = malloc(sizeof(*chunk) + room);
		if (!chunk)
			return NULL;
		*chunk = (struct chunk){.next = store->chunks, .room = room};
		store->chunks = chunk;
	}
	chunk->used += bytes;
	return chunk->text + chunk->used - bytes;
}

const char *ctd_vendor_keep(struct ctd_vendor_table *table, const char *text)
{
	size_t bytes = strlen(text) + 1;
	char *kept;

	if (bytes == 1)
		return "";
	kept = take_room(table->store, bytes);
	if (!kept)
		return NULL;
	memcpy(kept, text, bytes);
	for (char *at = strpbrk(kept, "\t\r\n"); at; at = strpbrk(at, "\t\r\n"))
		*at = ' ';
	return kept;
}

/* Of the name in lower case. */
static uint64_t hash_of(const char *name)
{
	char lower[NAME_BYTES];
	size_t bytes = 0;

	for (; bytes < sizeof(lower) && name[bytes]; bytes++)
		lower[bytes] = (char)tolower((unsigned char)name[bytes]);
	return ctd_hash(lower, bytes);
}

struct wanted {
	const struct ctd_vendor_table *table;
	const char *name;
};

static bool is_event(size_t index, const void *context)
{
	const struct wanted *wanted = context;

	return strcasecmp(wanted->table->events[index].name, wanted->name) == 0;
}

static bool is_metric(size_t index, const void *context)
{
	const struct wanted *wanted = context;

	return strcasecmp(wanted->table->metrics[index].name, wanted->name) == 0;
}

struct ctd_vendor_event *ctd_vendor_change_event(struct ctd_vendor_table *table, const char *name)
{
	const struct wanted wanted = {table, name};
	size_t index = ctd_intern_find(&table->store->events, hash_of(name), is_event, &wanted);

	return index < table->events_count ? &table->events[index] : NULL;
}

const struct ctd_vendor_event *ctd_vendor_find_event(const struct ctd_vendor_table *table,
						     const char *name)
{
	return ctd_vendor_change_event((struct ctd_vendor_table *)table, name);
}

int ctd_vendor_find_metric(const struct ctd_vendor_table *table, const char *name)
{
	const struct wanted wanted = {table, name};
	size_t index = ctd_intern_find(&table->store->metrics, hash_of(name), is_metric, &wanted);

	return index < table->metrics_count ? (int)index : -1;
}

struct ctd_vendor_metric *ctd_vendor_change_metric(struct ctd_vendor_table *table, const char *name)
{
	int index = ctd_vendor_find_metric(table, name);

	return index < 0 ? NULL : &table->metrics[index];
}

/* Room for one more element, in a row that doubles. @return 0 or -ENOMEM. */
static int grow(void **row, size_t count, size_t bytes)
{
	void *larger;

	if (count & (count - 1) || (count && count < 64))
		return 0;
	larger = reallocarray(*row, count ? 2 * count : 64, bytes);
	if (!larger)
		return -ENOMEM;
	*row = larger;
	return 0;
}

static bool same_encoding(const struct ctd_vendor_event *a, const struct ctd_vendor_event *b)
{
	return a->config == b->config && a->config1 == b->config1 && a->config2 == b->config2;
}

int ctd_vendor_add_event(struct ctd_vendor_table *table, const char *file,
			 const struct ctd_vendor_event *event)
{
	struct ctd_vendor_event *old;
	int r;

	if (!event->name || !event->description)
		return -ENOMEM;
	old = ctd_vendor_change_event(table, event->name);
	if (old) {
		if (old->of_architecture || (old->lack && !event->lack))
			*old = *event;
		else if (!event->lack && !event->of_architecture && !same_encoding(old, event))
			ctd_vendor_note(
				table, file, event->name,
				"the event is there twice, with other codes: the first is taken");
		return 0;
	}
	if (table->events_count == EVENTS_MAX)
		return -E2BIG;
	r = grow((void **)&table->events, table->events_count, sizeof(*event));
	if (r == 0)
		r = ctd_intern_reserve(&table->store->events);
	if (r)
		return r;
	assert(table->events);
	table->events[table->events_count++] = *event;
	ctd_intern_add(&table->store->events, hash_of(event->name));
	return 0;
}

static bool is_kept(const struct ctd_vendor_metric *metric)
{
	return metric->name && metric->description && metric->expression && metric->threshold &&
	       metric->unit && metric->groups && metric->sample_with && metric->next &&
	       metric->constraint && metric->no_group && metric->show_events &&
	       metric->parent_name && metric->file;
}

int ctd_vendor_add_metric(struct ctd_vendor_table *table, const struct ctd_vendor_metric *metric)
{
	struct ctd_vendor_metric *old;
	int r;

	if (!is_kept(metric))
		return -ENOMEM;
	old = ctd_vendor_change_metric(table, metric->name);
	if (old) {
		if (strcmp(old->expression, metric->expression) != 0)
			ctd_vendor_note(table, metric->file, metric->name,
					"the metric is there twice: the first is taken");
		return 0;
	}
	if (table->metrics_count == METRICS_MAX)
		return -E2BIG;
	r = grow((void **)&table->metrics, table->metrics_count, sizeof(*metric));
	if (r == 0)
		r = ctd_intern_reserve(&table->store->metrics);
	if (r)
		return r;
	assert(table->metrics);
	table->metrics[table->metrics_count++] = *metric;
	ctd_intern_add(&table->store->metrics, hash_of(metric->name));
	return 0;
}

void ctd_vendor_note(struct ctd_vendor_table *table, const char *file, const char *entry,
		     const char *format, ...)
{
	struct ctd_vendor_note note;
	char reason[NAME_BYTES];
	va_list arguments;

	if (table->notes_count == NOTES_MAX) {
		table->notes_lost++;
		return;
	}
	va_start(arguments, format);
	vsnprintf(reason, sizeof(reason), format, arguments);
	va_end(arguments);
	note = (struct ctd_vendor_note){ctd_vendor_keep(table, file), ctd_vendor_keep(table, entry),
					ctd_vendor_keep(table, reason)};
	if (!note.file || !note.entry || !note.reason ||
	    grow((void **)&table->notes, table->notes_count, sizeof(note)))
		table->notes_lost++;
	else
		table->notes[table->notes_count++] = note;
}
