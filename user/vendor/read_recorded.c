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
struct reading {
	struct ctd_vendor_recorded *recorded;
	const unsigned char *at, *end;
	int error; /* -ENOMEM, or -EBADMSG with */
	const char *why;
};

static void fail(struct reading *reading, int error, const char *why)
{
	if (reading->error)
		return;
	reading->error = error == -ENOMEM ? error : -EBADMSG;
	reading->why = why;
}

/* A number up to @p max. */
static uint64_t take(struct reading *reading, uint64_t max)
{
	uint64_t value = 0;

	if (reading->error)
		return 0;
	if (ctd_varint_take(&reading->at, reading->end, &value) || value > max) {
		fail(reading, -EBADMSG, "impossible number");
		return 0;
	}
	return value;
}

/* Its bits are written as a number. */
static double take_real(struct reading *reading)
{
	uint64_t bits = take(reading, UINT64_MAX);
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* @return a text that is the table's. */
static const char *take_text(struct reading *reading)
{
	uint64_t bytes = take(reading, CTD_EXPR_BYTES_MAX);
	autofree char *copy = NULL;
	const char *text;

	if (bytes > (size_t)(reading->end - reading->at) || memchr(reading->at, '\0', bytes))
		fail(reading, -EBADMSG, "impossible text");
	if (reading->error)
		return "";
	copy = strndup((const char *)reading->at, bytes);
	reading->at += bytes;
	text = copy ? ctd_vendor_keep(&reading->recorded->table, copy) : NULL;
	if (!text)
		fail(reading, -ENOMEM, NULL);
	return text ? text : "";
}

static void take_name(struct reading *reading, size_t room, char *ret_name)
{
	const char *text = take_text(reading);

	if (strlen(text) < room)
		memcpy(ret_name, text, strlen(text) + 1);
	else
		fail(reading, -EBADMSG, "impossible processor");
}

static void take_core(struct reading *reading, struct ctd_vendor_cpu *cpu,
		      struct ctd_vendor_machine *machine)
{
	struct ctd_vendor_table *table = &reading->recorded->table;

	take_name(reading, sizeof(cpu->id), cpu->id);
	take_name(reading, sizeof(cpu->pmu), cpu->pmu);
	table->arm = take(reading, 1);
	machine->smt = take_real(reading);
	machine->slots = take_real(reading);
	machine->tsc_hz = take_real(reading);
	machine->cpus = take_real(reading);
	machine->persistent_memory = take_real(reading);
	table->slots = take_real(reading);
}

static void take_event(struct reading *reading)
{
	struct ctd_vendor_table *table = &reading->recorded->table;
	struct ctd_vendor_event event = {.description = "", .fixed_counter = -1};
	size_t count = table->events_count;
	int r;

	event.name = take_text(reading);
	event.pmu = take_text(reading);
	event.lack = take_text(reading);
	event.config = take(reading, UINT64_MAX);
	event.config1 = take(reading, UINT64_MAX);
	event.config2 = take(reading, UINT64_MAX);
	event.latency = take_real(reading);
	if (reading->error)
		return;
	if (!*event.pmu)
		event.pmu = NULL;
	if (!*event.lack)
		event.lack = NULL;
	r = ctd_vendor_add_event(table, "", &event);
	/* Of two of one name the second is not added. */
	if (r || table->events_count == count)
		fail(reading, r, "impossible event");
}

static void take_metric(struct reading *reading)
{
	struct ctd_vendor_table *table = &reading->recorded->table;
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

	metric.name = take_text(reading);
	metric.expression = take_text(reading);
	metric.threshold = take_text(reading);
	metric.unit = take_text(reading);
	metric.scale = take_real(reading);
	metric.level = (int)take(reading, INT_MAX);
	if (reading->error)
		return;
	r = ctd_vendor_add_metric(table, &metric);
	if (r || table->metrics_count == count || !isfinite(metric.scale))
		fail(reading, r, "impossible metric");
}

/* As many as their number ahead says. */
static void take_each(struct reading *reading, void (*take_one)(struct reading *))
{
	uint64_t count = take(reading, UINT64_MAX);

	for (uint64_t i = 0; i < count && !reading->error; i++)
		take_one(reading);
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

static uint32_t take_count(struct reading *reading)
{
	struct ctd_vendor_count count = {0};
	uint64_t who;

	if (!take(reading, 1))
		return CTD_VENDOR_NO_COUNT;
	count.config = take(reading, UINT64_MAX);
	count.config1 = take(reading, UINT64_MAX);
	count.config2 = take(reading, UINT64_MAX);
	who = take(reading, 3);
	count.user_only = who & 1;
	count.kernel_only = who & 2;
	return find_count(reading->recorded->set, &count);
}

static void take_group(struct reading *reading)
{
	struct ctd_vendor_counting *counting = &reading->recorded->counting;
	struct ctd_vendor_group *group = &counting->groups[counting->rotation.groups_count];

	if (counting->rotation.groups_count == CTD_ROTATION_GROUPS_MAX) {
		fail(reading, -EBADMSG, "too many groups");
		return;
	}
	counting->rotation.groups_count++;
	group->events_count = take(reading, (uint64_t)counting->rotation.events_count);
	for (size_t i = 0; i < group->events_count; i++)
		group->counts[i] = take_count(reading);
}

static void take_counted(struct reading *reading)
{
	struct ctd_vendor_counting *counting = &reading->recorded->counting;
	struct ctd_vendor_counted *counted = &counting->metrics[counting->metrics_count];
	size_t metric = take(reading, UINT32_MAX);
	uint64_t parent = take(reading, counting->metrics_count);
	uint64_t group = take(reading, (uint64_t)counting->rotation.groups_count);
	const char *why = take_text(reading);

	if (counting->metrics_count == COUNTED_MAX)
		fail(reading, -EBADMSG, "too many metrics");
	if (metric >= counting->table->metrics_count)
		fail(reading, -EBADMSG, "impossible list of metrics");
	if (reading->error)
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
		fail(reading, -ENOMEM, NULL);
}

static void take_counting(struct reading *reading)
{
	struct ctd_vendor_counting *counting = &reading->recorded->counting;

	counting->table = &reading->recorded->table;
	counting->set = reading->recorded->set;
	counting->groups = calloc(CTD_ROTATION_GROUPS_MAX + 1, sizeof(*counting->groups));
	counting->metrics = calloc(COUNTED_MAX + 1, sizeof(*counting->metrics));
	if (!counting->groups || !counting->metrics) {
		fail(reading, -ENOMEM, NULL);
		return;
	}
	counting->rotation.events_count = (int)take(reading, CTD_COUNTERS_MAX);
	take_each(reading, take_group);
	take_each(reading, take_counted);
	if (reading->at != reading->end)
		fail(reading, -EBADMSG, "more than there can be");
	if (!reading->error && ctd_vendor_counting_prepare(counting))
		fail(reading, -ENOMEM, NULL);
}

static void take_all(struct reading *reading)
{
	struct ctd_vendor_recorded *recorded = reading->recorded;
	struct ctd_vendor_machine machine;
	struct ctd_vendor_cpu cpu = {0};

	take_core(reading, &cpu, &machine);
	take_each(reading, take_event);
	take_each(reading, take_metric);
	if (!reading->error && ctd_vendor_set_new(&recorded->table, &cpu, &machine, &recorded->set))
		fail(reading, -ENOMEM, NULL);
	if (!reading->error)
		take_counting(reading);
}

int ctd_vendor_recorded_new(const void *payload, size_t bytes,
			    struct ctd_vendor_recorded **ret_recorded, const char **ret_why)
{
	struct ctd_vendor_recorded *recorded = calloc(1, sizeof(*recorded));
	const unsigned char *at = payload;
	struct reading reading = {.recorded = recorded, .at = at, .end = at + bytes};

	if (!recorded || ctd_vendor_table_new(&recorded->table))
		reading.error = -ENOMEM;
	else
		take_all(&reading);
	if (reading.error == -EBADMSG)
		*ret_why = reading.why;
	if (reading.error)
		ctd_vendor_recorded_free(recorded);
	else
		*ret_recorded = recorded;
	return reading.error;
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
