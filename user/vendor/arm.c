/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* arm.c - reads Arm's telemetry specifications: a file is all that there is of one core. */
#include "vendor/arm.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/json_walk.h"
#include "base/strbuf.h"
#include "vendor/encode.h"
#include "vendor/fields.h"
#include "vendor/reader.h"

/* Of the names of a metric's groups together: it is in a few. */
#define GROUPS_BYTES_MAX 1024

struct file {
	struct ctd_vendor_reader *reader;
	size_t entries;
	bool known;
	const char *last; /* name of the last entry, kept */
};

/* The next value and its name, or -EBADMSG, -ENOMEM. */
static int take(struct ctd_json_walk *walk, const char *name, struct file *file, json_t **ret_entry)
{
	*ret_entry = ctd_json_walk_value(walk);
	if (!*ret_entry)
		return -EBADMSG;
	file->entries++;
	file->last = ctd_vendor_keep(file->reader->table, name);
	return file->last ? 0 : -ENOMEM;
}

static int take_event(struct ctd_json_walk *walk, const char *name, void *context)
{
	struct file *file = context;
	struct ctd_vendor_table *table = file->reader->table;
	auto_json json_t *entry = NULL;
	struct ctd_vendor_code code = {0};
	struct ctd_vendor_event event;
	uint64_t number;
	int r = take(walk, name, file, &entry);

	if (r)
		return r;
	if (!json_object_get(entry, "code") || ctd_field_number(entry, "code", &number) ||
	    ctd_vendor_encode(&code, true, "event", strlen("event"), number)) {
		ctd_vendor_note(table, file->reader->file, name,
				"the event has no code of 16 bits");
		return 0;
	}
	event = (struct ctd_vendor_event){
		.name = file->last,
		.description = ctd_field_keep(table, entry, "description"),
		.config = code.config,
		.fixed_counter = -1,
		.latency = NAN,
	};
	return ctd_vendor_add_event(table, file->reader->file, &event);
}

static int take_metric(struct ctd_json_walk *walk, const char *name, void *context)
{
	struct file *file = context;
	struct ctd_vendor_table *table = file->reader->table;
	auto_json json_t *entry = NULL;
	const char *units;
	int r = take(walk, name, file, &entry);

	if (r || !file->reader->metrics)
		return r;
	if (!*ctd_field_text(entry, "formula")) {
		ctd_vendor_note(table, file->reader->file, name, "the metric has no formula");
		return 0;
	}
	units = ctd_field_text(entry, "units");
	return ctd_vendor_add_metric(
		table, &(struct ctd_vendor_metric){
			       .name = file->last,
			       .description = ctd_field_keep(table, entry, "description"),
			       .expression = ctd_field_keep(table, entry, "formula"),
			       .threshold = "",
			       .scale = 1,
			       .unit = ctd_vendor_keep(table, units),
			       .groups = "",
			       .sample_with = ctd_field_join(
				       table, json_object_get(entry, "sample_events"), ','),
			       .next = "",
			       .constraint = "",
			       .no_group = "",
			       .show_events = "",
			       .parent_name = "",
			       .file = file->reader->file,
		       });
}

static bool is_in(const char *groups, const char *group)
{
	size_t bytes = strlen(group);

	while (*groups) {
		size_t length = strcspn(groups, ";");

		if (length == bytes && memcmp(groups, group, bytes) == 0)
			return true;
		groups += length + (groups[length] == ';');
	}
	return false;
}

/* Each longer list is kept beside the shorter ones: a file that names a metric again and again is
 * not to fill memory. */
static int append_group(struct ctd_vendor_table *table, struct ctd_vendor_metric *metric,
			const char *group)
{
	auto_ctd_strbuf struct ctd_strbuf groups = {0};

	if (is_in(metric->groups, group) ||
	    strlen(metric->groups) + 1 + strlen(group) > GROUPS_BYTES_MAX)
		return 0;
	ctd_strbuf_addf(&groups, "%s%s%s", metric->groups, *metric->groups ? ";" : "", group);
	if (groups.failed)
		return -ENOMEM;
	metric->groups = ctd_vendor_keep(table, groups.text);
	if (metric->groups)
		return 0;
	metric->groups = "";
	return -ENOMEM;
}

/* "Miss_Ratio": {"metrics": ["dtlb_walk_ratio", ...]} */
static int take_group(struct ctd_json_walk *walk, const char *name, void *context)
{
	struct file *file = context;
	struct ctd_vendor_table *table = file->reader->table;
	auto_json json_t *entry = NULL;
	const json_t *names, *element;
	int r = take(walk, name, file, &entry);
	size_t i;

	names = json_object_get(entry, "metrics");
	json_array_foreach(names, i, element)
	{
		const char *text = json_string_value(element);
		struct ctd_vendor_metric *metric =
			text ? ctd_vendor_change_metric(table, text) : NULL;

		if (r == 0 && metric)
			r = append_group(table, metric, name);
		else if (r == 0 && file->reader->metrics)
			ctd_vendor_note(table, file->reader->file, name,
					"the group has a metric '%.60s' that is none",
					text ? text : "");
	}
	return r;
}

