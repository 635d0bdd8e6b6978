/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* perfmon.c - reads files of github.com/intel/perfmon: events, metrics, latencies. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/json_walk.h"
#include "base/strbuf.h"
#include "vendor/encode.h"
#include "vendor/fields.h"
#include "vendor/perfmon_text.h"
#include "vendor/reader.h"

struct file {
	struct ctd_vendor_reader *reader;
	size_t entries;
	bool known; /* a part of it is */
	const char *last; /* name of the last entry, kept */
};

static int add_event(struct file *file, const json_t *entry)
{
	struct ctd_vendor_table *table = file->reader->table;
	struct ctd_vendor_event event = {
		.name = file->last,
		.description = ctd_field_keep(table, entry,
					      *ctd_field_text(entry, "PublicDescription")
						      ? "PublicDescription"
						      : "BriefDescription"),
		.latency = NAN,
	};
	int r;

	if (!*event.name) {
		ctd_vendor_note(table, file->reader->file, "",
				"entry %zu of the events has no EventName", file->entries);
		return 0;
	}
	r = ctd_vendor_encode_entry(table, entry, &event);
	if (r == 0 && event.lack)
		ctd_vendor_note(table, file->reader->file, event.name, "%s", event.lack);
	return r ? r : ctd_vendor_add_event(table, file->reader->file, &event);
}

static const char *keep_text(struct ctd_vendor_table *table, const struct ctd_strbuf *text)
{
	if (text->failed)
		return NULL;
	return ctd_vendor_keep(table, text->text ? text->text : "");
}

/* "A;B", with a blank before it: ours have ", " between them. */
static const char *keep_samples(struct ctd_vendor_table *table, const json_t *entry)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};

	for (const char *at = ctd_field_text(entry, "LocateWith"); *at; at++) {
		if (*at == ';')
			ctd_strbuf_add(&text, ", ");
		else if (*at != ' ')
			ctd_strbuf_add_bytes(&text, at, 1);
	}
	return keep_text(table, &text);
}

/* The groups, and the category that it is of. */
static const char *keep_groups(struct ctd_vendor_table *table, const json_t *entry)
{
	const char *groups = ctd_field_text(entry, "MetricGroup");
	const char *category = ctd_field_text(entry, "Category");
	auto_ctd_strbuf struct ctd_strbuf text = {0};

	ctd_strbuf_addf(&text, "%s%s%s", groups, *groups && *category ? ";" : "", category);
	return keep_text(table, &text);
}

static int add_metric(struct file *file, const json_t *entry)
{
	struct ctd_vendor_table *table = file->reader->table;
	const char *unit = ctd_field_text(entry, "UnitOfMeasure");
	auto_ctd_strbuf struct ctd_strbuf formula = {0}, threshold = {0};
	const json_t *level = json_object_get(entry, "Level");
	bool of_tree = *ctd_field_text(entry, "ParentCategory") ||
		       strstr(ctd_field_text(entry, "MetricGroup"), "TmaL1");

	if (!*file->last || !*ctd_field_text(entry, "Formula")) {
		ctd_vendor_note(table, file->reader->file, file->last,
				"entry %zu of the metrics has no MetricName or no Formula",
				file->entries);
		return 0;
	}
	ctd_perfmon_formula_add(&formula, entry);
	ctd_perfmon_threshold_add(&threshold, entry);
	return ctd_vendor_add_metric(
		table,
		&(struct ctd_vendor_metric){
			.name = file->last,
			.description = ctd_field_keep(table, entry, "BriefDescription"),
			.expression = keep_text(table, &formula),
			.threshold = keep_text(table, &threshold),
			.scale = 1,
			.unit = strcmp(unit, "percent") == 0 ? "%" : ctd_vendor_keep(table, unit),
			.groups = keep_groups(table, entry),
			.sample_with = keep_samples(table, entry),
			.next = "",
			.constraint = "",
			.no_group = "",
			.show_events = "",
			.parent_name = ctd_field_keep(table, entry, "ParentCategory"),
			.level = of_tree ? (int)json_integer_value(level) : 0,
			.file = file->reader->file,
		});
}

static int take_event(struct ctd_json_walk *walk, const char *name, void *context)
{
	auto_json json_t *entry = ctd_json_walk_value(walk);
	struct file *file = context;

	(void)name;
	if (!entry)
		return -EBADMSG;
	file->entries++;
	file->last = ctd_field_keep(file->reader->table, entry, "EventName");
	return file->last ? add_event(file, entry) : -ENOMEM;
}

static int take_metric(struct ctd_json_walk *walk, const char *name, void *context)
{
	auto_json json_t *entry = ctd_json_walk_value(walk);
	struct file *file = context;

	(void)name;
	if (!entry)
		return -EBADMSG;
	file->entries++;
	file->last = ctd_field_keep(file->reader->table, entry, "MetricName");
	if (!file->last)
		return -ENOMEM;
	return file->reader->metrics ? add_metric(file, entry) : 0;
}

/* "MEM_LOAD_RETIRED.L3_HIT": {"MIN": 0, "MAX": 888, "MEAN": 57.64} */
static int take_latency(struct ctd_json_walk *walk, const char *name, void *context)
{
	auto_json json_t *entry = ctd_json_walk_value(walk);
	const json_t *mean = json_object_get(entry, "MEAN");
	struct file *file = context;
	struct ctd_vendor_event *event;

	if (!entry)
		return -EBADMSG;
	file->entries++;
	event = ctd_vendor_change_event(file->reader->table, name);
	if (!event)
		ctd_vendor_note(file->reader->table, file->reader->file, name,
				"a latency is of an event that no file has");
	else if (json_is_number(mean))
		event->latency = json_number_value(mean);
	return 0;
}

static int take_part(struct ctd_json_walk *walk, const char *name, void *context)
{
	struct file *file = context;
	bool known = file->known;
	json_t *other;

	file->known = true;
	if (strcmp(name, "Events") == 0)
		return ctd_json_walk_array(walk, take_event, file);
	if (strcmp(name, "Metrics") == 0)
		return ctd_json_walk_array(walk, take_metric, file);
	if (strcmp(name, "Data") == 0)
		return ctd_json_walk_object(walk, take_latency, file);
	file->known = known;
	other = ctd_json_walk_value(walk);
	json_decref(other);
	return other ? 0 : -EBADMSG;
}

int ctd_vendor_read_perfmon(struct ctd_vendor_reader *reader, const char *text, size_t bytes)
{
	struct ctd_json_walk walk = {.text = text, .end = text + bytes};
	struct file file = {.reader = reader, .last = ""};
	bool bare = text[strspn(text, " \t\r\n")] == '[';
	int r;

	/* The oldest files are an array of events. */
	if (bare)
		r = ctd_json_walk_array(&walk, take_event, &file);
	else
		r = ctd_json_walk_object(&walk, take_part, &file);
	if (r == 0)
		r = ctd_json_walk_end(&walk);
	if (r == -EBADMSG)
		ctd_vendor_note(reader->table, reader->file, file.last,
				"after %zu entries it is no JSON any more: %s", file.entries,
				walk.why);
	else if (r == 0 && !bare && !file.known)
		ctd_vendor_note(reader->table, reader->file, "",
				"it has neither Events nor Metrics: a file of another schema");
	return r == -EBADMSG ? 0 : r;
}
