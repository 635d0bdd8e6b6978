/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* read_recorded.c - takes vendors' metrics out of the block of a recording, believing nothing. */
#include "vendor/recorded.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/varint.h"
#include "metric/expr.h"
#include "vendor/counting.h"
#include "vendor/table.h"

/* The largest core has some 400, and each row of a report has a value of each. */
#define COUNTED_MAX 2000

/* Where in a payload the reader is. The first error stays, and what is taken after it is nothing. */
struct reader {
	struct ctd_vendor_recorded *recorded;
	const unsigned char *at, *end;
	int error; /* -ENOMEM, or -EBADMSG with */
	const char *why;
};

static void fail(struct reader *reader, int error, const char *why)
{
	if (reader->error)
		return;
	reader->error = error == -ENOMEM ? error : -EBADMSG;
	reader->why = why;
}

/* A number up to @p max. */
static uint64_t take(struct reader *reader, uint64_t max)
{
	uint64_t value = 0;

	if (reader->error)
		return 0;
	if (ctd_varint_take(&reader->at, reader->end, &value) || value > max) {
		fail(reader, -EBADMSG, "impossible number");
		return 0;
	}
	return value;
}

/* Its bits are written as a number. */
static double take_real(struct reader *reader)
{
	uint64_t bits = take(reader, UINT64_MAX);
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* @return a text that is the table's. */
static const char *take_text(struct reader *reader)
{
	uint64_t bytes = take(reader, CTD_EXPR_BYTES_MAX);
	autofree char *copy = NULL;
	const char *text;

	if (bytes > (size_t)(reader->end - reader->at) || memchr(reader->at, '\0', bytes))
		fail(reader, -EBADMSG, "impossible text");
	if (reader->error)
		return "";
	copy = strndup((const char *)reader->at, bytes);
	reader->at += bytes;
	text = copy ? ctd_vendor_keep(&reader->recorded->table, copy) : NULL;
	if (!text)
		fail(reader, -ENOMEM, NULL);
	return text ? text : "";
}

static void take_name(struct reader *reader, size_t room, char *ret_name)
{
	const char *text = take_text(reader);

	if (strlen(text) < room)
		memcpy(ret_name, text, strlen(text) + 1);
	else
		fail(reader, -EBADMSG, "impossible processor");
}

static void take_core(struct reader *reader, struct ctd_vendor_cpu *cpu,
		      struct ctd_vendor_machine *machine)
{
	struct ctd_vendor_table *table = &reader->recorded->table;

	take_name(reader, sizeof(cpu->id), cpu->id);
	take_name(reader, sizeof(cpu->pmu), cpu->pmu);
	table->arm = take(reader, 1);
	machine->smt = take_real(reader);
	machine->slots = take_real(reader);
	machine->tsc_hz = take_real(reader);
	machine->cpus = take_real(reader);
	machine->persistent_memory = take_real(reader);
	table->slots = take_real(reader);
}

static void take_event(struct reader *reader)
{
	struct ctd_vendor_table *table = &reader->recorded->table;
	struct ctd_vendor_event event = {.description = "", .fixed_counter = -1};
	size_t count = table->events_count;
	int r;

	event.name = take_text(reader);
	event.pmu = take_text(reader);
	event.lack = take_text(reader);
	event.config = take(reader, UINT64_MAX);
	event.config1 = take(reader, UINT64_MAX);
	event.config2 = take(reader, UINT64_MAX);
	event.latency = take_real(reader);
	if (reader->error)
		return;
	if (!*event.pmu)
		event.pmu = NULL;
	if (!*event.lack)
		event.lack = NULL;
	r = ctd_vendor_add_event(table, "", &event);
	/* Of two of one name the second is not added. */
	if (r || table->events_count == count)
		fail(reader, r, "impossible event");
}

static void take_metric(struct reader *reader)
{
	struct ctd_vendor_table *table = &reader->recorded->table;
	struct ctd_vendor_metric metric = {.description = "",
					   .groups = "",
					   .sample_with = "",
					   .next = "",
					   .constraint = "",
					   .no_group = "",
					   .show_events = "",
					   .parent_name = "",
					   .parent = -1,
					   .file = ""};
	size_t count = table->metrics_count;
	int r;

	metric.name = take_text(reader);
	metric.expression = take_text(reader);
	metric.threshold = take_text(reader);
	metric.unit = take_text(reader);
	metric.scale = take_real(reader);
	metric.level = (int)take(reader, INT_MAX);
	if (reader->error)
		return;
	r = ctd_vendor_add_metric(table, &metric);
	if (r || table->metrics_count == count || !isfinite(metric.scale))
		fail(reader, r, "impossible metric");
}

/* As many as their number ahead says. */
static void take_each(struct reader *reader, void (*take_one)(struct reader *))
{
	uint64_t count = take(reader, UINT64_MAX);

	for (uint64_t i = 0; i < count && !reader->error; i++)
		take_one(reader);
}

/* Which of the set's counts: none, if no formula has it. */
static uint32_t find_count(const struct ctd_vendor_set *set, const struct ctd_vendor_count *wanted)
{
	size_t count;
	const struct ctd_vendor_count *counts = ctd_vendor_set_counts(set, &count);

	for (size_t i = 0; i < count; i++)
		if (ctd_vendor_same_count(&counts[i], wanted))
			return (uint32_t)i;
	return CTD_VENDOR_NO_COUNT;
}

static uint32_t take_count(struct reader *reader)
{
	struct ctd_vendor_count count = {0};
	uint64_t who;

	if (!take(reader, 1))
		return CTD_VENDOR_NO_COUNT;
	count.config = take(reader, UINT64_MAX);
	count.config1 = take(reader, UINT64_MAX);
	count.config2 = take(reader, UINT64_MAX);
	who = take(reader, 3);
	count.user_only = who & 1;
	count.kernel_only = who & 2;
	return find_count(reader->recorded->set, &count);
}

static void take_group(struct reader *reader)
{
	struct ctd_vendor_counting *counting = &reader->recorded->counting;
	struct ctd_vendor_group *group = &counting->groups[counting->rotation.groups_count];

	if (counting->rotation.groups_count == CTD_ROTATION_GROUPS_MAX) {
		fail(reader, -EBADMSG, "too many groups");
		return;
	}
	counting->rotation.groups_count++;
	group->events_count = take(reader, (uint64_t)counting->rotation.events_count);
	for (size_t i = 0; i < group->events_count; i++)
		group->counts[i] = take_count(reader);
}

static void take_counted(struct reader *reader)
{
	struct ctd_vendor_counting *counting = &reader->recorded->counting;
	struct ctd_vendor_counted *counted = &counting->metrics[counting->metrics_count];
	size_t metric = take(reader, UINT32_MAX);
	uint64_t parent = take(reader, counting->metrics_count);
	uint64_t group = take(reader, (uint64_t)counting->rotation.groups_count);
	const char *why = take_text(reader);

	if (counting->metrics_count == COUNTED_MAX)
		fail(reader, -EBADMSG, "too many metrics");
	if (metric >= counting->table->metrics_count)
		fail(reader, -EBADMSG, "impossible list of metrics");
	if (reader->error)
		return;
	counting->metrics_count++;
	*counted = (struct ctd_vendor_counted){
		.metric = metric,
		.parent = (int)parent - 1,
		.depth = parent ? counting->metrics[parent - 1].depth + 1 : 0,
		.group = (int)group - 1,
		.why = group ? NULL : strdup(why),
	};
	if (!group && !counted->why)
		fail(reader, -ENOMEM, NULL);
}

static void take_counting(struct reader *reader)
{
	struct ctd_vendor_counting *counting = &reader->recorded->counting;

	counting->table = &reader->recorded->table;
	counting->set = reader->recorded->set;
	counting->groups = calloc(CTD_ROTATION_GROUPS_MAX + 1, sizeof(*counting->groups));
	counting->metrics = calloc(COUNTED_MAX + 1, sizeof(*counting->metrics));
	if (!counting->groups || !counting->metrics) {
		fail(reader, -ENOMEM, NULL);
		return;
	}
	counting->rotation.events_count = (int)take(reader, CTD_COUNTERS_MAX);
	take_each(reader, take_group);
	take_each(reader, take_counted);
	if (reader->at != reader->end)
		fail(reader, -EBADMSG, "more than there can be");
	if (!reader->error && ctd_vendor_counting_prepare(counting))
		fail(reader, -ENOMEM, NULL);
}

static void take_all(struct reader *reader)
{
	struct ctd_vendor_recorded *recorded = reader->recorded;
	struct ctd_vendor_machine machine;
	struct ctd_vendor_cpu cpu = {0};

	take_core(reader, &cpu, &machine);
	take_each(reader, take_event);
	take_each(reader, take_metric);
	if (!reader->error && ctd_vendor_set_new(&recorded->table, &cpu, &machine, &recorded->set))
		fail(reader, -ENOMEM, NULL);
	if (!reader->error)
		take_counting(reader);
}

int ctd_vendor_recorded_new(const void *payload, size_t bytes,
			    struct ctd_vendor_recorded **ret_recorded, const char **ret_why)
{
	struct ctd_vendor_recorded *recorded = calloc(1, sizeof(*recorded));
	const unsigned char *at = payload;
	struct reader reader = {.recorded = recorded, .at = at, .end = at + bytes};

	if (!recorded || ctd_vendor_table_new(&recorded->table))
		reader.error = -ENOMEM;
	else
		take_all(&reader);
	if (reader.error == -EBADMSG)
		*ret_why = reader.why;
	if (reader.error)
		ctd_vendor_recorded_free(recorded);
	else
		*ret_recorded = recorded;
	return reader.error;
}

void ctd_vendor_recorded_free(struct ctd_vendor_recorded *recorded)
{
	if (!recorded)
		return;
	ctd_vendor_counting_free(&recorded->counting);
	ctd_vendor_set_free(recorded->set);
	ctd_vendor_table_free(&recorded->table);
	free(recorded);
}
