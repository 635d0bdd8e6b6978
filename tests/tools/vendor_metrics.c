/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor_metrics.c - shows scripts what the program reads in vendors' files, as JSON. */
#include <cgtopdown/vendor.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/auto.h"
#include "metric/expr_token.h"
#include "vendor/reference.h"
#include "vendor/rotation.h"

#define NAME_BYTES 256
#define SECONDS 2.0

struct reader {
	struct ctd_vendor_table table;
	struct ctd_vendor_set *set;
	struct ctd_vendor_cpu cpu;
	struct ctd_vendor_machine machine;
	const struct ctd_vendor_count *counts;
	size_t counts_count;
	double *count; /* of each */
	double ms;
};

/* CPU time, which a machine that is busy otherwise does not lengthen. */
static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* So that each differs, and no sum of some is another by chance. */
static double value_of(size_t index)
{
	return 1e6 * (1 + (double)(index * 7919 % 9973) / 9973);
}

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *show_events(const struct reader *reader)
{
	json_t *events = json_object();

	for (size_t i = 0; i < reader->table.events_count; i++) {
		const struct ctd_vendor_event *event = &reader->table.events[i];

		if (event->lack || event->pmu)
			continue;
		json_object_set_new(
			events, event->name,
			json_pack("{s:I, s:I, s:I, s:b, s:I, s:i, s:b}", "config",
				  (json_int_t)event->config, "config1", (json_int_t)event->config1,
				  "config2", (json_int_t)event->config2, "of_architecture",
				  event->of_architecture, "counters", (json_int_t)event->counters,
				  "fixed_counter", event->fixed_counter, "taken_alone",
				  event->taken_alone));
	}
	return events;
}

static json_t *show_needs(const struct reader *reader, size_t metric)
{
	bool *needed = calloc(reader->counts_count + 1, sizeof(*needed));
	json_t *names = json_array();

	ctd_vendor_set_needs(reader->set, metric, needed);
	for (size_t i = 0; i < reader->counts_count; i++)
		if (needed[i])
			json_array_append_new(names, json_string(reader->counts[i].name));
	free(needed);
	return names;
}

static json_t *show_metrics(const struct reader *reader)
{
	double *values = calloc(ctd_vendor_set_room(reader->set), sizeof(*values));
	json_t *metrics = json_array();

	ctd_vendor_evaluate(reader->set, reader->count, SECONDS, values);
	for (size_t i = 0; i < reader->table.metrics_count; i++) {
		const struct ctd_vendor_metric *metric = &reader->table.metrics[i];
		const char *why;
		enum ctd_vendor_lack lack = ctd_vendor_set_lack(reader->set, i, &why);

		json_array_append_new(
			metrics,
			json_pack("{s:s, s:s, s:s, s:f, s:s, s:i, s:s?, s:s, s:s, s:s, s:i, s:s?, "
				  "s:s?, s:o, s:o, s:o, s:b}",
				  "name", metric->name, "expression", metric->expression,
				  "threshold", metric->threshold, "scale", metric->scale, "unit",
				  metric->unit, "level", metric->level, "parent",
				  metric->parent < 0 ? NULL
						     : reader->table.metrics[metric->parent].name,
				  "groups", metric->groups, "sample_with", metric->sample_with,
				  "file", metric->file, "lack", (int)lack, "why", why,
				  "threshold_lack", ctd_vendor_set_threshold_lack(reader->set, i),
				  "value", number(values[i]), "hot",
				  number(ctd_vendor_hot(reader->set, i, values)), "needs",
				  show_needs(reader, i), "latency",
				  ctd_vendor_set_needs_latency(reader->set, i)));
	}
	free(values);
	return metrics;
}

static double count_of(const struct reader *reader, const struct ctd_vendor_count *count)
{
	for (size_t i = 0; i < reader->counts_count; i++)
		if (ctd_vendor_same_count(&reader->counts[i], count))
			return reader->count[i];
	return NAN;
}

static double value_of_name(const struct reader *reader, const char *name)
{
	const struct ctd_reference_scope scope = {&reader->table, &reader->cpu, &reader->machine};
	struct ctd_reference reference;

	ctd_reference_find(&scope, name, &reference);
	switch (reference.kind) {
	case CTD_REFERENCE_COUNT:
		return count_of(reader, &reference.count);
	case CTD_REFERENCE_NUMBER:
	case CTD_REFERENCE_LATENCY:
		return reference.number;
	case CTD_REFERENCE_SECONDS:
		return SECONDS;
	case CTD_REFERENCE_MILLISECONDS:
		return 1000 * SECONDS;
	case CTD_REFERENCE_LACK:
		break;
	}
	return NAN;
}

