/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor_json.c - metrics of --metrics-dir, and their groups, as JSON of cgtopdown/vendor-metrics/1.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "app/explain/vendor.h"
#include "app/options/options.h"
#include "base/auto.h"
#include "base/known.h"
#include "base/log.h"

struct telling {
	const struct ctd_vendor_view *view;
	struct ctd_json *json;
	bool *needed; /* room for all counts */
};

/* The names of a list. */
static void add_names(struct ctd_json *json, const char *key, const char *names, char separator)
{
	auto_ctd_strbuf struct ctd_strbuf name = {0};

	ctd_json_begin_array(json, key);
	for (size_t bytes; *names; names += bytes + (names[bytes] == separator)) {
		const char *end = strchr(names, separator);

		bytes = end ? (size_t)(end - names) : strlen(names);
		ctd_strbuf_free(&name);
		ctd_strbuf_add_bytes(&name, names, bytes);
		if (bytes)
			ctd_json_string(json, NULL, name.failed ? "" : name.text);
	}
	ctd_json_end_array(json);
}

static void add_count(struct ctd_json *json, const struct ctd_vendor_count *count)
{
	ctd_json_begin_object(json, NULL);
	ctd_json_string(json, "name", count->name);
	ctd_json_integer(json, "config", count->config);
	ctd_json_integer(json, "config1", count->config1);
	ctd_json_integer(json, "config2", count->config2);
	ctd_json_bool(json, "user_only", count->user_only);
	ctd_json_bool(json, "kernel_only", count->kernel_only);
	ctd_json_end_object(json);
}

static void add_counts(const struct telling *telling, size_t metric)
{
	size_t count;
	const struct ctd_vendor_count *counts = ctd_vendor_set_counts(telling->view->set, &count);

	memset(telling->needed, 0, count * sizeof(*telling->needed));
	ctd_vendor_set_needs(telling->view->set, metric, telling->needed);
	ctd_json_begin_array(telling->json, "events");
	for (size_t i = 0; i < count; i++)
		if (telling->needed[i])
			add_count(telling->json, &counts[i]);
	ctd_json_end_array(telling->json);
}

static void add_metric(const struct telling *telling, size_t index)
{
	const struct ctd_vendor_table *table = &telling->view->table;
	const struct ctd_vendor_metric *metric = &table->metrics[index];
	struct ctd_json *json = telling->json;
	const char *why;
	bool computed = !ctd_vendor_set_lack(telling->view->set, index, &why);

	ctd_json_begin_object(json, NULL);
	ctd_json_string(json, "name", metric->name);
	ctd_json_count(json, "level", (uint64_t)metric->level, metric->level > 0);
	ctd_json_string(json, "parent",
			metric->parent < 0 ? NULL : table->metrics[metric->parent].name);
	ctd_json_string(json, "unit", ctd_known(metric->unit));
	ctd_json_real(json, "scale", metric->scale, 1e12);
	ctd_json_string(json, "threshold", ctd_known(metric->threshold));
	ctd_json_string(json, "formula", metric->expression);
	add_names(json, "groups", metric->groups, ';');
	add_names(json, "sample_with", metric->sample_with, ',');
	add_names(json, "next", metric->next, ';');
	ctd_json_string(json, "description", ctd_known(metric->description));
	ctd_json_string(json, "file", metric->file);
	ctd_json_bool(json, "computed", computed);
	ctd_json_string(json, "why", computed ? NULL : why);
	ctd_json_bool(json, "assumes_latency",
		      ctd_vendor_set_needs_latency(telling->view->set, index));
	add_counts(telling, index);
	ctd_json_end_object(json);
}

static void add_groups(const struct telling *telling, const struct ctd_vendor_rotation *rotation)
{
	struct ctd_json *json = telling->json;

	ctd_json_begin_array(json, "groups");
	for (size_t i = 0; i < rotation->pack.groups_count; i++) {
		const struct ctd_pack_group *group = &rotation->pack.groups[i];

		ctd_json_begin_object(json, NULL);
		ctd_json_real(json, "coverage", 1.0 / (double)rotation->pack.groups_count, 1e6);
		ctd_json_begin_array(json, "events");
		for (size_t event = 0; event < group->events_count; event++)
			add_count(json, ctd_vendor_rotation_count(rotation, group->events[event]));
		ctd_json_end_array(json);
		ctd_json_begin_array(json, "metrics");
		for (size_t metric = 0; metric < rotation->metrics_count; metric++)
			if (rotation->pack.group_of[metric] == (int)i)
				ctd_json_string(
					json, NULL,
					rotation->table->metrics[rotation->metrics[metric]].name);
		ctd_json_end_array(json);
		ctd_json_end_object(json);
	}
	ctd_json_end_array(json);
}