static int take_groups(struct ctd_json_walk *walk, const char *name, void *context)
{
	json_t *other;

	if (strcmp(name, "metrics") == 0)
		return ctd_json_walk_object(walk, take_group, context);
	other = ctd_json_walk_value(walk);
	json_decref(other);
	return other ? 0 : -EBADMSG;
}

/* What to look at after each metric of the tree. */
static int take_method(struct ctd_json_walk *walk, const char *name, void *context)
{
	struct file *file = context;
	struct ctd_vendor_table *table = file->reader->table;
	auto_json json_t *entry = NULL;
	const json_t *steps, *step;
	int r = take(walk, name, file, &entry);
	size_t i;

	steps = json_object_get(json_object_get(entry, "decision_tree"), "metrics");
	json_array_foreach(steps, i, step)
	{
		struct ctd_vendor_metric *metric =
			ctd_vendor_change_metric(table, ctd_field_text(step, "name"));
		const char *next;

		if (r || !metric)
			continue;
		next = ctd_field_join(table, json_object_get(step, "next_items"), ';');
		if (next)
			metric->next = next;
		else
			r = -ENOMEM;
	}
	return r;
}

static int take_product(struct ctd_json_walk *walk, struct file *file)
{
	auto_json json_t *entry = ctd_json_walk_value(walk);
	uint64_t slots;

	if (!entry)
		return -EBADMSG;
	if (ctd_field_number(entry, "num_slots", &slots) == 0 && slots)
		file->reader->table->slots = (double)slots;
	return 0;
}

static int take_part(struct ctd_json_walk *walk, const char *name, void *context)
{
	struct file *file = context;
	bool known = file->known;
	json_t *other;

	file->known = true;
	if (strcmp(name, "events") == 0)
		return ctd_json_walk_object(walk, take_event, file);
	if (strcmp(name, "metrics") == 0)
		return ctd_json_walk_object(walk, take_metric, file);
	if (strcmp(name, "groups") == 0)
		return ctd_json_walk_object(walk, take_groups, file);
	if (strcmp(name, "methodologies") == 0)
		return ctd_json_walk_object(walk, take_method, file);
	file->known = known;
	if (strcmp(name, "product_configuration") == 0)
		return take_product(walk, file);
	other = ctd_json_walk_value(walk);
	json_decref(other);
	return other ? 0 : -EBADMSG;
}

int ctd_vendor_read_arm(struct ctd_vendor_reader *reader, const char *text, size_t bytes)
{
	struct ctd_json_walk walk = {.text = text, .end = text + bytes};
	struct file file = {.reader = reader, .last = ""};
	int r = ctd_json_walk_object(&walk, take_part, &file);

	if (r == 0)
		r = ctd_json_walk_end(&walk);
	if (r == -EBADMSG)
		ctd_vendor_note(reader->table, reader->file, file.last,
				"after %zu entries it is no JSON any more: %s", file.entries,
				walk.why);
	else if (r == 0 && !file.known)
		ctd_vendor_note(reader->table, reader->file, "",
				"it has neither events nor metrics: a file of another schema");
	return r == -EBADMSG ? 0 : r;
}

/* What a walk looks for, and all that ends it. */
struct product {
	json_t *configuration; /* owned */
};

static int take_until_product(struct ctd_json_walk *walk, const char *name, void *context)
{
	struct product *product = context;
	auto_json json_t *value = ctd_json_walk_value(walk);

	if (!value)
		return -EBADMSG;
	if (strcmp(name, "product_configuration") != 0)
		return 0;
	product->configuration = json_incref(value);
	return -EEXIST;
}

int ctd_vendor_arm_product(const char *text, size_t bytes, struct ctd_vendor_product *ret_product)
{
	struct ctd_json_walk walk = {.text = text, .end = text + bytes};
	struct product found = {0};
	uint64_t implementer, part, major, minor;
	int r = ctd_json_walk_object(&walk, take_until_product, &found);
	auto_json json_t *entry = found.configuration;

	if (r != -EEXIST)
		return -ENOENT;
	if (ctd_field_number(entry, "implementer", &implementer) ||
	    ctd_field_number(entry, "part_num", &part) ||
	    ctd_field_number(entry, "major_revision", &major) ||
	    ctd_field_number(entry, "minor_revision", &minor) || !implementer || !part)
		return -ENOENT;
	*ret_product = (struct ctd_vendor_product){implementer & 0xff, part & 0xfff,
						   (major & 0xf) << 4 | (minor & 0xf)};
	return 0;
}