/* What each name in a formula, if it is no metric's, is for another reader of the formulas. */
static void add_names(const struct reader *reader, const char *text, json_t *names)
{
	size_t bytes = strlen(text);
	char name[NAME_BYTES];

	for (struct ctd_token token = ctd_token_read(text, bytes, 0);
	     token.kind != CTD_TOKEN_END && token.kind != CTD_TOKEN_BAD;
	     token = ctd_token_read(text, bytes, token.at + token.bytes))
		if (token.kind == CTD_TOKEN_NAME &&
		    !ctd_token_name(text, &token, sizeof(name), name))
			json_object_set_new(names, name, number(value_of_name(reader, name)));
}

static json_t *show_names(const struct reader *reader)
{
	json_t *names = json_object();

	for (size_t i = 0; i < reader->table.metrics_count; i++)
		add_names(reader, reader->table.metrics[i].expression, names);
	return names;
}

static json_t *show_counts(const struct reader *reader)
{
	json_t *counts = json_array();

	for (size_t i = 0; i < reader->counts_count; i++) {
		const struct ctd_vendor_count *count = &reader->counts[i];

		if (count->latency)
			continue;
		json_array_append_new(
			counts,
			json_pack("{s:s, s:I, s:I, s:I, s:b, s:b}", "name", count->name, "config",
				  (json_int_t)count->config, "config1", (json_int_t)count->config1,
				  "config2", (json_int_t)count->config2, "user_only",
				  count->user_only, "kernel_only", count->kernel_only));
	}
	return counts;
}

static json_t *show_notes(const struct reader *reader)
{
	json_t *notes = json_array();

	for (size_t i = 0; i < reader->table.notes_count; i++)
		json_array_append_new(notes, json_sprintf("%s: %s: %s", reader->table.notes[i].file,
							  reader->table.notes[i].entry,
							  reader->table.notes[i].reason));
	return notes;
}

static json_t *show_groups(const struct ctd_vendor_rotation *rotation)
{
	json_t *groups = json_array();

	for (size_t i = 0; i < rotation->pack.groups_count; i++) {
		const struct ctd_pack_group *group = &rotation->pack.groups[i];
		json_t *events = json_array();

		for (size_t event = 0; event < group->events_count; event++)
			json_array_append_new(
				events, json_string(ctd_vendor_rotation_count(rotation,
									      group->events[event])
							    ->name));
		json_array_append_new(groups, events);
	}
	return groups;
}

static json_t *show_placed(const struct ctd_vendor_rotation *rotation, bool placed)
{
	json_t *metrics = json_object();

	for (size_t i = 0; i < rotation->metrics_count; i++) {
		const struct ctd_vendor_metric *metric =
			&rotation->table->metrics[rotation->metrics[i]];
		struct ctd_strbuf why = {0};

		ctd_vendor_rotation_add_lack(rotation, i, &why);
		if (placed && rotation->pack.group_of[i] >= 0)
			json_object_set_new(metrics, metric->name,
					    json_integer(rotation->pack.group_of[i]));
		else if (!placed && rotation->pack.group_of[i] < 0)
			json_object_set_new(metrics, metric->name, json_string(why.text));
		ctd_strbuf_free(&why);
	}
	return metrics;
}

static json_t *show_fixed(const struct ctd_vendor_rotation *rotation)
{
	json_t *fixed = json_array();

	for (int i = CTD_PACK_FIXED; i < 64; i++)
		if (rotation->core.counters >> i & 1)
			json_array_append_new(fixed, json_integer(i - CTD_PACK_FIXED));
	return fixed;
}

/* The values of a group's metrics, computed of the counts of its own events alone. */
static void add_values(const struct reader *reader, const struct ctd_vendor_rotation *rotation,
		       size_t group, json_t *values)
{
	const struct ctd_pack_group *counted = &rotation->pack.groups[group];
	double *count = calloc(reader->counts_count + 1, sizeof(*count));
	double *value = calloc(ctd_vendor_set_room(reader->set), sizeof(*value));

	for (size_t i = 0; i < reader->counts_count; i++)
		count[i] = NAN;
	for (size_t i = 0; i < counted->events_count; i++)
		if (counted->events[i] < reader->counts_count)
			count[counted->events[i]] = reader->count[counted->events[i]];
	ctd_vendor_evaluate(reader->set, count, SECONDS, value);
	for (size_t i = 0; i < rotation->metrics_count; i++)
		if (rotation->pack.group_of[i] == (int)group)
			json_object_set_new(values,
					    rotation->table->metrics[rotation->metrics[i]].name,
					    number(value[rotation->metrics[i]]));
	free(count);
	free(value);
}

static json_t *show_values(const struct reader *reader, const struct ctd_vendor_rotation *rotation)
{
	json_t *values = json_object();

	for (size_t i = 0; i < rotation->pack.groups_count; i++)
		add_values(reader, rotation, i, values);
	return values;
}