static void add_left_out(const struct telling *telling, const struct ctd_vendor_rotation *rotation)
{
	struct ctd_json *json = telling->json;

	ctd_json_begin_array(json, "left_out");
	for (size_t i = 0; i < rotation->metrics_count; i++) {
		auto_ctd_strbuf struct ctd_strbuf why = {0};

		if (rotation->pack.group_of[i] >= 0)
			continue;
		ctd_vendor_rotation_add_lack(rotation, i, &why);
		ctd_json_begin_object(json, NULL);
		ctd_json_string(json, "name", rotation->table->metrics[rotation->metrics[i]].name);
		ctd_json_string(json, "why", why.failed ? NULL : why.text);
		ctd_json_end_object(json);
	}
	ctd_json_end_array(json);
}

static int add_plan(const struct telling *telling, const struct ctd_options *options)
{
	struct ctd_vendor_rotation rotation;
	int r = ctd_vendor_plan(options, telling->view, &rotation);

	if (r)
		return r;
	ctd_json_begin_object(telling->json, "plan");
	ctd_json_integer(telling->json, "general_purpose_counters",
			 (uint64_t)__builtin_popcountll(rotation.core.counters &
							((UINT64_C(1) << CTD_PACK_FIXED) - 1)));
	ctd_json_bool(telling->json, "watchdog", rotation.watchdog);
	ctd_json_integer(telling->json, "groups_as_perf_has_them", rotation.alone_groups);
	add_groups(telling, &rotation);
	add_left_out(telling, &rotation);
	ctd_json_end_object(telling->json);
	ctd_vendor_rotation_free(&rotation);
	return 0;
}

static int add_metrics(const struct telling *telling, const struct ctd_options *options)
{
	const struct ctd_vendor_table *table = &telling->view->table;
	int only = options->explain ? ctd_vendor_explained(options, telling->view) : -1;

	if (options->explain && only < 0)
		return only;
	ctd_json_begin_array(telling->json, "metrics");
	for (size_t i = 0; i < table->metrics_count; i++)
		if (only < 0 || (size_t)only == i)
			add_metric(telling, i);
	ctd_json_end_array(telling->json);
	return 0;
}

static void add_notes(const struct telling *telling)
{
	const struct ctd_vendor_table *table = &telling->view->table;

	ctd_json_begin_array(telling->json, "notes");
	for (size_t i = 0; i < table->notes_count; i++) {
		ctd_json_begin_object(telling->json, NULL);
		ctd_json_string(telling->json, "file", table->notes[i].file);
		ctd_json_string(telling->json, "entry", ctd_known(table->notes[i].entry));
		ctd_json_string(telling->json, "reason", table->notes[i].reason);
		ctd_json_end_object(telling->json);
	}
	ctd_json_end_array(telling->json);
}

int ctd_vendor_show_json(const struct ctd_options *options, const struct ctd_vendor_view *view,
			 struct ctd_json *json)
{
	struct telling telling = {.view = view, .json = json};
	autofree bool *needed = NULL;
	size_t count;
	int r;

	ctd_vendor_set_counts(view->set, &count);
	needed = calloc(count + 1, sizeof(*needed));
	if (!needed)
		return ctd_log_error(-ENOMEM, "list metrics");
	telling.needed = needed;
	ctd_json_begin_object(json, NULL);
	ctd_json_string(json, "cpu", view->cpu.id);
	ctd_json_string(json, "pmu", ctd_known(view->cpu.pmu));
	ctd_json_string(json, "format", ctd_vendor_format_name(view->table.format));
	ctd_json_string(json, "where", view->table.where);
	r = options->plan ? add_plan(&telling, options) : add_metrics(&telling, options);
	add_notes(&telling);
	ctd_json_end_object(json);
	return r;
}
