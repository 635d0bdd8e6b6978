/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* perf.c - reads files of Linux, tools/perf/pmu-events/arch. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/json_walk.h"
#include "base/strbuf.h"
#include "vendor/encode.h"
#include "vendor/fields.h"
#include "vendor/reader.h"

#define PMU_DEFAULT "cpu_core"

struct file {
	struct ctd_vendor_reader *reader;
	size_t entries;
	const char *last; /* name of the last entry, kept */
};

/* "100%", "6.4e-5MB/s" */
static int set_scale(struct ctd_vendor_table *table, const char *text,
		     struct ctd_vendor_metric *metric)
{
	char *unit;
	double scale = strtod(text, &unit);

	metric->scale = unit == text || !isfinite(scale) ? 1 : scale;
	metric->unit = ctd_vendor_keep(table, unit + strspn(unit, " "));
	return metric->unit ? 0 : -ENOMEM;
}

/* "... Sample with: EVENT, EVENT. Related metrics: ..." */
static const char *find_samples(struct ctd_vendor_table *table, const char *description)
{
	static const char before[] = "Sample with: ";
	const char *at = strstr(description, before), *end;
	autofree char *names = NULL;

	if (!at)
		return "";
	at += strlen(before);
	end = strstr(at, ". ");
	names = strndup(at, end ? (size_t)(end - at) : strlen(at));
	if (!names)
		return NULL;
	if (*names && names[strlen(names) - 1] == '.')
		names[strlen(names) - 1] = 0;
	return ctd_vendor_keep(table, names);
}

/* The longer text where there are two. */
static const char *keep_description(struct ctd_vendor_table *table, const json_t *entry)
{
	const char *text = ctd_field_text(entry, "PublicDescription");

	return ctd_vendor_keep(table, *text ? text : ctd_field_text(entry, "BriefDescription"));
}

static int add_metric(struct ctd_vendor_reader *reader, const json_t *entry)
{
	struct ctd_vendor_table *table = reader->table;
	const char *show = ctd_field_text(entry, "DefaultShowEvents");
	struct ctd_vendor_metric metric = {
		.name = ctd_field_keep(table, entry, "MetricName"),
		.description = keep_description(table, entry),
		.expression = ctd_field_keep(table, entry, "MetricExpr"),
		.threshold = ctd_field_keep(table, entry, "MetricThreshold"),
		.groups = ctd_field_keep(table, entry, "MetricGroup"),
		.constraint = ctd_field_keep(table, entry, "MetricConstraint"),
		.no_group = ctd_field_keep(table, entry, "MetricgroupNoGroup"),
		.show_events = ctd_vendor_keep(table, show),
		.next = "",
		.parent_name = "",
		.file = reader->file,
	};
	int r = set_scale(table, ctd_field_text(entry, "ScaleUnit"), &metric);

	if (r)
		return r;
	metric.sample_with = metric.description ? find_samples(table, metric.description) : NULL;
	return ctd_vendor_add_metric(table, &metric);
}

/* Of cores of other types nothing is kept; of other PMUs the name, to say so where it is used. */
static int add_event(struct ctd_vendor_reader *reader, const json_t *entry, const char *unit,
		     bool of_architecture)
{
	struct ctd_vendor_table *table = reader->table;
	struct ctd_vendor_event event = {
		.name = ctd_field_keep(table, entry, "EventName"),
		.description = *unit ? "" : keep_description(table, entry),
		.pmu = *unit ? ctd_vendor_keep(table, unit) : NULL,
		.of_architecture = of_architecture,
		.latency = NAN,
	};
	const json_t *latency = json_object_get(entry, "RetirementLatencyMean");
	int r;

	if (!event.name || (*unit && !event.pmu))
		return -ENOMEM;
	if (json_is_string(latency))
		event.latency = strtod(json_string_value(latency), NULL);
	r = *unit ? 0 : ctd_vendor_encode_entry(table, entry, &event);
	if (r == 0 && event.lack)
		ctd_vendor_note(table, reader->file, event.name, "%s", event.lack);
	return r ? r : ctd_vendor_add_event(table, reader->file, &event);
}

static bool is_hybrid(const char *unit)
{
	return strcmp(unit, "cpu_core") == 0 || strcmp(unit, "cpu_atom") == 0 ||
	       strcmp(unit, "cpu_lowpower") == 0;
}