/* The rotation of the tree down to a level; 0: of all metrics. */
static json_t *show_rotation(const struct reader *reader, int level, bool watchdog)
{
	const struct ctd_vendor_wish wish = {.level = level, .watchdog = watchdog};
	struct ctd_vendor_rotation rotation;
	char why[CTD_VENDOR_WHY_BYTES];
	double begin = now_ms();
	json_t *shown;

	if (ctd_vendor_rotation_make(&reader->table, &reader->cpu, reader->set, &wish, &rotation,
				     why))
		return json_null();
	shown = json_pack("{s:i, s:b, s:f, s:I, s:i, s:o, s:o, s:o, s:o, s:o}", "level", level,
			  "watchdog", watchdog, "ms", now_ms() - begin, "alone_groups",
			  (json_int_t)rotation.alone_groups, "general",
			  __builtin_popcountll(rotation.core.counters &
					       ((UINT64_C(1) << CTD_PACK_FIXED) - 1)),
			  "fixed", show_fixed(&rotation), "values", show_values(reader, &rotation),
			  "groups", show_groups(&rotation), "metrics", show_placed(&rotation, true),
			  "left_out", show_placed(&rotation, false));
	ctd_vendor_rotation_free(&rotation);
	return shown;
}

static json_t *show_rotations(const struct reader *reader)
{
	json_t *all = json_array();

	for (int watchdog = 0; watchdog < 2; watchdog++)
		for (int level = 0; level <= CTD_VENDOR_LEVELS; level++)
			json_array_append_new(all, show_rotation(reader, level, watchdog));
	return all;
}

static void show(const struct reader *reader)
{
	json_t *all =
		json_pack("{s:s, s:s, s:f, s:I, s:I, s:o?, s:i, s:o, s:o, s:o, s:o, s:o, s:o}",
			  "format", ctd_vendor_format_name(reader->table.format), "where",
			  reader->table.where, "ms", reader->ms, "files",
			  (json_int_t)reader->table.files_count, "bytes",
			  (json_int_t)reader->table.bytes, "slots", number(reader->table.slots),
			  "general_counters", reader->table.general_counters, "events",
			  show_events(reader), "metrics", show_metrics(reader), "names",
			  show_names(reader), "counts", show_counts(reader), "notes",
			  show_notes(reader), "rotations", show_rotations(reader));

	json_dumpf(all, stdout, JSON_COMPACT | JSON_REAL_PRECISION(17));
	putchar('\n');
	json_decref(all);
}

static enum ctd_vendor_format format_of(const char *text)
{
	static const char *const names[] = {
		[CTD_VENDOR_ARM] = "arm", [CTD_VENDOR_PERF] = "perf", [CTD_VENDOR_PERFMON] = "perfmon"};

	for (int i = 0; text && i < CTD_VENDOR_FORMATS; i++)
		if (strcmp(names[i], text) == 0)
			return (enum ctd_vendor_format)i;
	return CTD_VENDOR_FORMATS;
}

/* DIR CPUID PMU|- FORMAT|- [SMT] */
int main(int argc, char **argv)
{
	struct reader reader = {.machine = {1, 8, 2e9, 8, 0}};
	char why[CTD_VENDOR_WHY_BYTES] = "";
	double begin = now_ms();
	int r;

	if (argc < 5) {
		fprintf(stderr, "usage: %s DIR CPUID PMU|- arm|perf|perfmon|- [0|1: SMT]\n",
			argv[0]);
		return 2;
	}
	snprintf(reader.cpu.id, sizeof(reader.cpu.id), "%s", argv[2]);
	if (strcmp(argv[3], "-") != 0)
		snprintf(reader.cpu.pmu, sizeof(reader.cpu.pmu), "%s", argv[3]);
	if (argc > 5)
		reader.machine.smt = atoi(argv[5]);
	r = ctd_vendor_read(argv[1], &reader.cpu, format_of(argv[4]), &reader.table, why);
	if (r == 0)
		r = ctd_vendor_set_new(&reader.table, &reader.cpu, &reader.machine, &reader.set);
	if (r) {
		fprintf(stderr, "%s: %s\n", argv[1], *why ? why : strerror(-r));
		ctd_vendor_table_free(&reader.table);
		return 1;
	}
	reader.ms = now_ms() - begin;
	reader.counts = ctd_vendor_set_counts(reader.set, &reader.counts_count);
	reader.count = calloc(reader.counts_count + 1, sizeof(*reader.count));
	for (size_t i = 0; i < reader.counts_count; i++)
		reader.count[i] = value_of(i);
	show(&reader);
	free(reader.count);
	ctd_vendor_set_free(reader.set);
	ctd_vendor_table_free(&reader.table);
	return 0;
}