/* @return 1: it is of another core type. */
static int find_unit(const struct ctd_vendor_reader *reader, const json_t *entry,
		     const char **ret_unit)
{
	const char *unit = ctd_field_text(entry, "Unit");
	const char *pmu = *reader->pmu ? reader->pmu : PMU_DEFAULT;

	*ret_unit = is_hybrid(unit) || strcmp(unit, "core") == 0 || strcmp(unit, "cpu") == 0 ? ""
											     : unit;
	return is_hybrid(unit) && strcmp(unit, pmu) != 0;
}

static int add_entry(struct ctd_vendor_reader *reader, json_t *entry)
{
	struct ctd_vendor_table *table = reader->table;
	const char *of_all = ctd_field_text(entry, "ArchStdEvent"), *unit;
	uint64_t counters;

	if (*of_all) {
		json_t *base = json_object_get(reader->standard, of_all);

		if (!base) {
			reader->unknown++;
			return 0;
		}
		if (json_object_update_missing(entry, base))
			return -ENOMEM;
	}
	if (find_unit(reader, entry, &unit))
		return 0;
	if (json_object_get(entry, "CountersNumGeneric")) {
		if (!*unit && ctd_field_number(entry, "CountersNumGeneric", &counters) == 0)
			table->general_counters = counters < 64 ? (int)counters : 64;
		return 0;
	}
	if (*ctd_field_text(entry, "EventName"))
		return add_event(reader, entry, unit, false);
	if (*ctd_field_text(entry, "MetricName") && *ctd_field_text(entry, "MetricExpr"))
		return reader->metrics ? add_metric(reader, entry) : 0;
	ctd_vendor_note(table, reader->file, ctd_field_text(entry, "MetricName"),
			"an entry is neither an event nor a metric");
	return 0;
}

static const char *name_of(const json_t *entry)
{
	static const char *const names[] = {"EventName", "MetricName", "ArchStdEvent"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (*ctd_field_text(entry, names[i]))
			return ctd_field_text(entry, names[i]);
	return "";
}

static int take_entry(struct ctd_json_walk *walk, const char *name, void *context)
{
	auto_json json_t *entry = ctd_json_walk_value(walk);
	struct file *file = context;

	(void)name;
	if (!entry)
		return -EBADMSG;
	file->entries++;
	if (!json_is_object(entry))
		return 0;
	file->last = ctd_vendor_keep(file->reader->table, name_of(entry));
	return file->last ? add_entry(file->reader, entry) : -ENOMEM;
}

static int take_standard(struct ctd_json_walk *walk, const char *name, void *context)
{
	auto_json json_t *entry = ctd_json_walk_value(walk);
	struct file *file = context;

	(void)name;
	if (!entry)
		return -EBADMSG;
	file->entries++;
	if (!json_is_object(entry) || !*name_of(entry))
		return 0;
	return json_object_set(file->reader->standard, name_of(entry), entry) ? -ENOMEM : 0;
}

static int read_array(struct ctd_vendor_reader *reader, ctd_json_take *take, const char *text,
		      size_t bytes)
{
	struct ctd_json_walk walk = {.text = text, .end = text + bytes};
	struct file file = {reader, 0, ""};
	int r;

	/* What groups are for: {"Backend": "Grouping from ..."}. */
	if (text[strspn(text, " \t\r\n")] == '{')
		return 0;
	r = ctd_json_walk_array(&walk, take, &file);
	if (reader->unknown)
		ctd_vendor_note(
			reader->table, reader->file, "",
			"%zu entries refer to the lists of all Arm cores, beside the map, which have them not",
			reader->unknown);
	if (r == 0)
		r = ctd_json_walk_end(&walk);
	if (r != -EBADMSG)
		return r;
	ctd_vendor_note(reader->table, reader->file, file.last,
			"after %zu entries it is no JSON any more: %s", file.entries, walk.why);
	return 0;
}

int ctd_vendor_read_perf(struct ctd_vendor_reader *reader, const char *text, size_t bytes)
{
	return read_array(reader, take_entry, text, bytes);
}

int ctd_vendor_read_standard(struct ctd_vendor_reader *reader, const char *text, size_t bytes)
{
	return read_array(reader, take_standard, text, bytes);
}

int ctd_vendor_add_standard(struct ctd_vendor_reader *reader)
{
	const char *name;
	json_t *entry;
	int r = 0;

	json_object_foreach(reader->standard, name, entry)
	{
		if (r == 0 && *ctd_field_text(entry, "EventName"))
			r = add_event(reader, entry, "", true);
	}
	return r;
}
